export { AccountRulingsModule } from './accounts/rulings/account-rulings.module';
export { AccountRulings } from './accounts/rulings/account-rulings.service';
export { presentModeratedAccount } from './accounts/rulings/account-ruling.presenter';
export { Relisting } from './accounts/rulings/relisting';
export { AccountSecurityModule } from './sign-in/logins/account-security.module';
export { presentPasskey, presentSecurity } from './sign-in/logins/account-security.presenter';
export { AccountSecurity } from './sign-in/logins/account-security.service';
export type { PasskeyAssertion, PasskeyAttestation } from './sign-in/factors/passkeys.service';
export { presentPastLogin } from './sign-in/history/login-history.presenter';
export { PasswordStrength } from './sign-in/passwords/password-strength';
export { PasswordsModule } from './sign-in/passwords/passwords.module';
export { AdministrationModule } from './accounts/administration/administration.module';
export { presentPerson, presentPersonDetail } from './accounts/administration/people.presenter';
export { PeopleService } from './accounts/administration/people.service';
export { PersonAccess } from './accounts/administration/person-access.service';
export { presentWork } from './accounts/administration/work.presenter';
export { WorkService } from './accounts/administration/work.service';
export { GuestUploadsConfig } from './accounts/admission/admission.config';
export { AdmissionModule } from './accounts/admission/admission.module';
export { AdmissionService } from './accounts/admission/admission.service';
export {
  inviteUrl,
  presentApplication,
  presentInvite,
  presentSite,
} from './accounts/admission/admission.presenter';
export { LinkedProviders } from './sign-in/logins/linked-providers.service';
export { presentIdentity } from './sign-in/logins/provider-login.presenter';
export { ProviderLoginsModule } from './sign-in/logins/provider-logins.module';
export {
  type BegunLogin,
  ProviderLogins,
  type ProviderOutcome,
} from './sign-in/logins/provider-logins.service';
export { IdentitiesModule } from './sign-in/providers/identities.module';
export { IdentitiesService } from './sign-in/providers/identities.service';
export { LoginCredentials } from './sign-in/providers/login-credentials.service';
export { IdentityProviders } from './sign-in/providers/identity-providers.service';
export { IdentityProvidersConfig } from './sign-in/providers/identity-providers.config';
export { IdentityProvidersModule } from './sign-in/providers/identity-providers.module';
export { InvitesService } from './accounts/admission/invites.service';
export { ApplicationsService } from './accounts/registration/applications.service';
export { RegistrationModule } from './accounts/registration/registration.module';
export { RegistrationService } from './accounts/registration/registration.service';
export { AuditLogModule } from './base/audit/audit-log.module';
export { type AuditPage, AuditLog } from './base/audit/audit-log.service';
export { presentAuditEntry } from './base/audit/audit-log.presenter';
export type { AuditFilter, NewAuditEntry } from './base/audit/audit-log.types';
export { owns, type Viewer } from './base/access/viewer';
export { presentBannedHash } from './moderation/bans/banned-hash.presenter';
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
export { CommentListsService } from './community/comments/comment-lists.service';
export { presentComment, presentUserComment } from './community/comments/comment.presenter';
export { CommentsModule } from './community/comments/comments.module';
export { CommentsService } from './community/comments/comments.service';
export * from './base/errors/domain-error';
export { FeedCountsService } from './posts/feeds/feed-counts.service';
export { FeedsModule } from './posts/feeds/feeds.module';
export { BlockingModule } from './community/blocking/blocking.module';
export { BlockingService, type RelationPage } from './community/blocking/blocking.service';
export { presentRelation } from './community/blocking/relation.presenter';
export { presentNotification } from './community/notifications/notification.presenter';
export { NotificationsModule } from './community/notifications/notifications.module';
export { NotificationsService } from './community/notifications/notifications.service';
export { RanksModule } from './posts/feeds/ranks.module';
export { RanksService } from './posts/feeds/ranks.service';
export { presentFollow } from './community/follows/follow.presenter';
export { FollowsModule } from './community/follows/follows.module';
export { type FollowPage, FollowsService } from './community/follows/follows.service';
export { deletionKeyHash, mintDeletionKey } from './media/items/deletion-key';
export type { AlternativesBacklog } from './media/stored-variants/alternatives.repository';
export { Alternatives, type RecordedAlternatives } from './media/stored-variants/alternatives.service';
export { MediaEntity } from './media/rows/media.entity';
export { MediaModule } from './media/items/media.module';
export { MediaProcessingService } from './media/items/media-processing.service';
export { originalUrl } from './media/links/media-urls';
export { mediaLocation, presentMedia } from './media/items/media.presenter';
export type { MediaView } from './media/items/media.presenter';
export { isInProgress } from './media/items/media.rules';
export { MediaDeletion } from './media/items/media-deletion.service';
export { MediaEditing } from './media/items/media-editing.service';
export { type MediaFileNames, MediaFiles } from './media/items/media-files.service';
export { MediaReading } from './media/items/media-reading.service';
export { MediaUploads } from './media/items/media-uploads.service';
export type * from './media/rows/media-row.types';
export type * from './media/items/media.types';
export { assertPlausibleEvidence, ImplausibleResultError } from './media/rows/processing-result.rules';
export { originalKeyOf } from './media/rows/original-key';
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
export { OVERRUN_UPLOADS } from './media/processing-turns/processing-turns.rules';
export type { MediaBacklog } from './media/processing-turns/processing-turns.rules';
export { ProcessingTurns } from './media/processing-turns/processing-turns.service';
export { BannedHashesModule } from './moderation/bans/banned-hashes.module';
export { BannedHashesService } from './moderation/bans/banned-hashes.service';
export { DecisionLog } from './moderation/decisions/decision-log.service';
export type * from './moderation/decisions/decision.types';
export * from './moderation/review/moderation.rules';
export { ReviewModule } from './moderation/review/review.module';
export { presentQueueItem } from './moderation/review/queue.presenter';
export { QueueService } from './moderation/review/queue.service';
export { RulingsService } from './moderation/review/rulings.service';
export { ModerationModule } from './moderation/review/moderation.module';
export { presentDecision } from './moderation/decisions/decision.presenter';
export { ModerationService } from './moderation/review/moderation.service';
export type { ModeratorRuling } from './moderation/review/moderator-ruling';
export { PostEditingService } from './posts/posts/post-editing.service';
export { derivePostStatus } from './posts/rows/post.rules';
export {
  type OwnPost,
  postLocation,
  presentCreatedPost,
  presentListedPost,
  presentPost,
  presentPostUpdate,
} from './posts/posts/post.presenter';
export type { PostOfUpload, PostPage } from './posts/posts/post.types';
export { PostsModule } from './posts/posts/posts.module';
export { PostsService } from './posts/posts/posts.service';
export { ViewCounter } from './posts/posts/view-counter';
export { presentOwnReport } from './moderation/reports/report.presenter';
export { ReportsModule } from './moderation/reports/reports.module';
export { ReportsService } from './moderation/reports/reports.service';
export { SlugTakenError, withFreshSlug } from './base/identifiers/fresh-slug';
export { randomSlug } from './base/identifiers/slug';
export { presentTag } from './posts/tags/tag.presenter';
export { TagsModule } from './posts/tags/tags.module';
export { TagsService } from './posts/tags/tags.service';
export type { Caller } from './base/access/caller';
export type { Reading } from './base/access/reading';
export { presentApiToken, presentCurrentToken, presentSession } from './sign-in/tokens/token.presenter';
export { TokensModule } from './sign-in/tokens/tokens.module';
export { type Ticket, TokensService } from './sign-in/tokens/tokens.service';
export { AccountErasure } from './accounts/deletion/account-erasure';
export { AccountErasureModule } from './accounts/deletion/account-erasure.module';
export type { Proof } from './accounts/users/reauthentication.service';
export { AccountNotices } from './accounts/users/account-notices.service';
export { EmailAddresses } from './accounts/users/email-addresses.service';
export { LoginsModule } from './sign-in/logins/logins.module';
export type { LoginOrigin, LoginResult, SecondFactorRequired } from './sign-in/logins/login-sessions.service';
export { LoginsService } from './sign-in/logins/logins.service';
export { SecondFactorLogins } from './sign-in/logins/second-factor-logins.service';
export { GuestsService, type UploadTicket } from './accounts/users/guests.service';
export { presentProfile } from './accounts/profiles/profile.presenter';
export { ProfilesModule } from './accounts/profiles/profiles.module';
export { type Profile, ProfilesService } from './accounts/profiles/profiles.service';
export { presentAccount } from './accounts/users/user.presenter';
export { UsersModule } from './accounts/users/users.module';
export { AccountCreation } from './accounts/users/account-creation.service';
export { AccountAdministration } from './accounts/users/account-administration.service';
export { PasswordChangesModule } from './sign-in/password-changes/password-changes.module';
export { PasswordChanges } from './sign-in/password-changes/password-changes.service';
export { ResetLinks } from './sign-in/password-changes/reset-links.service';
export { type AccountView, type OpenedSession, UsersService } from './accounts/users/users.service';
export { ProofOfWorkModule } from './sign-in/proof-of-work/proof-of-work.module';
export { presentProofChallenge } from './sign-in/proof-of-work/proof-of-work.presenter';
export { ProofOfWorkService } from './sign-in/proof-of-work/proof-of-work.service';
export {
  presentAccountQuota,
  presentStorageOverview,
  presentStorageUse,
} from './accounts/quotas/quota.presenter';
export type * from './accounts/quotas/quota.types';
export { QuotasModule } from './accounts/quotas/quotas.module';
export { QuotasService } from './accounts/quotas/quotas.service';
export { presentVote } from './community/votes/vote.presenter';
export type { Vote } from './community/votes/vote.repository';
export { VotesModule } from './community/votes/votes.module';
export { linkUrl } from './outgoing/mails/link.rules';
export { MailAvailability } from './outgoing/mails/mail-availability';
export { MailConfig } from './outgoing/mails/mail.config';
export { MailDeliverer } from './outgoing/mails/mail-deliverer';
export { MailDeliveryModule } from './outgoing/mails/mail-delivery.module';
export { type MintedLink } from './outgoing/mails/mails.service';
export { WaitingWorkModule } from './base/waiting-work/waiting-work.module';
export type { WaitingWork } from './base/waiting-work/waiting-work.repository';
export { WaitingWorkService } from './base/waiting-work/waiting-work.service';
export { WebhookEditingModule } from './outgoing/webhooks/webhook-editing.module';
export { WebhookEditing } from './outgoing/webhooks/webhook-editing.service';
export { WebhookDeliverer } from './outgoing/webhooks/webhook-deliverer';
export { presentWebhook, presentWebhookDelivery } from './outgoing/webhooks/webhook.presenter';
export { WebhooksModule } from './outgoing/webhooks/webhooks.module';
export { WebhooksService } from './outgoing/webhooks/webhooks.service';
