import { ApiProperty } from '@nestjs/swagger';

/** A tag in use. */
export class TagResource {
  @ApiProperty({ example: 'sunset' })
  name!: string;

  @ApiProperty({
    type: 'integer',
    description: 'Number of posts that the feeds show; includes nsfw posts with `nsfw=1`.',
  })
  post_count!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Number of media that the feeds show; includes nsfw media with `nsfw=1`.',
  })
  media_count!: number;
}

/** A tag, for one caller. */
export class SingleTagResource extends TagResource {
  @ApiProperty({ description: 'Whether the caller follows this tag.' })
  isFollowedByUser!: boolean;
}

/** A tag that the caller follows. */
export class FollowedTagResource {
  @ApiProperty({ example: 'sunset' })
  name!: string;

  @ApiProperty({ format: 'date-time' })
  followed_at!: string;
}
