import { ApiProperty } from '@nestjs/swagger';
import { TagNames, Text } from './fields';

/** The texts of a new media item among the parts of an upload. */
export class UploadTexts {
  @Text({ max: 255 })
  title?: string;

  @Text({ max: 5000, multiline: true })
  description?: string;

  @Text({ max: 1000, description: 'Describes the picture for people who cannot see it.' })
  alt_text?: string;

  @TagNames({ description: 'Repeat the part for several tags; `tags[]` and `tags[0]` work too.' })
  tags?: readonly string[];
}

/** POST {upload_url}: the parts of the multipart body. */
export class UploadRequest extends UploadTexts {
  @ApiProperty({
    type: 'string',
    format: 'binary',
    description: 'An image or a video of at most 100 MB. The type is detected from the content.',
    example: '(bytes of harbour.jpg)',
  })
  file!: unknown;

  @ApiProperty({
    required: false,
    description: 'Slug or id of a post that belongs to the caller. The media item is added to it.',
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
