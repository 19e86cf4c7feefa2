import type { EventDefinition } from './event';
import { commentCreated } from './comment-created';
import { commentDeleted } from './comment-deleted';
import { mediaDeleted } from './media-deleted';
import { mediaFailed } from './media-failed';
import { mediaLongProcessingRequested } from './media-long-processing-requested';
import { mediaModerated } from './media-moderated';
import { mediaOverran } from './media-overran';
import { mediaProcessed } from './media-processed';
import { mediaProcessingRequested } from './media-processing-requested';
import { mediaUploaded } from './media-uploaded';
import { postCreated } from './post-created';
import { postDeleted } from './post-deleted';
import { postUpdated } from './post-updated';
import { userDeleted } from './user-deleted';
import { userFollowed } from './user-followed';
import { voteChanged } from './vote-changed';

/** Every event that Vitrine publishes; docs/asyncapi.yaml is held against it. */
export const events = {
  mediaUploaded,
  mediaProcessingRequested,
  mediaLongProcessingRequested,
  mediaOverran,
  mediaProcessed,
  mediaFailed,
  mediaModerated,
  mediaDeleted,
  postCreated,
  postUpdated,
  postDeleted,
  commentCreated,
  commentDeleted,
  voteChanged,
  userFollowed,
  userDeleted,
} as const;

type Definitions = (typeof events)[keyof typeof events];
export type EventType = Definitions['type'];
export type EventData<Type extends EventType> =
  Extract<Definitions, { type: Type }> extends EventDefinition<Type, infer Data> ? Data : never;
