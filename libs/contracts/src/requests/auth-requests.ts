import { USERNAME_PATTERN } from '../vocabulary/accounts';
import { Email, Text } from './fields';

/** The name of a new account. */
export class NewUsernameRequest {
  @Text({
    required: true,
    min: 3,
    max: 30,
    shape: { pattern: USERNAME_PATTERN, must: 'only contain letters, numbers and underscores' },
    description: 'Must be unique, ignoring case. Some names are reserved.',
  })
  username!: string;
}

/** What a new account with a password needs. */
export class NewAccountRequest extends NewUsernameRequest {
  @Text({ required: true, min: 10, max: 200, directional: true })
  password!: string;

  @Email({
    nullable: true,
    description:
      'The address is not verified, so it does not have to be unique and cannot be used to log in.',
  })
  email?: string | null;
}

/** POST /auth/register */
export class RegisterRequest extends NewAccountRequest {
  @Text({
    nullable: true,
    max: 100,
    description:
      'The code of an invite. Required if `registration` of `GET /site` is `invite` or `approval`.',
  })
  invite?: string | null;
}

/** POST /auth/apply */
export class ApplyRequest extends NewAccountRequest {
  @Text({
    required: true,
    max: 1000,
    multiline: true,
    description: 'What the applicant writes to the staff.',
  })
  application!: string;
}

/** POST /auth/login */
export class LoginRequest {
  @Text({
    required: true,
    max: 254,
    description: 'The username, ignoring case. An email address cannot be used to log in.',
  })
  login!: string;

  @Text({ required: true, max: 200, directional: true })
  password!: string;
}
