import { ApiProperty } from '@nestjs/swagger';

/** POST {upload_url}: the parts of the multipart body. */
export class UploadRequest {
  @ApiProperty({
    type: 'string',
    format: 'binary',
    description: 'An image or a video of at most 100 MB, told by its content.',
    example: '(bytes of harbour.jpg)',
  })
  file!: unknown;

  @ApiProperty({
    required: false,
    description: 'Slug or id of a post of one’s own, to which the media is added.',
  })
  post_id?: string;

  @ApiProperty({
    required: false,
    enum: ['true', 'false'],
    default: 'false',
    description:
      'If true, the media item is kept out of feeds, tags, search and profiles until it is in a public post.',
  })
  unlisted?: string;
}
