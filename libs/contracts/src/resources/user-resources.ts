import { ApiProperty } from '@nestjs/swagger';
import { AuthorResource } from './media-resource';
import { NullableText } from './nullable';

/** An account as others see it. */
export class UserResource extends AuthorResource {
  @NullableText()
  bio!: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: 'integer', description: 'Number of posts that feeds show.' })
  post_count!: number;

  @ApiProperty({ type: 'integer', description: 'Number of media that feeds show.' })
  media_count!: number;

  @ApiProperty({ type: 'integer' })
  follower_count!: number;

  @ApiProperty({ type: 'integer' })
  following_count!: number;

  @ApiProperty({ description: 'Whether the caller follows this account.' })
  isFollowedByUser!: boolean;

  @ApiProperty({ description: 'Whether the caller blocks this account.' })
  isBlockedByUser!: boolean;

  @ApiProperty({ description: 'Whether the caller mutes this account.' })
  isMutedByUser!: boolean;
}

/** A follower of an account, or an account that it follows. */
export class FollowResource extends AuthorResource {
  @ApiProperty({ format: 'date-time' })
  followed_at!: string;
}

/** A user whom the caller blocks or mutes. */
export class RelationResource extends AuthorResource {
  @ApiProperty({ format: 'date-time', description: 'Time since which the state applies.' })
  since!: string;
}
