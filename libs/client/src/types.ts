import type { components } from './api-types';

type Schemas = components['schemas'];

export type Account = Schemas['Account'];
export type ApiToken = Schemas['ApiToken'];
export type Media = Schemas['Media'];
