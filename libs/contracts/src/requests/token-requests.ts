import { SCOPES, type Scope } from '../accounts';
import { Choices, Instant, Text } from './fields';

/** What an API token is to be; the operator's command takes it without a password. */
export class TokenRequest {
  @Text({ required: true, max: 100, description: 'What the token is for.' })
  name!: string;

  @Choices(SCOPES, {
    description:
      '`read`, `upload` and `write` where absent. Only moderators and admins can give `moderate`, which the staff routes need.',
  })
  scopes?: Scope[];

  @Instant({
    nullable: true,
    description: 'In the future. A year from now where absent; `null` makes a token that never ends.',
  })
  expires_at?: string | null;
}

/** POST /tokens */
export class CreateTokenRequest extends TokenRequest {
  @Text({ required: true, max: 200, directional: true, description: 'The password of the account.' })
  current_password!: string;
}
