import type { IdentityResource } from '@vitrine/contracts/api';
import type { LinkedProvider } from '@vitrine/domain';

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
