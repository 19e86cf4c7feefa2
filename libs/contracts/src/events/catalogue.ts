import { commentCreated } from './comment-created';
import { commentDeleted } from './comment-deleted';
import { commentUpdated } from './comment-updated';
import { mediaAlternativesMade } from './media-alternatives-made';
import { mediaAlternativesRequested } from './media-alternatives-requested';
import { mediaDeleted } from './media-deleted';
import { mediaFailed } from './media-failed';
import { mediaLongProcessingRequested } from './media-long-processing-requested';
import { mediaModerated } from './media-moderated';
import { mediaOverran } from './media-overran';
import { mediaProcessed } from './media-processed';
import { mediaProcessingRequested } from './media-processing-requested';
import { mediaUploaded } from './media-uploaded';
import { mediaVariantRemade } from './media-variant-remade';
import { mediaVariantRequested } from './media-variant-requested';
import { mediaWithdrawn } from './media-withdrawn';
import { postCreated } from './post-created';
import { postDeleted } from './post-deleted';
import { postUpdated } from './post-updated';
import { processorReported } from './processor-reported';
import { userDeleted } from './user-deleted';
import { userFollowed } from './user-followed';
import { userModerated } from './user-moderated';
import { voteChanged } from './vote-changed';

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
