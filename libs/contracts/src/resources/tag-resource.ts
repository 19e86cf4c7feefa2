import { ApiProperty } from '@nestjs/swagger';

/** A tag in use. */
export class TagResource {
  @ApiProperty({ example: 'sunset' })
  name!: string;

  @ApiProperty({ type: 'integer', description: 'Posts that the feeds show; with `nsfw=1`, nsfw ones too.' })
  post_count!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Media items that the feeds show; with `nsfw=1`, nsfw ones too.',
  })
  media_count!: number;
}
