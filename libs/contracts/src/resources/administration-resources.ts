import { ApiProperty } from '@nestjs/swagger';
import { StorageUseResource } from './account-resources';
import { ACCOUNT_STATES, type AccountState, ROLES, type Role } from '../vocabulary/accounts';
import { NullableText, NullableTime } from './nullable';

/** An account in a list for admins. */
export class PersonResource {
  @ApiProperty({ example: 'ada' })
  username!: string;

  @NullableText(undefined, { format: 'email' })
  email!: string | null;

  @ApiProperty({ enum: ROLES })
  role!: Role;

  @ApiProperty({ enum: ACCOUNT_STATES })
  state!: AccountState;

  @ApiProperty({ description: 'Whether the account waits for the decision on its application.' })
  applied!: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

/** An account for admins, with what it has. */
export class PersonDetailResource extends PersonResource {
  @NullableText('Why the account is restricted.', { example: null })
  state_reason!: string | null;

  @NullableTime('When the account becomes active again; null if there is no such date.', { example: null })
  state_until!: string | null;

  @ApiProperty({ type: 'integer' })
  post_count!: number;

  @ApiProperty({ type: 'integer' })
  media_count!: number;

  @ApiProperty({ type: 'integer' })
  follower_count!: number;

  @ApiProperty({ type: 'integer', description: 'Number of open sessions.' })
  session_count!: number;

  @ApiProperty({ type: 'integer', description: 'Number of API tokens.' })
  token_count!: number;

  @ApiProperty({ description: 'Whether the account has an authenticator app or a passkey.' })
  second_factor!: boolean;

  @ApiProperty({
    type: StorageUseResource,
    description: 'How much the account stores, and how much it may store.',
  })
  storage!: StorageUseResource;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: null,
    description: 'The quota of bytes that staff have set; null: the default of the site applies.',
  })
  quota_bytes!: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: null,
    description: 'As `quota_bytes`, for the number of files.',
  })
  quota_files!: number | null;

  @NullableTime('When a session or API token was last used, accurate to five minutes; null if never.')
  last_used_at!: string | null;
}

/** The response to a change of an account by an admin. */
export class PersonChangedResource {
  @ApiProperty({ example: 'Role changed.' })
  message!: string;

  @ApiProperty({ type: PersonDetailResource })
  user!: PersonDetailResource;
}

/** The response to creating a link to set a password. */
export class ResetLinkResource {
  @ApiProperty({ example: 'Reset link created.' })
  message!: string;

  @ApiProperty({
    format: 'uri',
    description: 'Link with which a new password can be set once; shown only in this response.',
    example: 'https://example.org/reset-password?code=q3VnT0',
  })
  url!: string;

  @ApiProperty({ format: 'date-time', description: '30 minutes after creation.' })
  expires_at!: string;
}
