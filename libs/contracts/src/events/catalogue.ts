import type { EventDefinition } from './event';
import { mediaDeleted } from './media-deleted';
import { mediaFailed } from './media-failed';
import { mediaModerated } from './media-moderated';
import { mediaProcessed } from './media-processed';
import { mediaUploaded } from './media-uploaded';

/** Every event that Vitrine publishes; docs/asyncapi.yaml is held against it. */
export const events = { mediaUploaded, mediaProcessed, mediaFailed, mediaModerated, mediaDeleted } as const;

type Definitions = (typeof events)[keyof typeof events];
export type EventType = Definitions['type'];
export type EventData<Type extends EventType> =
  Extract<Definitions, { type: Type }> extends EventDefinition<Type, infer Data> ? Data : never;
