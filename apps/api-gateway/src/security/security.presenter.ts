import type {
  ApiTokenResource,
  CurrentTokenResource,
  OpenSessionResource,
  PasskeyResource,
  PastLoginResource,
  SecurityResource,
} from '@vitrine/contracts/api';
import type { Caller, Passkey, PastLogin, SecurityView, Session, TokenEntity } from '@vitrine/domain';

/** The resource of a passkey. */
export const presentPasskey = (passkey: Passkey): PasskeyResource => ({
  id: passkey.id,
  name: passkey.name,
  created_at: passkey.createdAt.toISOString(),
  last_used_at: passkey.lastUsedAt?.toISOString() ?? null,
  cloned_at: passkey.clonedAt?.toISOString() ?? null,
});

/** The resource of an account's second factors. */
export const presentSecurity = (security: SecurityView): SecurityResource => ({
  authenticator_app: security.app,
  authenticator_apps_available: security.appsAvailable,
  passkeys: security.passkeys.map(presentPasskey),
  recovery_codes_left: security.recoveryCodes,
  required: security.required,
});

/** The resource of a login, for the account's user. */
export const presentPastLogin = (login: PastLogin): PastLoginResource => ({
  created_at: login.createdAt.toISOString(),
  method: login.method,
  second_factor: login.secondFactor,
  device: login.device,
  address: login.address,
  known_device: login.knownDevice,
});

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
