import type { Restriction } from '@vitrine/contracts';
import { inWords } from '../account-states/account-standing';

/** What has happened to an account. */
export type AccountNotice =
  | { readonly what: 'password-changed' | 'password-reset' }
  | { readonly what: 'token-created'; readonly name: string }
  | { readonly what: 'email-change-requested' | 'email-changed' | 'email-removed' }
  | {
      readonly what: 'restricted';
      readonly state: Restriction;
      readonly reason: string;
      readonly until: Date | null;
    }
  | { readonly what: 'restored'; readonly reason: string | null }
  | { readonly what: 'application-accepted' | 'application-declined'; readonly reason: string | null };

/** A notice as sentences for the account's owner. The first one is also the subject of the mail. */
export function noticeText(notice: AccountNotice): string {
  switch (notice.what) {
    case 'password-changed':
      return 'Your password was changed. All other sessions have ended.';
    case 'password-reset':
      return 'Your password was set with a link. All sessions have ended, and all API tokens were revoked.';
    case 'token-created':
      return `The API token “${notice.name}” was created.`;
    case 'email-change-requested':
      return 'A new e-mail address was entered for your account. The old one counts until the new one is confirmed. If you did not do this, change your password now.';
    case 'email-changed':
      return 'The e-mail address of your account was changed. The old address gets no more mails. If you did not do this, contact the operator of the site.';
    case 'email-removed':
      return 'The e-mail address of your account was removed. If you did not do this, contact the operator of the site.';
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

const reasonLine = (reason: string | null): string =>
  reason === null || reason.trim() === '' ? '' : `\nReason: ${reason}`;
