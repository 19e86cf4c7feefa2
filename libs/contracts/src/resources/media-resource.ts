import { ApiProperty } from '@nestjs/swagger';
import { SLUG_PATTERN } from '../vocabulary/identifiers';
import {
  MODERATION_STATUSES,
  type ModerationStatus,
  PENDING_ON,
  type PendingOn,
} from '../vocabulary/moderation';
import { NullableText } from './nullable';

/** A post in a link. */
export class PostNameResource {
  @ApiProperty({ example: 'aB3dE5f' })
  slug!: string;

  @NullableText()
  title!: string | null;
}

/** Who uploaded or wrote something, as others see them. */
export class AuthorResource {
  @ApiProperty({ example: 'ada' })
  username!: string;

  @NullableText('URL of the avatar picture; null if there is none to show.', { format: 'uri' })
  avatar!: string | null;
}

/** What became of one of the media that a request names. */
export class ChangedMediaResource {
  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'integer' }],
    description: 'As the request named it.',
    example: 'aB3dE5f',
  })
  media!: number | string;

  @ApiProperty({
    enum: ['done', 'not_found', 'invalid'],
    description: '`invalid`: the media item would have too many tags. It is unchanged then.',
  })
  result!: 'done' | 'not_found' | 'invalid';
}

export class ChangedMediaListResource {
  @ApiProperty({ type: [ChangedMediaResource], description: 'In the order of the request.' })
  data!: readonly ChangedMediaResource[];
}

/** Direct links; each of them works as soon as the upload's response is sent. */
export class MediaUrlsResource {
  @ApiProperty({ format: 'uri' })
  original!: string;

  @ApiProperty({ format: 'uri' })
  thumb!: string;

  @ApiProperty({ format: 'uri' })
  xs!: string;

  @ApiProperty({ format: 'uri' })
  sm!: string;

  @ApiProperty({ format: 'uri' })
  md!: string;

  @ApiProperty({ format: 'uri' })
  lg!: string;

  @ApiProperty({ format: 'uri' })
  xl!: string;

  @ApiProperty({
    format: 'uri',
    required: false,
    description:
      'The first frame of an animation as a picture: JPEG, or WebP if it is translucent, with a longest edge of at most 640 pixels. Present only for animations that are processed, except for those that an older release processed.',
  })
  still?: string;

  @ApiProperty({
    format: 'uri',
    required: false,
    description:
      'An animation as a silent MP4, at most 1280 pixels long, for players that repeat it. Only animations that are opaque and repeat without end have it, if it has at least a fifth fewer bytes than the size `lg`; those that an older release processed have none.',
  })
  loop?: string;

  @ApiProperty({
    format: 'uri',
    required: false,
    description:
      'A size between `md` and `lg` (960 pixels). Only pictures that are larger and not animated have it; those that an older release processed have none.',
  })
  ml?: string;
}

/** One file, as every response shows it. */
export class MediaResource {
  @ApiProperty({ type: 'integer', example: 1 })
  id!: number;

  @ApiProperty({ example: 'aB3dE5f', pattern: SLUG_PATTERN })
  slug!: string;

  @ApiProperty({ description: 'Storage filename, equal to the slug.' })
  filename!: string;

  @NullableText()
  title!: string | null;

  @NullableText()
  description!: string | null;

  @NullableText('Describes the picture for people who cannot see it.')
  alt_text!: string | null;

  @ApiProperty({ example: 'image/jpeg', description: 'MIME type, detected from the content.' })
  type!: string;

  @ApiProperty({ example: 'jpg', description: 'File extension of the original.' })
  ext!: string;

  @ApiProperty({ type: 'integer', description: 'Size of the served original in bytes.' })
  size!: number;

  @ApiProperty({ type: 'integer', description: 'Width in pixels, as displayed.' })
  width!: number;

  @ApiProperty({ type: 'integer', description: 'Height in pixels, as displayed.' })
  height!: number;

  @ApiProperty({ type: Number, nullable: true, description: 'Duration in seconds; null for images.' })
  duration!: number | null;

  @ApiProperty({
    example: false,
    description:
      'Whether this is an image whose size variants are animated. False for files with several pages and for animations in JPEG XL: their variants are stills.',
  })
  animated!: boolean;

  @ApiProperty({ enum: MODERATION_STATUSES })
  moderation_status!: ModerationStatus;

  @ApiProperty({
    enum: PENDING_ON,
    nullable: true,
    description:
      'What a `pending` media item waits for: the automatic check, which takes seconds, or a moderator. Null if it isn’t pending.',
  })
  pending_on!: PendingOn | null;

  @ApiProperty({ description: 'True once every size variant exists.' })
  processed!: boolean;

  @NullableText('Why processing failed permanently; null otherwise.')
  processing_error!: string | null;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    nullable: true,
    description: 'Percent of the processing that is done; null if it is not known, and once `processed`.',
  })
  processing_progress!: number | null;

  @NullableText('ThumbHash in base64; null until processed.')
  thumbhash!: string | null;

  @ApiProperty({ type: [String] })
  tags!: readonly string[];

  @ApiProperty({ format: 'uri' })
  page_url!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: MediaUrlsResource })
  urls!: MediaUrlsResource;

  @ApiProperty({ type: AuthorResource, nullable: true, description: 'Null for guest uploads.' })
  user!: AuthorResource | null;

  @ApiProperty({
    required: false,
    description:
      'Shown to the owner only: whether the media item is kept out of feeds, tags, search and profiles until it is in a public post.',
  })
  unlisted?: boolean;

  @ApiProperty({
    required: false,
    description: 'Shown to the owner only: whether feeds show the media item, at least with `nsfw=1`.',
  })
  listed?: boolean;

  @ApiProperty({
    required: false,
    description:
      'Shown to the owner only: whether the owner marked the media item as adult content. A moderator’s ruling ends the mark.',
  })
  is_nsfw?: boolean;
}

/** A media item and a post that contains it. */
export class MediaDetailsResource extends MediaResource {
  @ApiProperty({
    type: PostNameResource,
    nullable: true,
    description: 'The latest post with the media item: for its owner any, for others one that feeds show.',
  })
  post!: PostNameResource | null;
}
