export { AccountRulingsModule } from './account-rulings/account-rulings.module';
export {
  type AccountRuling,
  AccountRulings,
  type ModeratedAccount,
} from './account-rulings/account-rulings.service';
export { presentModeratedAccount } from './account-rulings/account-ruling.presenter';
export { Relisting } from './account-rulings/relisting';
export { AdmissionConfig, GuestUploadsConfig } from './admission/admission.config';
export { AdmissionModule } from './admission/admission.module';
export { AdmissionService } from './admission/admission.service';
export { inviteUrl, presentApplication, presentInvite, presentSite } from './admission/admission.presenter';
export { InvitesService } from './admission/invites.service';
export { ApplicationsService } from './registration/applications.service';
export { RegistrationModule } from './registration/registration.module';
export { RegistrationService } from './registration/registration.service';
export { owns, type Viewer } from './access/viewer';
export { presentBannedHash } from './bans/banned-hash.presenter';
export { canServeOriginalInstead } from './media-links/variant.rules';
export { CommentListsService } from './comments/comment-lists.service';
export { presentComment, presentUserComment } from './comments/comment.presenter';
export type { CommentPage } from './comments/comment.types';
export { CommentsModule } from './comments/comments.module';
export { CommentsService } from './comments/comments.service';
export * from './errors/domain-error';
export type { Feed, FeedPage } from './feeds/feed';
export { FeedCountsService } from './feeds/feed-counts.service';
export { FeedsModule } from './feeds/feeds.module';
export { BlockingModule } from './blocking/blocking.module';
export { BlockingService, type RelationPage } from './blocking/blocking.service';
export { presentRelation } from './blocking/relation.presenter';
export { presentNotification } from './notifications/notification.presenter';
export { NotificationsModule } from './notifications/notifications.module';
export { NotificationsService } from './notifications/notifications.service';
export { RanksModule } from './ranks/ranks.module';
export { RanksService } from './ranks/ranks.service';
export { presentFollow } from './follows/follow.presenter';
export { FollowsModule } from './follows/follows.module';
export { type FollowPage, FollowsService } from './follows/follows.service';
export { deletionKeyHash, mintDeletionKey } from './media/deletion-key';
export { MediaEntity } from './media/media.entity';
export { MediaModule } from './media/media.module';
export { MediaProcessingService } from './media/media-processing.service';
export { originalUrl } from './media-links/media-urls';
export { mediaLocation, presentMedia } from './media/media.presenter';
export type { MediaView } from './media/media.presenter';
export { isInProgress } from './media/media.rules';
export { MediaService } from './media/media.service';
export type * from './media/media.types';
export { assertPlausibleEvidence, ImplausibleResultError } from './media/processing-result.rules';
export { OVERRUN_UPLOADS } from './media/processing-turns.rules';
export { ProcessingTurns } from './media/processing-turns.service';
export { BannedHashesModule } from './bans/banned-hashes.module';
export { BannedHashesService } from './bans/banned-hashes.service';
export { DecisionLog } from './decisions/decision-log.service';
export type * from './decisions/decision.types';
export * from './moderation/moderation.rules';
export { ReviewModule } from './review/review.module';
export { presentQueueItem } from './review/queue.presenter';
export { QueueService } from './review/queue.service';
export { RulingsService } from './review/rulings.service';
export { ModerationModule } from './moderation/moderation.module';
export { presentDecision } from './decisions/decision.presenter';
export { ModerationService } from './moderation/moderation.service';
export type { ModeratorRuling } from './moderation/moderator-ruling';
export { PostEditingService } from './posts/post-editing.service';
export { derivePostStatus } from './post-rows/post.rules';
export {
  type ListedPost,
  type OwnPost,
  postLocation,
  presentCreatedPost,
  presentListedPost,
  presentPost,
  presentPostUpdate,
} from './posts/post.presenter';
export type { NewPost, PostOfUpload, PostPage } from './posts/post.types';
export { PostsModule } from './posts/posts.module';
export { PostsService } from './posts/posts.service';
export { ViewCounter } from './posts/view-counter';
export { presentOwnReport } from './reports/report.presenter';
export { ReportsModule } from './reports/reports.module';
export { ReportsService } from './reports/reports.service';
export { SlugTakenError, withFreshSlug } from './identifiers/fresh-slug';
export { randomSlug } from './identifiers/slug';
export { presentTag } from './tags/tag.presenter';
export { TagsModule } from './tags/tags.module';
export { TagsService } from './tags/tags.service';
export type { Caller } from './access/caller';
export type { Reading } from './access/reading';
export { presentApiToken, presentCurrentToken, presentSession } from './tokens/token.presenter';
export { TokensModule } from './tokens/tokens.module';
export { type Ticket, TokensService } from './tokens/tokens.service';
export type { Author } from './authors/author.presenter';
export { AccountErasure } from './erasure/account-erasure';
export { AccountErasureModule } from './erasure/account-erasure.module';
export { AccountNotices } from './users/account-notices.service';
export { type LoginOrigin, LoginsService } from './users/logins.service';
export { GuestsService } from './users/guests.service';
export { presentProfile } from './profiles/profile.presenter';
export { ProfilesModule } from './profiles/profiles.module';
export { type Profile, ProfilesService } from './profiles/profiles.service';
export { presentAccount } from './users/user.presenter';
export { UsersModule } from './users/users.module';
export { type AccountView, type OpenedSession, type Registration, UsersService } from './users/users.service';
export { presentVote } from './votes/vote.presenter';
export type { Vote } from './votes/vote.repository';
export { VotesModule } from './votes/votes.module';
export { WebhookDeliverer } from './webhooks/webhook-deliverer';
export { presentWebhook, presentWebhookDelivery } from './webhooks/webhook.presenter';
export { WebhooksModule } from './webhooks/webhooks.module';
export { WebhooksService, type WebhookWithSecret } from './webhooks/webhooks.service';
