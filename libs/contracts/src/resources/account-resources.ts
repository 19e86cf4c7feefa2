import { ApiProperty } from '@nestjs/swagger';
import {
  ACCOUNT_STATES,
  type AccountState,
  ROLES,
  type Role,
  SCOPES,
  type Scope,
  SECOND_FACTORS,
  type SecondFactor,
} from '../vocabulary/accounts';
import { NullableText, NullableTime } from './nullable';

/** What an account stores, and how much it may. */
export class StorageUseResource {
  @ApiProperty({
    type: 'integer',
    description: 'Bytes of the original files, as stored, without their variants.',
  })
  bytes!: number;

  @ApiProperty({ type: 'integer', nullable: true, example: null, description: 'Null: no limit.' })
  bytes_limit!: number | null;

  @ApiProperty({ type: 'integer', description: 'Number of files.' })
  files!: number;

  @ApiProperty({ type: 'integer', nullable: true, example: null, description: 'Null: no limit.' })
  files_limit!: number | null;
}

/** The caller's own account. */
export class AccountResource {
  @ApiProperty({ example: 'ada' })
  username!: string;

  @NullableText('URL of the avatar picture.', { format: 'uri' })
  avatar!: string | null;

  @NullableText()
  bio!: string | null;

  @NullableText('The address as the user entered it.', { format: 'email' })
  email!: string | null;

  @ApiProperty({
    description:
      'Whether `email` is verified, by the link that was sent to it. Until then, the address has no effect.',
  })
  email_verified!: boolean;

  @NullableText(
    'The address that receives mails and can be used to log in. While a new `email` is not verified, this is the previous address.',
    { format: 'email' },
  )
  verified_email!: string | null;

  @ApiProperty({ enum: ROLES })
  role!: Role;

  @ApiProperty({
    enum: ACCOUNT_STATES,
    description:
      'While the account is `limited`, its posts and media are in no list, and it can’t comment on other people’s posts.',
  })
  state!: AccountState;

  @NullableText('Why the account is limited, in the moderator’s words.', { example: null })
  state_reason!: string | null;

  @NullableTime('When the account becomes active again; null if there is no such date.', { example: null })
  state_until!: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: 'integer' })
  post_count!: number;

  @ApiProperty({ type: 'integer' })
  media_count!: number;

  @ApiProperty({ type: 'integer' })
  follower_count!: number;

  @ApiProperty({ type: 'integer' })
  following_count!: number;

  @ApiProperty({
    type: StorageUseResource,
    description: 'An upload that does not fit into it gets 507.',
  })
  storage!: StorageUseResource;

  @ApiProperty({
    description:
      'Whether the account has a password. Without one, sensitive changes require a login within the last 10 minutes.',
  })
  has_password!: boolean;
}

/** The response to a change of the caller's own account. */
export class AccountUpdatedResource {
  @ApiProperty()
  message!: string;

  @ApiProperty({ type: AccountResource })
  data!: AccountResource;
}

/** The response to registering and logging in. */
export class SessionResource {
  @ApiProperty()
  message!: string;

  @ApiProperty({ type: AccountResource })
  user!: AccountResource;

  @ApiProperty({ description: 'Bearer token of the session; shown only in this response.', example: 'vts_…' })
  session!: string;

  @ApiProperty({
    format: 'date-time',
    description: 'Each use of the session extends it, until a year after the login.',
  })
  expires_at!: string;

  @ApiProperty({
    description:
      'Send it as `device` with later logins: failed logins of a device that has logged in before are counted separately, and its logins cause no notification.',
    example: '7bT0…',
  })
  device!: string;
}

/** The response to a login whose first factor was right, if the account has a second one. */
export class SecondFactorRequiredResource {
  @ApiProperty()
  message!: string;

  @ApiProperty({
    description: 'Completes this login, once, together with the second factor; shown only in this response.',
    example: '0cR3vUd9mL…',
  })
  pending_login!: string;

  @ApiProperty({
    enum: SECOND_FACTORS,
    isArray: true,
    description: 'What completes the login: a code of the authenticator app, a recovery code, or a passkey.',
  })
  accepted!: readonly SecondFactor[];

