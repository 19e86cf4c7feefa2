import { SLUG_LENGTH } from '../vocabulary/identifiers';
import { ProofRequest } from './security-requests';
import { Email, Flag, Text, OptionalText } from './fields';
import { MAX_LENGTHS } from '../vocabulary/limits';

/** How callers prove again who they are. */
const PASSWORD_OR_LOGIN =
  'Required if the account has a password, unless `code` is sent. Otherwise you must have logged in within the last 10 minutes.';

/** PATCH /me: omitted fields stay unchanged; null clears a field. */
export class UpdateMeRequest {
  @OptionalText({ max: MAX_LENGTHS.bio, multiline: true, directional: false })
  bio?: string | null;

  @Email({
    nullable: true,
    description:
      'Changing it requires `current_password`. A link to verify it is sent to the new address. The verified address stays in effect until the new one is verified, and gets a notice of the change; `null` removes both.',
  })
  email?: string | null;

  @Text({
    max: MAX_LENGTHS.password,
    directional: true,
    description:
      'Required if `email` changes, unless `code` is sent. An account without a password must have logged in within the last 10 minutes instead.',
  })
  current_password?: string;

  @Text({
    max: MAX_LENGTHS.code,
    description: 'A code of the authenticator app or a recovery code, instead of the password.',
  })
  code?: string;

  @Text({ nullable: true, max: SLUG_LENGTH, description: 'Slug of one of your own images.' })
  avatar?: string | null;
}

/** POST /me/guest-uploads */
export class AdoptGuestRequest {
  @Text({ required: true, max: 200, description: 'The token of the guest, `vtg_…`.' })
  guest_token!: string;
}

/** POST /me/password */
export class ChangePasswordRequest extends ProofRequest {
  @Text({
    required: true,
    min: 10,
    max: MAX_LENGTHS.password,
    directional: true,
    description: 'Common and guessable passwords are refused.',
  })
  password!: string;

  @Flag({
    description:
      'If true, the API tokens stay valid and the webhooks stay enabled. Otherwise all API tokens are revoked and all webhooks are disabled.',
  })
  keep_tokens?: boolean;
}

/** DELETE /me */
export class DeleteMeRequest {
  @Text({ max: MAX_LENGTHS.password, directional: true, description: PASSWORD_OR_LOGIN })
  password?: string;

  @Text({
    max: MAX_LENGTHS.code,
    description: 'A code of the authenticator app or a recovery code, instead of the password.',
  })
  code?: string;
}
