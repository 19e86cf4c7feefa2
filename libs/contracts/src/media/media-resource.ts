import { ApiProperty } from '@nestjs/swagger';
import { MODERATION_STATUSES, type ModerationStatus } from './moderation-status';

/** Who uploaded or wrote something, as others see them. */
export class AuthorResource {
  @ApiProperty({ example: 'ada' })
  username!: string;

  @ApiProperty({ type: String, nullable: true, format: 'uri', description: 'URL of the picture.' })
  avatar!: string | null;
}

/** Direct links; each one opens as soon as the upload is answered. */
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
}

/** One file, as every response shows it. */
export class MediaResource {
  @ApiProperty({ type: 'integer', example: 1 })
  id!: number;

  @ApiProperty({ example: 'aB3dE5f', pattern: '^[A-Za-z0-9]{7}$' })
  slug!: string;

  @ApiProperty({ description: 'Storage filename, equal to the slug.' })
  filename!: string;

  @ApiProperty({ type: String, nullable: true })
  title!: string | null;

  @ApiProperty({ type: String, nullable: true })
  description!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What the picture shows, for those who cannot see it.',
  })
  alt_text!: string | null;

  @ApiProperty({ example: 'image/jpeg', description: 'MIME type by content.' })
  type!: string;

  @ApiProperty({ example: 'jpg', description: 'Extension of the original.' })
  ext!: string;

  @ApiProperty({ type: 'integer', description: 'Bytes of the served original.' })
  size!: number;

  @ApiProperty({ type: 'integer', description: 'Pixels as displayed.' })
  width!: number;

  @ApiProperty({ type: 'integer', description: 'Pixels as displayed.' })
  height!: number;

  @ApiProperty({ type: Number, nullable: true, description: 'Seconds; videos only.' })
  duration!: number | null;

  @ApiProperty({ example: false, description: 'Whether it is an image of several frames; so are its sizes.' })
  animated!: boolean;

  @ApiProperty({ enum: MODERATION_STATUSES })
  moderation_status!: ModerationStatus;

  @ApiProperty({ description: 'True once every sized variant exists.' })
  processed!: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Why processing failed for good.' })
  processing_error!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Base64; null until processed.' })
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
}

/** The answer to an upload. */
export class UploadAnswer {
  @ApiProperty({ example: 'The file has been uploaded.' })
  message!: string;

  @ApiProperty({ type: MediaResource })
  media!: MediaResource;
}
