import { SLUG_LENGTH } from '../vocabulary/identifiers';
import { Email, Flag, Text } from './fields';

/** PATCH /me: omitted fields stay unchanged; null clears a field. */
export class UpdateMeRequest {
  @Text({ nullable: true, max: 500, multiline: true, directional: false })
  bio?: string | null;

  @Email({ nullable: true, description:
      'Changing it requires `current_password`. A link to verify it is sent to the new address. A verified address counts until the new one is verified, and is told of the change; `null` removes both.' })
  email?: string | null;

  @Text({ max: 200, directional: true, description: 'Required if `email` changes.' })
  current_password?: string;

  @Text({ nullable: true, max: SLUG_LENGTH, description: 'Slug of one of your own images.' })
  avatar?: string | null;
}

/** POST /me/password */
export class ChangePasswordRequest {
  @Text({ required: true, max: 200, directional: true })
  current_password!: string;

  @Text({ required: true, min: 10, max: 200, directional: true })
  password!: string;

  @Flag({ description: 'If true, the API tokens stay valid; otherwise all of them are revoked.' })
  keep_tokens?: boolean;
}

/** DELETE /me */
export class DeleteMeRequest {
  @Text({ required: true, max: 200, directional: true })
  password!: string;
}
