import type { Migration } from '../migration';
import { core } from './0001-core';
import { busSchema } from './0002-bus';

/** Every step of the schema, in order. */
export const migrations: readonly Migration[] = [core, busSchema];
