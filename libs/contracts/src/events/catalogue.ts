import { commentCreated, commentDeleted, commentUpdated } from './comment-events';
import {
  mediaAlternativesMade,
  mediaAlternativesRequested,
  mediaLongProcessingRequested,
  mediaOverran,
  mediaProcessed,
  mediaProcessingRequested,
  mediaVariantRemade,
  mediaVariantRequested,
  processorReported,
} from './processing-events';
import { mediaDeleted, mediaFailed, mediaModerated, mediaUploaded, mediaWithdrawn } from './media-events';
import { postCreated, postDeleted, postUpdated } from './post-events';
import { userDeleted, userFollowed, userModerated, voteChanged } from './user-events';

/** All events that Vitrine publishes. A test compares docs/asyncapi.yaml with this list. */
export const events = {
  mediaUploaded,
  mediaProcessingRequested,
  mediaLongProcessingRequested,
  mediaVariantRequested,
  mediaVariantRemade,
  mediaAlternativesRequested,
  mediaAlternativesMade,
  mediaOverran,
  processorReported,
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

export type EventType = (typeof events)[keyof typeof events]['type'];
