/** What has happened to an account. */
export type AccountNotice =
  | { readonly what: 'password-changed' }
  | { readonly what: 'token-created'; readonly name: string }
  | { readonly what: 'new-device'; readonly device: string | null; readonly address: string }
  | { readonly what: 'app-added' | 'app-removed' | 'recovery-code-used' | 'recovery-codes-replaced' }
  | { readonly what: 'passkey-added' | 'passkey-removed' | 'passkey-cloned'; readonly name: string }
  | { readonly what: 'second-factors-removed' }
  | { readonly what: 'provider-linked' | 'provider-unlinked'; readonly title: string };

/** A notice as one or two sentences for the account's owner. */
export function noticeText(notice: AccountNotice): string {
  switch (notice.what) {
    case 'password-changed':
      return 'Your password was changed. All other sessions have ended.';
    case 'token-created':
      return `The API token “${notice.name}” was created.`;
    case 'new-device':
      return `Somebody logged in to your account from a new device: ${notice.device ?? 'an unknown program'}, address ${notice.address}. If it wasn’t you, change your password.`;
    case 'app-added':
      return 'An authenticator app was added to your account. Logging in with the password now asks for a code.';
    case 'app-removed':
      return 'The authenticator app was removed from your account.';
    case 'recovery-code-used':
      return 'Somebody logged in to your account with a recovery code, which no longer works. If it wasn’t you, change your password.';
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
  }
}