  @ApiProperty({ format: 'date-time', description: 'Five minutes after the response.' })
  expires_at!: string;
}

/** A session that is open, without its secret. */
export class OpenSessionResource {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @NullableText('Browser and operating system that opened the session; null if unknown.', {
    example: 'Firefox on Linux',
  })
  device!: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time', description: 'Accurate to five minutes.' })
  last_used_at!: string;

  @ApiProperty({ format: 'date-time', description: 'Each use of the session extends it.' })
  expires_at!: string;

  @ApiProperty({ description: 'Whether this is the session of the request.' })
  current!: boolean;
}

/** An API token, without its secret. */
export class ApiTokenResource {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty()
  name!: string;

  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes!: readonly Scope[];

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @NullableTime('Accurate to five minutes.')
  last_used_at!: string | null;

  @NullableTime()
  expires_at!: string | null;
}

/** The token of a request, without its secret. */
export class CurrentTokenResource extends ApiTokenResource {
  @ApiProperty({ enum: ['api', 'session'] })
  kind!: 'api' | 'session';
}

/** The response with the caller's own account. */
export class MeResource {
  @ApiProperty({ type: AccountResource })
  data!: AccountResource;

  @ApiProperty({
    type: CurrentTokenResource,
    description: 'The token of this request, with its scopes and when it expires.',
  })
  token!: CurrentTokenResource;

  @ApiProperty({
    description:
      'Whether this account must have a second factor and has none. If the site requires second factors only of moderators and admins, routes for staff then give 403. If it requires them of everyone, almost all routes give 403, except for `/me/security`, `/me/authenticator-app`, `/me/passkeys`, `/sessions` and `POST /auth/logout`.',
  })
  second_factor_missing!: boolean;

  @ApiProperty({ type: 'integer', description: 'Number of unread notifications.' })
  unread_notifications!: number;
}

/** The response to creating a token. */
export class NewTokenResource {
  @ApiProperty()
  message!: string;

  @ApiProperty({ description: 'The secret; shown only in this response.', example: 'vtr_…' })
  token!: string;

  @ApiProperty({ type: ApiTokenResource })
  api_token!: ApiTokenResource;
}

/** The response to creating a ticket. */
export class UploadTicketResource {
  @ApiProperty()
  message!: string;

  @ApiProperty({
    description: 'Bearer token that only allows uploads; shown only in this response.',
    example: 'vtu_…',
  })
  ticket!: string;

  @ApiProperty({ format: 'date-time', description: 'One hour after creation; use does not extend it.' })
  expires_at!: string;

  @ApiProperty({
    required: false,
    description:
      'Bearer token of the guest that was created for this ticket. Present only if the request carried no token; shown only in this response.',
    example: 'vtg_…',
  })
  guest_token?: string;

  @ApiProperty({
    type: StorageUseResource,
    description: 'How much the account or the guest stores, and how much it may store.',
  })
  storage!: StorageUseResource;
}

/** The quota of an account, for staff. */
export class AccountQuotaResource {
  @ApiProperty({ example: 'ada' })
  username!: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The quota that staff have set for this account; null: the default of the site applies.',
  })
  bytes!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'As `bytes`, for the number of files.' })
  files!: number | null;

  @ApiProperty({ type: StorageUseResource, description: 'The quota that applies at this moment.' })
  storage!: StorageUseResource;
}

/** The answer to changing the quota of an account. */
export class AccountQuotaChangedResource {
  @ApiProperty({ example: 'Quota changed.' })
  message!: string;

  @ApiProperty({ type: AccountQuotaResource })
  quota!: AccountQuotaResource;
}

/** A response with nothing but a message. */
export class AdoptedResource {
  @ApiProperty({ example: 'Uploads moved.' })
  message!: string;

  @ApiProperty({ type: 'integer', description: 'The number of media that moved.' })
  media!: number;

  @ApiProperty({ type: 'integer', description: 'The number of posts that moved.' })
  posts!: number;
}

export class MessageResource {
  @ApiProperty()
  message!: string;
}
