import { Bytes, Choices, Text } from './fields';
import { MAX_LENGTHS } from '../vocabulary/limits';

/** Authenticators reach their users in these ways (WebAuthn level 3, 5.8.4). */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** Proves again who the caller is: with the password, or with a code of a second factor. */
export class ProofRequest {
  @Text({
    max: MAX_LENGTHS.password,
    directional: true,
    description:
      'Your password. Required unless `code` is sent. If your account has no password, you must have logged in within the last 10 minutes instead.',
  })
  current_password?: string;

  @Text({
    max: MAX_LENGTHS.code,
    description: 'A code of the authenticator app or a recovery code, instead of the password.',
  })
  code?: string;
}

/** What a browser sends to prove that it has a passkey. */
export class PasskeyAssertionRequest {
  @Bytes({ required: true, max: 1400, description: 'The `id` of the credential.' })
  passkey_id!: string;

  @Bytes({ required: true, max: 4000, description: '`response.clientDataJSON`' })
  passkey_client_data!: string;

  @Bytes({ required: true, max: 2000, description: '`response.authenticatorData`' })
  passkey_authenticator_data!: string;

  @Bytes({ required: true, max: 6000, description: '`response.signature`' })
  passkey_signature!: string;
}

/** POST /auth/passkey */
export class PasskeyLoginRequest extends PasskeyAssertionRequest {
  @Text({
    max: 100,
    description: 'The value of `device` in the response to an earlier login of this browser.',
  })
  device?: string;
}

/** POST /auth/second-factor/passkey-options */
export class PendingLoginRequest {
  @Text({ required: true, max: 100, description: 'The `pending_login` of the response to the login.' })
  pending_login!: string;
}

/** POST /auth/second-factor */
export class CompleteLoginRequest extends PendingLoginRequest {
  @Text({
    max: MAX_LENGTHS.code,
    description: 'A code of the authenticator app or a recovery code. Required unless a passkey is sent.',
  })
  code?: string;

  @Bytes({ max: 1400, description: 'The `id` of the credential, if a passkey completes the login.' })
  passkey_id?: string;

  @Bytes({ max: 4000, description: '`response.clientDataJSON`' })
  passkey_client_data?: string;

  @Bytes({ max: 2000, description: '`response.authenticatorData`' })
  passkey_authenticator_data?: string;

  @Bytes({ max: 6000, description: '`response.signature`' })
  passkey_signature?: string;

  @Text({
    max: 100,
    description: 'The value of `device` in the response to an earlier login of this browser.',
  })
  device?: string;
}

/** POST /me/authenticator-app/confirmation */
export class ConfirmAppRequest {
  @Text({ required: true, max: 20, description: 'The code that the app shows: six digits.' })
  code!: string;
}

/** POST /me/passkeys */
export class AddPasskeyRequest {
  @Text({
    required: true,
    max: MAX_LENGTHS.name,
    description: 'A name by which the owner recognises the passkey.',
  })
  name!: string;

  @Bytes({ required: true, max: 1400, description: 'The `id` of the credential.' })
  passkey_id!: string;

  @Bytes({ required: true, max: 4000, description: '`response.clientDataJSON`' })
  passkey_client_data!: string;

  @Bytes({ required: true, max: 20_000, description: '`response.attestationObject`' })
  passkey_attestation!: string;

  @Choices(TRANSPORTS, { description: '`response.getTransports()`' })
  passkey_transports?: string[];
}

/** PATCH /me/passkeys/{id} */
export class RenamePasskeyRequest {
  @Text({
    required: true,
    max: MAX_LENGTHS.name,
    description: 'A name by which the owner recognises the passkey.',
  })
  name!: string;
}
