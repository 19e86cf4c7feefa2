import type { PasskeyResource, SecurityResource } from '@vitrine/contracts/api';
import type { Passkey, SecurityView } from '@vitrine/domain';

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
