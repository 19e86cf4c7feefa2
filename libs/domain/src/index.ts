export { CommentListsService } from './comments/comment-lists.service';
export { presentComment, presentUserComment } from './comments/comment.presenter';
export type {
  CommentPage,
  CommentPageRequest,
  CommentView,
  UserCommentPageRequest,
  UserCommentView,
} from './comments/comment.types';
export { CommentsModule } from './comments/comments.module';
export { type CommentDraft, CommentsService } from './comments/comments.service';
export { type Count, Counters, type Limiter } from './counters/counters';
export { CountersConfig } from './counters/counters.config';
export { CountersModule } from './counters/counters.module';
export { probeRedis } from './counters/probe-redis';
export * from './errors/domain-error';
export { countedName, type Feed, type FeedPage, type FeedPageRequest } from './feeds/feed';
export { FeedCountsService } from './feeds/feed-counts.service';
export { FeedRequests, type RequestedPage } from './feeds/feed-requests';
export { FeedsModule } from './feeds/feeds.module';
export { FeedsService } from './feeds/feeds.service';
export type { FollowSide } from './follows/follow.repository';
export { presentFollow } from './follows/follow.presenter';
export { FollowsModule } from './follows/follows.module';
export {
  type FollowPage,
  type FollowPageRequest,
  FollowsService,
  type FollowView,
} from './follows/follows.service';
export { MediaEntity } from './media/media.entity';
export { MediaModule } from './media/media.module';
export { MediaProcessingService } from './media/media-processing.service';
export { originalUrl, variantUrl } from './media/media-urls';
export { mediaLocation, presentMedia } from './media/media.presenter';
export type { MediaView, ShownMedia } from './media/media.presenter';
export { originalStandsIn, ownsMedia, variantExtension, type Viewer } from './media/media.rules';
export { MediaService, SlugTakenError } from './media/media.service';
export type * from './media/media.types';
export { assertPlausibleEvidence, ImplausibleResultError } from './media/processing-result.rules';
export { ProcessingTurns } from './media/processing-turns.service';
export { BannedHashesModule } from './moderation/banned-hashes.module';
export { BannedHashesService, type PerceptualMatch } from './moderation/banned-hashes.service';
export { DecisionLogModule } from './moderation/decision-log.module';
export { DecisionLog } from './moderation/decision-log.service';
export type {
  DecisionFilter,
  DecisionPage,
  DecisionView,
  NewDecision,
} from './moderation/moderation-decision.repository';
export * from './moderation/moderation.rules';
export { ModerationDeskModule } from './moderation/desk/moderation-desk.module';
export { presentQueueItem } from './moderation/desk/queue.presenter';
export { QueueService } from './moderation/desk/queue.service';
export { type RuledListedPost, type RuledMedia, RulingsService } from './moderation/desk/rulings.service';
export { ModerationModule } from './moderation/moderation.module';
export { presentBannedHash, presentDecision } from './moderation/moderation.presenter';
export { ModerationService, UnsettledOutcomeError } from './moderation/moderation.service';
export type { ModeratorRuling } from './moderation/moderator-ruling';
export { PostEditingService } from './posts/post-editing.service';
export { PostMediaModule } from './posts/post-media.module';
export { PostMediaService } from './posts/post-media.service';
export { derivePostListing, derivePostStatus, type PostStatusFacts } from './posts/post.rules';
export {
  type ListedPost,
  postLocation,
  presentCreatedPost,
  presentListedPost,
  presentPost,
  presentPostUpdate,
  type SinglePost,
} from './posts/post.presenter';
export type { NewPost, PostChanges, PostPage, VisiblePost } from './posts/post.types';
export { PostsModule } from './posts/posts.module';
export { PostsService } from './posts/posts.service';
export { ViewCounter } from './posts/view-counter';
export { presentOwnReport } from './reports/report.presenter';
export { ReportsModule } from './reports/reports.module';
export { type Complaint, ReportsService } from './reports/reports.service';
export { isSlug, randomSlug } from './slugs/slug';
export { presentTag } from './tags/tag.presenter';
export type { TagUse } from './tags/tag.repository';
export { TagsModule } from './tags/tags.module';
export { type TagPage, TagsService } from './tags/tags.service';
export type { Caller, TokenKind } from './tokens/caller';
export { presentApiToken, presentSession } from './tokens/token.presenter';
export { TokensModule } from './tokens/tokens.module';
export { type MintedToken, type NewApiToken, type Ticket, TokensService } from './tokens/tokens.service';
export { type Author, presentAuthor } from './users/author.presenter';
export { AuthorsModule } from './users/authors.module';
export { AuthorsService } from './users/authors.service';
export { AccountErasure } from './users/erasure/account-erasure';
export { AccountErasureModule } from './users/erasure/account-erasure.module';
export { GuestsService, type WelcomedGuest } from './users/guests/guests.service';
export { presentProfile } from './users/profiles/profile.presenter';
export { ProfilesModule } from './users/profiles/profiles.module';
export { type Profile, ProfilesService } from './users/profiles/profiles.service';
export { presentAccount } from './users/user.presenter';
export { UsersModule } from './users/users.module';
export {
  type AccountView,
  type OpenedSession,
  type ProfileChanges,
  type Registration,
  UsersService,
} from './users/users.service';
export { presentVote, type VoteOutcome } from './votes/vote.presenter';
export type { Vote, VoteTarget } from './votes/vote.repository';
export { type CastVote, castVote, type VoteState, type VoteValue } from './votes/vote.rules';
export { VotesModule } from './votes/votes.module';
export { VotesService } from './votes/votes.service';
