import { USERNAME_PATTERN } from '../vocabulary/accounts';
import { Email, Text } from './fields';

/** What a new account needs. */
export class NewAccountRequest {
  @Text({
    required: true,
    min: 3,
    max: 30,
    shape: { pattern: USERNAME_PATTERN, must: 'only contain letters, numbers and underscores' },
    description: 'Must be unique, ignoring case. Some names are reserved.',
  })
  username!: string;

  @Text({ required: true, min: 10, max: 200, directional: true })
  password!: string;

  @Email({
    nullable: true,
    description:
      'A link to verify it is sent to this address. Until it is used, the address need not be unique and cannot be used to log in.',
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
    description: 'The username, or the verified email address of the account, ignoring case.',
  })
  login!: string;

  @Text({ required: true, max: 200, directional: true })
  password!: string;
}

/** POST /auth/password-reset */
export class PasswordResetRequest {
  @Text({
    required: true,
    max: 254,
    description: 'The username, or the verified email address of the account, ignoring case.',
  })
  login!: string;
}

/** POST /auth/password-reset/complete */
export class CompletePasswordResetRequest {
  @Text({ required: true, max: 100, description: 'The code in the link.' })
  code!: string;

  @Text({ required: true, min: 10, max: 200, directional: true })
  password!: string;
}

/** POST /auth/verify-email */
export class VerifyEmailRequest {
  @Text({ required: true, max: 100, description: 'The code in the link.' })
  code!: string;
}
