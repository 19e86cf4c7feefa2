import { Email, Text } from './fields';

/** PATCH /me: absent keeps, null clears. */
export class UpdateMeRequest {
  @Text({ nullable: true, max: 500, multiline: true })
  bio?: string | null;

  @Email({ nullable: true, description: 'Unique ignoring case.' })
  email?: string | null;

  @Text({ nullable: true, max: 7, description: 'Slug of a picture of one’s own.' })
  avatar?: string | null;
}

/** POST /me/password */
export class ChangePasswordRequest {
  @Text({ required: true, max: 200 })
  current_password!: string;

  @Text({ required: true, min: 10, max: 200 })
  password!: string;
}

/** DELETE /me */
export class DeleteMeRequest {
  @Text({ required: true, max: 200 })
  password!: string;
}
