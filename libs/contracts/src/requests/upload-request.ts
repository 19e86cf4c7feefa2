import { ApiProperty } from '@nestjs/swagger';
import { SLUG_OR_ID_PATTERN } from '../vocabulary/identifiers';
import { VISIBILITIES, type Visibility } from '../vocabulary/moderation';
import { Choice, QueryFlag, TagNames, Text } from './fields';
import { MAX_LENGTHS } from '../vocabulary/limits';

/** The texts of a new media item among the parts of an upload. */
export class UploadTexts {
  @Text({ max: MAX_LENGTHS.title })
  title?: string;

  @Text({ max: MAX_LENGTHS.description, multiline: true })
  description?: string;

  @Text({ max: MAX_LENGTHS.altText, description: 'Describes the picture for people who cannot see it.' })
  alt_text?: string;

  @TagNames({ description: 'Repeat the part for several tags; `tags[]` and `tags[0]` work too.' })
  tags?: readonly string[];
}

/** The parts of an upload that are checked together: texts, and the post to create. */
export class UploadFields extends UploadTexts {
  @QueryFlag({
    description:
      'If true, a post with the file is created too, with the same title, description and tags. Either both are created or neither. Also requires the scope `write`; upload tickets are not accepted. Cannot be combined with `post_id`. If this part comes before the file, a token that may not create posts is refused before the file is sent.',
  })
  post?: boolean;

  @Choice(VISIBILITIES, {
    description:
      'Visibility of the new post; only with `post=1`. Default: `public`. `private` generates an access key.',
  })
  visibility?: Visibility;

  @QueryFlag({
    description:
      'Marks the new post as adult content, or without `post=1` the media item: it then becomes `nsfw` if the automatic check would approve it.',
  })
  is_nsfw?: boolean;
}

/** The parts of an upload besides the file. */
class UploadParts extends UploadFields {
  @ApiProperty({
    required: false,
    pattern: SLUG_OR_ID_PATTERN,
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

/** POST {upload_url}: the parts of the multipart body. */
export class UploadRequest extends UploadParts {
  @ApiProperty({
    type: 'string',
    format: 'binary',
    description: 'An image or a video of at most 100 MB. The type is detected from the content.',
    example: '(bytes of harbour.jpg)',
  })
  file!: unknown;
}

/** POST {upload_url}/url: the fields of the form. */
export class UrlUploadRequest extends UploadParts {
  @ApiProperty({
    type: 'string',
    maxLength: 2000,
    description: 'The http or https address of an image or a video of at most 100 MB.',
    example: 'https://example.org/harbour.jpg',
  })
  url!: string;
}
