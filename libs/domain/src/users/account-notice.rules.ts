/** What has happened to an account. */
export type AccountNotice =
  | { readonly what: 'password-changed' }
  | { readonly what: 'token-created'; readonly name: string }
  | { readonly what: 'provider-linked' | 'provider-unlinked'; readonly title: string };

/** A notice as one or two sentences for the account's owner. */
export function noticeText(notice: AccountNotice): string {
  switch (notice.what) {
    case 'password-changed':
      return 'Your password was changed. All other sessions have ended.';
    case 'token-created':
      return `The API token “${notice.name}” was created.`;
    case 'provider-linked':
      return `You can now log in with ${notice.title}.`;
    case 'provider-unlinked':
      return `You can no longer log in with ${notice.title}.`;
  }
}
