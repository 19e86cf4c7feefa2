export * from './events/catalogue';
export { defineEvent, type EventDefinition, type EventEnvelope } from './events/event';
export {
  commentCreated,
  type CommentCreated,
  commentDeleted,
  type CommentDeleted,
  commentUpdated,
  type CommentUpdated,
} from './events/comment-events';
export {
  postCreated,
  type PostCreated,
  postDeleted,
  type PostDeleted,
  postUpdated,
  type PostUpdated,
} from './events/post-events';
export {
  userDeleted,
  type UserDeleted,
  userFollowed,
  type UserFollowed,
  userModerated,
  type UserModerated,
  voteChanged,
  type VoteChanged,
} from './events/user-events';
export {
  mediaAlternativesMade,
  type MediaAlternativesMade,
  mediaAlternativesRequested,
  type MediaAlternativesRequested,
  mediaLongProcessingRequested,
  type MediaLongProcessingRequested,
  mediaOverran,
  type MediaOverran,
  mediaProgressed,
  type MediaProgressed,
  processorReported,
  type ProcessorReported,
  mediaProcessingFailed,
  type MediaProcessingFailed,
  mediaVariantsStored,
  type MediaVariantsStored,
  mediaProcessingRequested,
  type MediaProcessingRequested,
  mediaVariantRemade,
  type MediaVariantRemade,
  mediaVariantRequested,
  type MediaVariantRequested,
} from './events/processing-events';
export {
  mediaDeleted,
  type MediaDeleted,
  type MediaEvent,
  mediaFailed,
  type MediaFailed,
  mediaModerated,
  type MediaModerated,
  mediaWithdrawn,
  type MediaWithdrawn,
  mediaProcessed,
  type MediaProcessed,
  mediaUploaded,
  type MediaUploaded,
  type ProcessedVariant,
} from './events/media-events';
export * from './media/alternative-record';
export * from './media/object-keys';
export * from './media/variant-record';
export * from './media/variant-size';
export {
  findImplausible,
  findImplausibleEvidence,
  MAX_MODERATION_FRAMES,
} from './processing/processing-result';
export * from './vocabulary/accounts';
export * from './vocabulary/accounts';
export * from './vocabulary/audit';
export * from './vocabulary/texts';
export * from './vocabulary/identifiers';
export * from './vocabulary/identifiers';
export * from './vocabulary/limits';
export * from './vocabulary/moderation';
export * from './vocabulary/moderation';
export * from './vocabulary/webhooks';
