import type { ApplicationResource, InviteResource, SiteResource } from '@vitrine/contracts/api';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import type { AdmissionRules, Application, Invite } from '@vitrine/domain';

/** The resource of the site's rules. */
export const presentSite = (
  { registration, guestUploads, invitesBy }: AdmissionRules,
  other: Pick<
    SiteResource,
    'upload_by_url' | 'proof_of_work' | 'password_login' | 'providers' | 'sends_mail'
  >,
): SiteResource => ({
  registration,
  guest_uploads: guestUploads,
  upload_by_url: other.upload_by_url,
  invites_by: invitesBy,
  proof_of_work: other.proof_of_work,
  password_login: other.password_login,
  providers: other.providers,
  sends_mail: other.sends_mail,
});

/** The resource of an invite. */
export const presentInvite = (invite: Invite): InviteResource => ({
  id: invite.id,
  state: invite.state,
  uses: invite.uses,
  used: invite.used,
  note: invite.note,
  created_by: invite.createdBy,
  created_at: invite.createdAt.toISOString(),
  expires_at: invite.expiresAt.toISOString(),
});

/** The address of the page on which an invited person registers. */
export const inviteUrl = (code: string, urls: PublicUrlsConfig): string =>
  `${urls.site}/register?invite=${code}`;

/** The resource of an application. */
export const presentApplication = (application: Application): ApplicationResource => ({
  username: application.username,
  application: application.words,
  email: application.email,
  created_at: application.createdAt.toISOString(),
});
