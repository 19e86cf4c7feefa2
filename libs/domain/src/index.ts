export { AccountRulingsModule } from './accounts/rulings/account-rulings.module';
export { AccountRulings, type ModeratedAccount } from './accounts/rulings/account-rulings.service';
export { Relisting } from './accounts/rulings/relisting';
export { FactorsModule } from './sign-in/factors/factors.module';
export { AccountSecurity, type SecurityView } from './sign-in/factors/account-security.service';
export type { PasskeyAssertion, PasskeyAttestation } from './sign-in/factors/passkeys.service';
export { PasswordsModule } from './sign-in/passwords/passwords.module';
export { AdministrationModule } from './accounts/administration/administration.module';
export { PeopleService, type PersonDetail } from './accounts/administration/people.service';
export { PersonAccess } from './accounts/administration/person-access.service';
export { WorkService, type WorkOverview } from './accounts/administration/work.service';
export { GuestUploadsConfig } from './accounts/users/guests.config';
export { AdmissionModule } from './accounts/admission/admission.module';
export { AdmissionService, type AdmissionRules } from './accounts/admission/admission.service';
export { LinkedProviders, type LinkedProvider } from './sign-in/logins/linked-providers.service';
export {
  type BegunLogin,
  ProviderLogins,
  type ProviderOutcome,
} from './sign-in/logins/provider-logins.service';
export { IdentitiesService } from './sign-in/providers/identities.service';
export { LoginCredentials } from './sign-in/providers/login-credentials.service';
export { IdentityProviders } from './sign-in/providers/identity-providers.service';
export { IdentityProvidersConfig } from './sign-in/providers/identity-providers.config';
export { IdentityProvidersModule } from './sign-in/providers/identity-providers.module';
export { InvitesService } from './accounts/admission/invites.service';
export { ApplicationsService } from './accounts/admission/applications.service';
export { RegistrationService } from './accounts/admission/registration.service';
export { AuditLogModule } from './base/audit/audit-log.module';
export { type AuditPage, AuditLog } from './base/audit/audit-log.service';
export type { AuditFilter, NewAuditEntry, AuditEntry } from './base/audit/audit-log.types';
export { owns, type Viewer } from './base/access/viewer';
export { CachePurgesModule } from './media/cache-purges/cache-purges.module';
export { CachePurges } from './media/cache-purges/cache-purges.service';
export type {
  ClaimedPurge,
  PurgeBacklog,
  PurgeCause,
  PurgedMedia,
} from './media/cache-purges/cache-purge.types';
export { fileNamesOf, variantExtensions } from './media/links/file-names';
export { canServeOriginalInstead, isAnimation } from './media/links/variant.rules';
export { CollectionsModule } from './community/collections/collections.module';
export { CollectionsService, type CollectionView } from './community/collections/collections.service';
export { CommentListsService } from './community/comments/comment-lists.service';
export { CommentsModule } from './community/comments/comments.module';
export { CommentsService } from './community/comments/comments.service';
export * from './base/errors/domain-error';
export { FeedCountsService } from './posts/feeds/feed-counts.service';
export { PeopleSearch } from './accounts/profiles/people-search';
export { PostSearch } from './posts/feeds/post-search.service';
export { FeedsModule } from './posts/feeds/feeds.module';
export { BlockingModule } from './community/blocking/blocking.module';
export { BlockingService, type RelationPage, type RelationView } from './community/blocking/blocking.service';
export { Announcements } from './community/notices/announcements.service';
export { NotificationMails } from './community/notices/notification-mails.service';
export { NoticesModule } from './community/notices/notices.module';
export { NotificationsModule } from './community/notifications/notifications.module';
export { NotificationsService, type NotificationView } from './community/notifications/notifications.service';
export { RanksModule } from './posts/feeds/ranks.module';
export { RanksService } from './posts/feeds/ranks.service';
export { TagFollowsService } from './community/follows/tag-follows.service';
export { FollowsModule } from './community/follows/follows.module';
export { type FollowPage, FollowsService, type FollowView } from './community/follows/follows.service';
export { deletionKeyHash, mintDeletionKey } from './media/items/media-deletion.service';
export type { AlternativesBacklog } from './media/stored-variants/alternatives.repository';
export { Alternatives, type RecordedAlternatives } from './media/stored-variants/alternatives.service';
export { GuestAdoption } from './accounts/deletion/guest-adoption.service';
export { MediaEntity } from './media/rows/media.entity';
export { MediaModule } from './media/items/media.module';
export { MediaProcessingService } from './media/items/media-processing.service';
export { originalUrl, variantUrl, type LinkedMedia } from './media/links/media-urls';
export { isInProgress, pendingOn } from './media/items/media.rules';
export { MediaDeletion } from './media/items/media-deletion.service';
export { MediaEditing } from './media/items/media-editing.service';
export { type MediaFileNames, MediaFiles } from './media/items/media-files.service';
export { OwnMedia } from './media/items/own-media.service';
export { MediaReading } from './media/items/media-reading.service';
export { MediaUploads } from './media/items/media-uploads.service';
export type * from './media/rows/media-row.types';
export type * from './media/items/media.types';
export { assertPlausibleEvidence, ImplausibleResultError } from './media/rows/processing-result.rules';
export { DeletionHold } from './media/rows/deletion-hold.service';
export { PendingFiles } from './media/rows/pending-files.service';
export { originalKeyOf } from './media/rows/media-events';
export { SharedFiles } from './media/shared-files/shared-files.service';
export type {
  CheckedMedia,
  KeptOriginal,
  MergingClaim,
  RedundantFile,
  SharingMedia,
} from './media/shared-files/shared-files.repository';
export {
  type RemakeStep,
  MAX_OPEN_REMAKES,
  VariantRetention,
} from './media/stored-variants/variant-retention.service';
export type { VariantUse } from './media/stored-variants/variant-retention.repository';
export { OVERRUN_UPLOADS, type MediaBacklog } from './media/processing-turns/processing-turns.rules';
export { ProcessingTurns } from './media/processing-turns/processing-turns.service';
export { BannedHashesModule } from './moderation/bans/banned-hashes.module';
export { BannedHashesService } from './moderation/bans/banned-hashes.service';
export { DecisionLog } from './moderation/decisions/decision-log.service';
export type * from './moderation/decisions/decision.types';
export * from './moderation/review/moderation.rules';
export { ReviewModule } from './moderation/review/review.module';
export { QueueService, type QueuedItem, type QueueItem } from './moderation/review/queue.service';
export { RulingsService } from './moderation/review/rulings.service';
export { ModerationModule } from './moderation/review/moderation.module';
export { ModerationService } from './moderation/review/moderation.service';
export { PostEditingService } from './posts/posts/post-editing.service';
export { derivePostStatus } from './posts/rows/post.rules';
export type {
  ListedPost,
  OwnPost,
  PostOfUpload,
  PostPage,
  PostView,
  SinglePost,
} from './posts/posts/post.types';
export { PostsModule } from './posts/posts/posts.module';
export { PostsService } from './posts/posts/posts.service';
export { ViewCounter } from './posts/posts/view-counter';
export { ReportsModule } from './moderation/reports/reports.module';
export { ReportsService } from './moderation/reports/reports.service';
export { SlugTakenError, withFreshSlugs } from './base/identifiers/fresh-slug';
export { randomSlug } from './base/identifiers/slug';
export { TagsModule } from './posts/tags/tags.module';
export { TagsService } from './posts/tags/tags.service';
export type { Caller } from './base/access/caller';
export type { Reading } from './base/access/reading';
export { TokensModule } from './sign-in/tokens/tokens.module';
export { type Ticket, TokensService } from './sign-in/tokens/tokens.service';
export { AccountErasure } from './accounts/deletion/account-erasure';
export { AccountErasureModule } from './accounts/deletion/account-erasure.module';
export type { Proof } from './sign-in/factors/reauthentication.service';
export { AccountNotices } from './accounts/users/account-notices.service';
export { EmailAddresses } from './accounts/users/email-addresses.service';
export { LoginsModule } from './sign-in/logins/logins.module';
export type { LoginOrigin, LoginResult, SecondFactorRequired } from './sign-in/logins/login-sessions.service';
export { LoginsService } from './sign-in/logins/logins.service';
export { GuestsService, type UploadTicket } from './accounts/users/guests.service';
export { ProfileEditing } from './accounts/profiles/profile-editing.service';
export { ProfilesModule } from './accounts/profiles/profiles.module';
export { type Profile, ProfilesService } from './accounts/profiles/profiles.service';
export { UsersModule } from './accounts/users/users.module';
export { AccountCreation } from './accounts/admission/account-creation.service';
export { AccountAdministration } from './accounts/administration/account-administration.service';
export { PasswordChanges } from './sign-in/passwords/password-changes.service';
export { ResetLinks } from './sign-in/passwords/reset-links.service';
export { type AccountView, type OpenedSession, UsersService } from './accounts/users/users.service';
export { ProofOfWorkModule } from './sign-in/proof-of-work/proof-of-work.module';
export { ProofOfWorkService, type ProofChallenge } from './sign-in/proof-of-work/proof-of-work.service';
export type * from './accounts/quotas/quota.types';
export { QuotasModule } from './accounts/quotas/quotas.module';
export { QuotasService } from './accounts/quotas/quotas.service';
export type { Vote } from './community/votes/vote.repository';
export { VotesModule } from './community/votes/votes.module';
export { RefusedDestinationError } from './outgoing/requests/outgoing-network';
export { OutgoingModule } from './outgoing/requests/outgoing.module';
export { RemoteFiles } from './outgoing/requests/remote-files';
export { UrlUploadsConfig } from './outgoing/requests/url-uploads.config';
export { linkUrl } from './outgoing/mails/link.rules';
export { MailAvailability } from './outgoing/mails/mail-availability';
export { MailConfig } from './outgoing/mails/mail.config';
export { MailDeliverer } from './outgoing/mails/mail-deliverer';
export { MailDeliveryModule } from './outgoing/mails/mail-delivery.module';
export type { MintedLink } from './outgoing/mails/mails.service';
export { WaitingWorkModule } from './base/waiting-work/waiting-work.module';
export type { WaitingWork } from './base/waiting-work/waiting-work.repository';
export { WaitingWorkService } from './base/waiting-work/waiting-work.service';
export { WebhookEditingModule } from './outgoing/webhooks/webhook-editing.module';
export { WebhookEditing } from './outgoing/webhooks/webhook-editing.service';
export { WebhookDeliverer } from './outgoing/webhooks/webhook-deliverer';
export { WebhooksModule } from './outgoing/webhooks/webhooks.module';
export { WebhooksService } from './outgoing/webhooks/webhooks.service';
export type { Person } from './accounts/administration/people.repository';
export type { Application } from './accounts/admission/application.repository';
export type { Invite } from './accounts/admission/invite.repository';
export type { Author } from './accounts/authors/author.types';
export type { AccountQuota, StorageOverview, StorageUse } from './accounts/quotas/quota.types';
export type { CommentView, UserCommentView } from './community/comments/comment.types';
export type { VoteState, VoteOutcome } from './community/votes/vote.rules';
export type { BannedHashView } from './moderation/bans/banned-hash.repository';
export type { DecisionView } from './moderation/decisions/moderation-decision.repository';
export type { DecisionScores } from './moderation/decisions/decision.types';
export type { OwnReport } from './moderation/reports/report.repository';
export type { OpenReport } from './moderation/review/queue.repository';
export { webhookPayload } from './outgoing/webhooks/payload.rules';
export type { Webhook, WebhookDelivery } from './outgoing/webhooks/webhook.types';
export type { TagUse } from './posts/tags/tag.repository';
export type { PastLogin } from './sign-in/tokens/login-history.repository';
export type { Passkey } from './sign-in/factors/passkey.repository';
export type { Session } from './sign-in/tokens/token.repository';
export type { TokenEntity } from './sign-in/tokens/token.entity';
