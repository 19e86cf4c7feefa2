import { SCOPES, type Scope } from '../vocabulary/accounts';
import { Choices, Instant, Text } from './fields';
import { MAX_LENGTHS } from '../vocabulary/limits';

/** The fields of a new API token; the operator's command takes them without a password. */
export class TokenRequest {
  @Text({ required: true, max: MAX_LENGTHS.name, description: 'Describes what the token is used for.' })
  name!: string;

  @Choices(SCOPES, {
    description:
      'Default: `read`, `upload` and `write`. Only moderators and admins can add `moderate`, which the moderation routes require.',
  })
  scopes?: Scope[];

  @Instant({
    nullable: true,
    description:
      'Must be in the future. Default: one year from now. `null` creates a token that never expires.',
  })
  expires_at?: string | null;
}

/** POST /tokens */
export class CreateTokenRequest extends TokenRequest {
  @Text({
    max: MAX_LENGTHS.password,
    directional: true,
    description:
      'Required if the account has a password, unless `code` is sent. Otherwise you must have logged in within the last 10 minutes.',
  })
  current_password?: string;

  @Text({
    max: MAX_LENGTHS.code,
    description: 'A code of the authenticator app or a recovery code, instead of the password.',
  })
  code?: string;
}
