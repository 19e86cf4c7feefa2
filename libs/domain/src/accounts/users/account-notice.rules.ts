import type { Restriction, Role } from '@vitrine/contracts';
import { inWords } from '../states/account-standing';

/** What has happened to an account. */
export type AccountNotice =
  | { readonly what: 'new-device'; readonly device: string | null; readonly address: string }
  | { readonly what: 'app-added' | 'app-removed' | 'recovery-code-used' | 'recovery-codes-replaced' }
  | { readonly what: 'passkey-added' | 'passkey-removed' | 'passkey-cloned'; readonly name: string }
  | { readonly what: 'second-factors-removed' }
  | { readonly what: 'provider-linked' | 'provider-unlinked'; readonly title: string }
  | { readonly what: 'password-changed'; readonly keptTokens: boolean }
  | { readonly what: 'password-reset' }
  | { readonly what: 'role-changed'; readonly role: Role }
  | { readonly what: 'session-ended' | 'sessions-ended' }
  | { readonly what: 'token-created'; readonly name: string }
  | { readonly what: (typeof WEBHOOK_NOTICES)[number]; readonly host: string }
  | { readonly what: 'email-change-requested' | 'email-changed' | 'email-removed' }
  | {
      readonly what: 'restricted';
      readonly state: Restriction;
      readonly reason: string;
      readonly until: Date | null;
    }
  | { readonly what: 'restored'; readonly reason: string | null }
  | { readonly what: 'application-accepted' | 'application-declined'; readonly reason: string | null };

const WEBHOOK_NOTICES = [
  'webhook-created',
  'webhook-moved',
  'webhook-secret-changed',
  'webhook-expired',
] as const;

/** Whether programs may cause a notice often. The number of mails with such notices is limited. */
export const isFrequent = ({ what }: AccountNotice): boolean => WEBHOOK_NOTICES.some((one) => one === what);

/** A notice as sentences for the account's owner. The first one is also the subject of the mail. */
export function noticeText(notice: AccountNotice): string {
  switch (notice.what) {
    case 'password-changed':
      return `Your password was changed. All other sessions have ended${notice.keptTokens ? '' : ', all API tokens were revoked, and all webhooks were disabled'}.`;
    case 'password-reset':
      return 'Your password was set with a link. All sessions have ended, all API tokens were revoked, and all webhooks were disabled. Passkeys and linked services still log in: remove those that you don’t know in the security settings.';
    case 'role-changed':
      return `Your role is now ${notice.role}.`;
    case 'session-ended':
      return 'An admin ended one of the sessions of your account.';
    case 'sessions-ended':
      return 'An admin ended all sessions of your account.';
    case 'token-created':
      return `The API token “${notice.name}” was created.`;
    case 'webhook-created':
      return `A webhook was created: events about your media and posts are sent to ${notice.host}. ${WEBHOOK_ADVICE}`;
    case 'webhook-moved':
      return `The address of a webhook was changed: events about your media and posts are sent to ${notice.host}. ${WEBHOOK_ADVICE}`;
    case 'webhook-secret-changed':
      return `The secret of the webhook to ${notice.host} was changed. ${WEBHOOK_ADVICE}`;
    case 'webhook-expired':
      return `The webhook to ${notice.host} was disabled, because the API token that set it up has expired. To receive events again, create a token and enable the webhook with it.`;
    case 'new-device':
      return `Somebody logged in to your account from a new device: ${notice.device ?? 'an unknown program'}, address ${notice.address}. If it wasn’t you, change your password.`;
    case 'app-added':
      return 'An authenticator app was added to your account. Logging in with the password now asks for a code.';
    case 'app-removed':
      return 'The authenticator app was removed from your account.';
    case 'recovery-code-used':
      return 'A recovery code of your account was used, and no longer works. If it wasn’t you, change your password.';
    case 'recovery-codes-replaced':
      return 'The recovery codes of your account were replaced. The earlier ones no longer work.';
    case 'passkey-added':
      return `The passkey “${notice.name}” was added to your account.`;
    case 'passkey-removed':
      return `The passkey “${notice.name}” was removed from your account.`;
    case 'passkey-cloned':
      return `A copy of your passkey “${notice.name}” was used. The login was refused, and the passkey no longer works. Remove it and add another one.`;
    case 'second-factors-removed':
      return 'The operator of this site removed all second factors of your account.';
    case 'provider-linked':
      return `You can now log in with ${notice.title}.`;
    case 'provider-unlinked':
      return `You can no longer log in with ${notice.title}.`;
    case 'email-change-requested':
      return 'A new email address was entered for your account. The old one counts until the new one is confirmed. If you did not do this, change your password now.';
    case 'email-changed':
      return 'The email address of your account was changed. The old address gets no more mails. If you did not do this, contact the operator of the site.';
    case 'email-removed':
      return 'The email address of your account was removed. If you did not do this, contact the operator of the site.';
    case 'restricted': {
      const end = notice.until === null ? '' : ` until ${inWords(notice.until)}`;
      return `Your account was ${notice.state}${end}.\nReason: ${notice.reason}`;
    }
    case 'restored':
      return `Your account is active again.${reasonLine(notice.reason)}`;
    case 'application-accepted':
      return `Your application was accepted. You can log in now.${reasonLine(notice.reason)}`;
    case 'application-declined':
      return `Your application was declined. The account was removed.${reasonLine(notice.reason)}`;
  }
}

const WEBHOOK_ADVICE =
  'If you did not do this, delete the webhook, change your password and revoke your API tokens.';

const reasonLine = (reason: string | null): string =>
  reason === null || reason.trim() === '' ? '' : `\nReason: ${reason}`;
