export * from './events/catalogue';
export { defineEvent, type EventDefinition, type EventEnvelope } from './events/event';
export { commentCreated, type CommentCreated } from './events/comment-created';
export { commentDeleted, type CommentDeleted } from './events/comment-deleted';
export { commentUpdated, type CommentUpdated } from './events/comment-updated';
export { postCreated, type PostCreated } from './events/post-created';
export { postDeleted, type PostDeleted } from './events/post-deleted';
export { postUpdated, type PostUpdated } from './events/post-updated';
export { userDeleted, type UserDeleted } from './events/user-deleted';
export { userFollowed, type UserFollowed } from './events/user-followed';
export { userModerated, type UserModerated } from './events/user-moderated';
export { voteChanged, type VoteChanged } from './events/vote-changed';
export { mediaAlternativesMade, type MediaAlternativesMade } from './events/media-alternatives-made';
export {
  mediaAlternativesRequested,
  type MediaAlternativesRequested,
} from './events/media-alternatives-requested';
export { mediaDeleted, type MediaDeleted } from './events/media-deleted';
export { mediaFailed, type MediaFailed } from './events/media-failed';
export {
  mediaLongProcessingRequested,
  type MediaLongProcessingRequested,
} from './events/media-long-processing-requested';
export { mediaModerated, type MediaModerated } from './events/media-moderated';
export { mediaOverran, type MediaOverran } from './events/media-overran';
export { mediaWithdrawn, type MediaWithdrawn } from './events/media-withdrawn';
export { processorReported, type ProcessorReported } from './events/processor-reported';
export { mediaProcessed, type MediaProcessed } from './events/media-processed';
export { mediaProcessingRequested, type MediaProcessingRequested } from './events/media-processing-requested';
export { mediaUploaded, type MediaUploaded } from './events/media-uploaded';
export { mediaVariantRemade, type MediaVariantRemade } from './events/media-variant-remade';
export { mediaVariantRequested, type MediaVariantRequested } from './events/media-variant-requested';
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
export * from './vocabulary/audit';
export * from './vocabulary/blank-text';
export * from './vocabulary/identifiers';
export * from './vocabulary/limits';
export * from './vocabulary/tokens';
export * from './vocabulary/moderation';
export * from './vocabulary/moderation-status';
export * from './vocabulary/notifications';
export * from './vocabulary/reports';
export * from './vocabulary/tag-names';
export * from './vocabulary/visibility';
export * from './vocabulary/webhooks';
