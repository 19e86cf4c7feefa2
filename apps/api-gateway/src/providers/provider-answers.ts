import type { ProviderLoginResource, ProviderLoginStartResource } from '@vitrine/contracts/api';
import type { BegunLogin, ProviderOutcome } from '@vitrine/domain';
import { presentAccount } from '../auth/user.presenter';
import type { PublicUrlsConfig } from '@vitrine/runtime';

/** The resource of a login that has begun. */
export const presentStart = ({ url, transaction, expiresAt }: BegunLogin): ProviderLoginStartResource => ({
  url,
  transaction,
  expires_at: expiresAt.toISOString(),
});

/** The resource of a login that has ended. */
export function presentOutcome(login: ProviderOutcome, urls: PublicUrlsConfig): ProviderLoginResource {
  const nothing = {
    user: null,
    session: null,
    device: null,
    pending_login: null,
    accepted: [],
    registration: null,
    suggested_username: null,
    expires_at: null,
  };
  const { outcome: result } = login;
  switch (login.outcome) {
    case 'session': {
      const { account, secret, expiresAt, deviceToken } = login.session;
      return {
        ...nothing,
        message: 'Logged in.',
        result,
        user: presentAccount(account, urls),
        session: secret,
        device: deviceToken,
        expires_at: expiresAt.toISOString(),
      };
    }
    case 'second-factor': {
      const { secret, accepted, expiresAt } = login.pending;
      return {
        ...nothing,
        message: 'The second factor of this account is required.',
        result,
        pending_login: secret,
        accepted,
        expires_at: expiresAt.toISOString(),
      };
    }
    case 'newcomer':
      return {
        ...nothing,
        message: 'No account has this identity yet.',
        result,
        registration: login.registration,
        suggested_username: login.suggestedUsername,
        expires_at: login.expiresAt.toISOString(),
      };
    case 'linked':
      return { ...nothing, message: 'The provider is linked to your account.', result };
  }
}
