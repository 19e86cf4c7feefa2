import { SCOPES, type Scope } from '../accounts';
import { Choices, Instant, Text } from './fields';

/** The fields of a new API token; the operator's command takes them without a password. */
export class TokenRequest {
  @Text({ required: true, max: 100, description: 'What the token is for.' })
  name!: string;

  @Choices(SCOPES, {
    description:
      'Default: `read`, `upload` and `write`. Only moderators and admins can give `moderate`, which the staff routes need.',
  })
  scopes?: Scope[];

  @Instant({
    nullable: true,
    description: 'Must be in the future. Default: a year from now; `null` makes a token that never ends.',
  })
  expires_at?: string | null;
}

/** POST /tokens */
export class CreateTokenRequest extends TokenRequest {
  @Text({ required: true, max: 200, directional: true, description: 'The password of the account.' })
  current_password!: string;
}
