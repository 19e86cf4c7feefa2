export { AccountRulingsModule } from './account-rulings/account-rulings.module';
export { AccountRulings } from './account-rulings/account-rulings.service';
export { presentModeratedAccount } from './account-rulings/account-ruling.presenter';
export { Relisting } from './account-rulings/relisting';
export { AccountSecurityModule } from './security/account-security.module';
export { presentPasskey, presentSecurity } from './security/account-security.presenter';
export { AccountSecurity } from './security/account-security.service';
export type { PasskeyAssertion, PasskeyAttestation } from './factors/passkeys.service';
export { presentPastLogin } from './login-history/login-history.presenter';
export { PasswordStrength } from './passwords/password-strength';
export { PasswordsModule } from './passwords/passwords.module';
export { AdministrationModule } from './administration/administration.module';
export { presentPerson, presentPersonDetail } from './administration/people.presenter';
export { PeopleService } from './administration/people.service';
export { PersonAccess } from './administration/person-access.service';
export { presentWork } from './administration/work.presenter';
export { WorkService } from './administration/work.service';
export { GuestUploadsConfig } from './admission/admission.config';
export { AdmissionModule } from './admission/admission.module';
export { AdmissionService } from './admission/admission.service';
export { inviteUrl, presentApplication, presentInvite, presentSite } from './admission/admission.presenter';
export { LinkedProviders } from './provider-logins/linked-providers.service';
export { presentIdentity } from './provider-logins/provider-login.presenter';
export { ProviderLoginsModule } from './provider-logins/provider-logins.module';
export {
  type BegunLogin,
  ProviderLogins,
  type ProviderOutcome,
} from './provider-logins/provider-logins.service';
export { IdentitiesModule } from './identities/identities.module';
export { IdentitiesService } from './identities/identities.service';
export { LoginCredentials } from './identities/login-credentials.service';
export { IdentityProviders } from './providers/identity-providers.service';
export { IdentityProvidersConfig } from './providers/identity-providers.config';
export { IdentityProvidersModule } from './providers/identity-providers.module';
export { InvitesService } from './admission/invites.service';
export { ApplicationsService } from './registration/applications.service';
export { RegistrationModule } from './registration/registration.module';
export { RegistrationService } from './registration/registration.service';
export { AuditLogModule } from './audit/audit-log.module';
export { type AuditPage, AuditLog } from './audit/audit-log.service';
export { presentAuditEntry } from './audit/audit-log.presenter';
export type { AuditFilter, NewAuditEntry } from './audit/audit-log.types';
export { owns, type Viewer } from './access/viewer';
export { presentBannedHash } from './bans/banned-hash.presenter';
export { CachePurgesModule } from './cache-purges/cache-purges.module';
export { CachePurges } from './cache-purges/cache-purges.service';
export type { ClaimedPurge, PurgeBacklog, PurgeCause, PurgedMedia } from './cache-purges/cache-purge.types';
export { fileNamesOf, variantExtensions } from './media-links/file-names';
export { canServeOriginalInstead, isAnimation } from './media-links/variant.rules';
export { CommentListsService } from './comments/comment-lists.service';
export { presentComment, presentUserComment } from './comments/comment.presenter';
export { CommentsModule } from './comments/comments.module';
export { CommentsService } from './comments/comments.service';
export * from './errors/domain-error';
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
export type { AlternativesBacklog } from './stored-variants/alternatives.repository';
export { Alternatives, type RecordedAlternatives } from './stored-variants/alternatives.service';
export { MediaEntity } from './media-rows/media.entity';
export { MediaModule } from './media/media.module';
export { MediaProcessingService } from './media/media-processing.service';
export { originalUrl } from './media-links/media-urls';
export { mediaLocation, presentMedia } from './media/media.presenter';
export type { MediaView } from './media/media.presenter';
export { isInProgress } from './media/media.rules';
export { MediaDeletion } from './media/media-deletion.service';
export { MediaEditing } from './media/media-editing.service';
export { type MediaFileNames, MediaFiles } from './media/media-files.service';
export { MediaReading } from './media/media-reading.service';
export { MediaUploads } from './media/media-uploads.service';
export type * from './media-rows/media-row.types';
export type * from './media/media.types';
export { assertPlausibleEvidence, ImplausibleResultError } from './media-rows/processing-result.rules';
export { originalKeyOf } from './media-rows/original-key';
export { SharedFiles } from './shared-files/shared-files.service';
export type {
  CheckedMedia,
  KeptOriginal,
  MergingClaim,
  RedundantFile,
  SharingMedia,
} from './shared-files/shared-files.repository';
export {
  type RemakeStep,
  MAX_OPEN_REMAKES,
  VariantRetention,
} from './stored-variants/variant-retention.service';
export type { VariantUse } from './stored-variants/variant-retention.repository';
export { OVERRUN_UPLOADS } from './processing-turns/processing-turns.rules';
export type { MediaBacklog } from './processing-turns/processing-turns.rules';
export { ProcessingTurns } from './processing-turns/processing-turns.service';
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
  type OwnPost,
  postLocation,
  presentCreatedPost,
  presentListedPost,
  presentPost,
  presentPostUpdate,
} from './posts/post.presenter';
export type { PostOfUpload, PostPage } from './posts/post.types';
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
export { AccountErasure } from './erasure/account-erasure';
export { AccountErasureModule } from './erasure/account-erasure.module';
export type { Proof } from './users/reauthentication.service';
export { AccountNotices } from './users/account-notices.service';
export { EmailAddresses } from './users/email-addresses.service';
export { LoginsModule } from './logins/logins.module';
export type { LoginOrigin, LoginResult, SecondFactorRequired } from './logins/login-sessions.service';
export { LoginsService } from './logins/logins.service';
export { SecondFactorLogins } from './logins/second-factor-logins.service';
export { GuestsService, type UploadTicket } from './users/guests.service';
export { presentProfile } from './profiles/profile.presenter';
export { ProfilesModule } from './profiles/profiles.module';
export { type Profile, ProfilesService } from './profiles/profiles.service';
export { presentAccount } from './users/user.presenter';
export { UsersModule } from './users/users.module';
export { AccountCreation } from './users/account-creation.service';
export { AccountAdministration } from './users/account-administration.service';
export { PasswordChangesModule } from './password-changes/password-changes.module';
export { PasswordChanges } from './password-changes/password-changes.service';
export { ResetLinks } from './password-changes/reset-links.service';
export { type AccountView, type OpenedSession, UsersService } from './users/users.service';
export { ProofOfWorkModule } from './proof-of-work/proof-of-work.module';
export { presentProofChallenge } from './proof-of-work/proof-of-work.presenter';
export { ProofOfWorkService } from './proof-of-work/proof-of-work.service';
export { presentAccountQuota, presentStorageOverview, presentStorageUse } from './quotas/quota.presenter';
export type * from './quotas/quota.types';
export { QuotasModule } from './quotas/quotas.module';
export { QuotasService } from './quotas/quotas.service';
export { presentVote } from './votes/vote.presenter';
export type { Vote } from './votes/vote.repository';
export { VotesModule } from './votes/votes.module';
export { linkUrl } from './mails/link.rules';
export { MailAvailability } from './mails/mail-availability';
export { MailConfig } from './mails/mail.config';
export { MailDeliverer } from './mails/mail-deliverer';
export { MailDeliveryModule } from './mails/mail-delivery.module';
export { type MintedLink } from './mails/mails.service';
export { WaitingWorkModule } from './waiting-work/waiting-work.module';
export type { WaitingWork } from './waiting-work/waiting-work.repository';
export { WaitingWorkService } from './waiting-work/waiting-work.service';
export { WebhookEditingModule } from './webhook-editing/webhook-editing.module';
export { WebhookEditing } from './webhook-editing/webhook-editing.service';
export { WebhookDeliverer } from './webhooks/webhook-deliverer';
export { presentWebhook, presentWebhookDelivery } from './webhooks/webhook.presenter';
export { WebhooksModule } from './webhooks/webhooks.module';
export { WebhooksService } from './webhooks/webhooks.service';
