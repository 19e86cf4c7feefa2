import type {
  IdentityResource,
  ProviderLoginResource,
  ProviderLoginStartResource,
} from '@vitrine/contracts/api';
import type { BegunLogin, LinkedProvider, ProviderOutcome } from '@vitrine/domain';
import { presentPending, presentSession } from '../auth/login-answer';
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
    case 'session':
      return { ...nothing, ...presentSession('Logged in.', login.session, urls), result };
    case 'second-factor':
      return { ...nothing, ...presentPending(login.pending), result };
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

/** The resource of an identity of the caller. */
export const presentIdentity = ({
  id,
  provider,
  issuer,
  createdAt,
  lastUsedAt,
}: LinkedProvider): IdentityResource => ({
  id,
  provider: provider?.name ?? null,
  title: provider?.title ?? new URL(issuer).host,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
});
