import type { ApiTokenResource, CurrentTokenResource, OpenSessionResource } from '@vitrine/contracts/api';
import type { Caller, Session, TokenEntity } from '@vitrine/domain';

/** The resource of an API token, without its secret. */
export const presentApiToken = (token: TokenEntity): ApiTokenResource => ({
  id: token.id,
  name: token.name,
  scopes: token.scopes,
  created_at: token.createdAt.toISOString(),
  last_used_at: token.lastUsedAt?.toISOString() ?? null,
  expires_at: token.expiresAt?.toISOString() ?? null,
});

/** The resource of the session or API token that sends the request. */
export const presentCurrentToken = (token: TokenEntity): CurrentTokenResource => ({
  ...presentApiToken(token),
  kind: token.kind === 'api' ? 'api' : 'session',
});

/** The resource of an open session, for its user. */
export const presentSession = (session: Session, caller: Caller): OpenSessionResource => ({
  id: session.id,
  device: session.device,
  created_at: session.createdAt.toISOString(),
  last_used_at: session.lastUsedAt.toISOString(),
  expires_at: session.expiresAt.toISOString(),
  current: session.id === caller.tokenId,
});
