import { ApiProperty } from '@nestjs/swagger';

/** A tag in use. */
export class TagResource {
  @ApiProperty({ example: 'sunset' })
  name!: string;

  @ApiProperty({ type: 'integer', description: 'Posts that everybody can find.' })
  post_count!: number;

  @ApiProperty({ type: 'integer', description: 'Media that everybody can find.' })
  media_count!: number;
}
