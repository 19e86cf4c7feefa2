import { commentCreated, commentDeleted, commentUpdated } from './comment-events';
import {
  mediaDeleted,
  mediaFailed,
  mediaModerated,
  mediaProcessed,
  mediaUploaded,
  mediaWithdrawn,
} from './media-events';
import { postCreated, postDeleted, postUpdated } from './post-events';
import {
  mediaAlternativesMade,
  mediaAlternativesRequested,
  mediaLongProcessingRequested,
  mediaOverran,
  mediaProcessingFailed,
  mediaProcessingRequested,
  mediaProgressed,
  mediaVariantRemade,
  mediaVariantRequested,
  mediaVariantsStored,
  processorReported,
} from './processing-events';
import { userDeleted, userFollowed, userModerated, voteChanged } from './user-events';

/** The events that other teams may rely on: all come through the outbox, and within a version they only gain fields. */
export const publicEvents = {
  mediaUploaded,
  mediaProcessed,
  mediaFailed,
  mediaModerated,
  mediaWithdrawn,
  mediaDeleted,
  postCreated,
  postUpdated,
  postDeleted,
  commentCreated,
  commentUpdated,
  commentDeleted,
  voteChanged,
  userFollowed,
  userDeleted,
  userModerated,
} as const;

/** Messages between the processes of Vitrine, which may change in any release. */
export const internalEvents = {
  mediaProcessingRequested,
  mediaLongProcessingRequested,
  mediaVariantsStored,
  mediaProcessingFailed,
  mediaOverran,
  mediaProgressed,
  mediaVariantRequested,
  mediaVariantRemade,
  mediaAlternativesRequested,
  mediaAlternativesMade,
  processorReported,
} as const;

/** All events that Vitrine publishes. A test compares docs/asyncapi.yaml with this list. */
export const events = { ...publicEvents, ...internalEvents } as const;

export type EventType = (typeof events)[keyof typeof events]['type'];
