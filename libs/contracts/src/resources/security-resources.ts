import { ApiProperty } from '@nestjs/swagger';
import { LOGIN_METHODS, type LoginMethod, SECOND_FACTORS, type SecondFactor } from '../vocabulary/accounts';
import { NullableText, NullableTime } from './nullable';

/** A passkey of the caller. */
export class PasskeyResource {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ example: 'My phone' })
  name!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @NullableTime()
  last_used_at!: string | null;

  @NullableTime('When a copy of the passkey was detected, which disabled the passkey; null otherwise.', {
    example: null,
  })
  cloned_at!: string | null;
}

/** The second factors of the caller. */
export class SecurityResource {
  @ApiProperty({ description: 'Whether the account has an authenticator app.' })
  authenticator_app!: boolean;

  @ApiProperty({ description: 'Whether authenticator apps can be used on this site.' })
  authenticator_apps_available!: boolean;

  @ApiProperty({ type: [PasskeyResource], description: 'Oldest first, at most 20.' })
  passkeys!: readonly PasskeyResource[];

  @ApiProperty({ type: 'integer', description: 'Recovery codes that are not used yet.' })
  recovery_codes_left!: number;

  @ApiProperty({ description: 'Whether this site requires a second factor of the account.' })
  required!: boolean;
}

/** The response with the secret of a new authenticator app. */
export class NewAppResource {
  @ApiProperty()
  message!: string;

  @ApiProperty({
    description: 'In base32, for typing it into the app; shown only in this response.',
    example: 'JBSWY3DPEHPK3PXP',
  })
  secret!: string;

  @ApiProperty({ description: 'For a QR code; shown only in this response.', example: 'otpauth://totp/…' })
  uri!: string;
}

/** The response to turning a second factor on. */
export class AddedFactorResource {
  @ApiProperty()
  message!: string;

  @ApiProperty({
    type: [String],
    nullable: true,
    description:
      'The account’s ten recovery codes, if this is its first second factor; shown only in this response.',
  })
  recovery_codes!: readonly string[] | null;
}

/** The response to adding a passkey. */
export class AddedPasskeyResource extends AddedFactorResource {
  @ApiProperty({ type: PasskeyResource })
  passkey!: PasskeyResource;
}

/** The response with new recovery codes. */
export class RecoveryCodesResource {
  @ApiProperty()
  message!: string;

  @ApiProperty({ type: [String], description: 'Ten codes, each for one login; shown only in this response.' })
  recovery_codes!: readonly string[];
}

/** The options with which a browser makes or uses a passkey. */
export class PasskeyOptionsResource {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'For `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` (WebAuthn level 3). Valid once, for five minutes.',
    example: { challenge: 'Wq0T…', rpId: 'example.org', userVerification: 'required' },
  })
  options!: Readonly<Record<string, unknown>>;
}

/** A login of the caller. */
export class PastLoginResource {
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ enum: LOGIN_METHODS })
  method!: LoginMethod;

  @ApiProperty({
    enum: SECOND_FACTORS,
    nullable: true,
    description: 'The second factor; null if none was required.',
  })
  second_factor!: SecondFactor | null;

  @NullableText('Browser and operating system; null if unknown.', { example: 'Firefox on Linux' })
  device!: string | null;

  @ApiProperty({
    description: 'IPv4 address, or the /64 network of an IPv6 address.',
    example: '192.0.2.7',
  })
  address!: string;

  @ApiProperty({ description: 'Whether the device had logged in to the account before.' })
  known_device!: boolean;
}
