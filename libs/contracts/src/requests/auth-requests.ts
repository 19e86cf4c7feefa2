import { PROOF_PURPOSES, type ProofPurpose, USERNAME_PATTERN } from '../vocabulary/accounts';
import { Choice, Email, Text } from './fields';
import { MAX_LENGTHS } from '../vocabulary/limits';

/** Base64 of a challenge and its solution is half as long. */
const MAX_PROOF = 2000;

/** A proof of work; see docs/guides/accounts.md. */
export const Proof = (purpose: ProofPurpose): PropertyDecorator =>
  Text({
    nullable: true,
    max: MAX_PROOF,
    description: `The solution of a challenge of \`GET /auth/proof-of-work?purpose=${purpose}\`. Required if \`proof_of_work\` of \`GET /site\` is true, else ignored.`,
  });

/** GET /auth/proof-of-work */
export class ProofOfWorkQuery {
  @Choice(PROOF_PURPOSES, { required: true, description: 'The request that the proof is for.' })
  purpose!: ProofPurpose;
}

/** POST /upload-tickets */
export class UploadTicketRequest {
  @Proof('guest')
  proof_of_work?: string | null;
}

/** The name of a new account. */
export class NewUsernameRequest {
  @Text({
    required: true,
    min: 3,
    max: MAX_LENGTHS.username,
    shape: { pattern: USERNAME_PATTERN, must: 'only contain letters, numbers and underscores' },
    description: 'Must be unique, ignoring case. Some names are reserved.',
  })
  username!: string;
}

/** What a new account with a password needs. */
export class NewAccountRequest extends NewUsernameRequest {
  @Text({
    required: true,
    min: 10,
    max: MAX_LENGTHS.password,
    directional: true,
    description: 'Common and guessable passwords are refused.',
  })
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
    max: MAX_LENGTHS.code,
    description:
      'The code of an invite. Required if `registration` of `GET /site` is `invite` or `approval`.',
  })
  invite?: string | null;

  @Proof('register')
  proof_of_work?: string | null;

  @Text({
    max: 100,
    description: 'The value of `device` in the response to an earlier login of this browser.',
  })
  device?: string;
}

/** POST /auth/apply */
export class ApplyRequest extends NewAccountRequest {
  @Text({
    required: true,
    max: MAX_LENGTHS.application,
    multiline: true,
    description: 'The text for the staff who decide on the application.',
  })
  application!: string;

  @Proof('apply')
  proof_of_work?: string | null;
}

/** POST /auth/login */
export class LoginRequest {
  @Text({
    required: true,
    max: MAX_LENGTHS.email,
    description: 'The username, or the verified email address of the account, ignoring case.',
  })
  login!: string;

  @Text({ required: true, max: MAX_LENGTHS.password, directional: true })
  password!: string;

  @Text({
    max: 100,
    description: 'The value of `device` in the response to an earlier login of this browser.',
  })
  device?: string;
}

/** POST /auth/password-reset */
export class PasswordResetRequest {
  @Text({
    required: true,
    max: MAX_LENGTHS.email,
    description: 'The username, or the verified email address of the account, ignoring case.',
  })
  login!: string;
}

/** POST /auth/password-reset/complete */
export class CompletePasswordResetRequest {
  @Text({ required: true, max: MAX_LENGTHS.code, description: 'The code in the link.' })
  code!: string;

  @Text({ required: true, min: 10, max: MAX_LENGTHS.password, directional: true })
  password!: string;
}

/** POST /auth/verify-email */
export class VerifyEmailRequest {
  @Text({ required: true, max: MAX_LENGTHS.code, description: 'The code in the link.' })
  code!: string;
}
