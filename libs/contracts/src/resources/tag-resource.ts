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
