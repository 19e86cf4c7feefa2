import type { components } from './api-types';

type Schemas = components['schemas'];

export type Account = Schemas['Account'];
export type ApiToken = Schemas['ApiToken'];
export type CurrentToken = Schemas['CurrentToken'];
export type Author = Schemas['Author'];
export type BannedHash = Schemas['BannedHash'];
export type Comment = Schemas['Comment'];
export type CreatedPost = Schemas['CreatedPost'];
export type ListedPost = Schemas['ListedPost'];
export type Media = Schemas['Media'];
export type MediaDetails = Schemas['MediaDetails'];
export type MediaUrls = Schemas['MediaUrls'];
export type OwnReport = Schemas['OwnReport'];
export type Post = Schemas['Post'];
export type Session = Schemas['OpenSession'];
export type Tag = Schemas['Tag'];
export type User = Schemas['User'];
export type SecondFactorRequired = Schemas['SecondFactorRequired'];
export type OpenedSession = Schemas['Session'];
export type VoteAnswer = Schemas['Vote'];
export type Webhook = Schemas['Webhook'];
/** The payload that a webhook receives; `type` names the event. */
export type WebhookEvent = Schemas[Extract<keyof Schemas, `${string}Event`>];
export type WebhookDelivery = Schemas['WebhookDelivery'];
