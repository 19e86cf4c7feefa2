import type { Migration } from '../migration';
import { core } from './0001-core';

/** Every step of the schema, in order. */
export const migrations: readonly Migration[] = [core];
