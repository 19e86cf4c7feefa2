import { ApiProperty } from '@nestjs/swagger';
import { ROLES, type Role, SCOPES, type Scope } from '../accounts';

/** One's own account. */
export class AccountResource {
  @ApiProperty({ example: 'ada' })
  username!: string;

  @ApiProperty({ type: String, nullable: true, format: 'uri', description: 'URL of the picture.' })
  avatar!: string | null;

  @ApiProperty({ type: String, nullable: true })
  bio!: string | null;

  @ApiProperty({ type: String, nullable: true, format: 'email' })
  email!: string | null;

  @ApiProperty({ enum: ROLES })
  role!: Role;

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
}

/** The answer to changing one's own account. */
export class AccountUpdatedResource {
  @ApiProperty()
  message!: string;

  @ApiProperty({ type: AccountResource })
  data!: AccountResource;
}

/** The answer to registering and logging in. */
export class SessionResource {
  @ApiProperty()
  message!: string;

  @ApiProperty({ type: AccountResource })
  user!: AccountResource;

  @ApiProperty({ description: 'Bearer token of the session; shown this once.', example: 'vts_…' })
  session!: string;

  @ApiProperty({ format: 'date-time', description: 'Moves on with use.' })
  expires_at!: string;
}

/** A session that is open, without its secret. */
export class OpenSessionResource {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Browser and system with which it was opened; null where they aren’t known.',
    example: 'Firefox on Linux',
  })
  device!: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time', description: 'To within five minutes.' })
  last_used_at!: string;

  @ApiProperty({ format: 'date-time', description: 'Moves on with use.' })
  expires_at!: string;

  @ApiProperty({ description: 'The session that asks.' })
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

  @ApiProperty({ type: String, nullable: true, format: 'date-time', description: 'To within five minutes.' })
  last_used_at!: string | null;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  expires_at!: string | null;
}

/** The answer to making a token. */
export class NewTokenResource {
  @ApiProperty()
  message!: string;

  @ApiProperty({ description: 'The secret; shown this once.', example: 'vtr_…' })
  token!: string;

  @ApiProperty({ type: ApiTokenResource })
  api_token!: ApiTokenResource;
}

/** The answer to asking for a ticket. */
export class UploadTicketResource {
  @ApiProperty()
  message!: string;

  @ApiProperty({
    description: 'Bearer token that uploads and does nothing else; shown this once.',
    example: 'vtu_…',
  })
  ticket!: string;

  @ApiProperty({ format: 'date-time', description: 'An hour from now, used or not.' })
  expires_at!: string;

  @ApiProperty({
    required: false,
    description:
      'Bearer token of the guest who was made for this ticket, where there was no token; shown this once.',
    example: 'vtg_…',
  })
  guest_token?: string;
}

/** The answer of a request that leaves nothing else to tell. */
export class MessageResource {
  @ApiProperty()
  message!: string;
}
