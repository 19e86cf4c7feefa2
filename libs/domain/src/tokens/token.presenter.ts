import type { ApiTokenResource } from '@vitrine/contracts';
import type { TokenEntity } from './token.entity';

/** An API token without its secret. */
export const presentApiToken = (token: TokenEntity): ApiTokenResource => ({
  id: token.id,
  name: token.name,
  scopes: token.scopes,
  created_at: token.createdAt.toISOString(),
  last_used_at: token.lastUsedAt?.toISOString() ?? null,
  expires_at: token.expiresAt?.toISOString() ?? null,
});
