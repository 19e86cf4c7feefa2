import { fieldText } from './form-fields';
import type { Visit } from './visit';

/** What the script has written into a form about a passkey. */
export interface PasskeyFields {
  readonly passkey_id: string;
  readonly passkey_client_data: string;
  readonly passkey_authenticator_data: string;
  readonly passkey_signature: string;
}

/** The passkey in a form; null without one. */
export function passkeyFields(visit: Visit): PasskeyFields | null {
  const fields = {
    passkey_id: fieldText(visit, 'passkey_id'),
    passkey_client_data: fieldText(visit, 'passkey_client_data'),
    passkey_authenticator_data: fieldText(visit, 'passkey_authenticator_data'),
    passkey_signature: fieldText(visit, 'passkey_signature'),
  };
  return Object.values(fields).includes('') ? null : fields;
}
