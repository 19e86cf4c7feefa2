import { ApiProperty } from '@nestjs/swagger';
import { SLUG_PATTERN } from '../vocabulary/identifiers';
import {
  MODERATION_STATUSES,
  type ModerationStatus,
  VISIBILITIES,
  type Visibility,
} from '../vocabulary/moderation';
import { WEBHOOK_TEST, type WebhookEvent } from '../vocabulary/webhooks';

const MEDIA_KINDS = ['image', 'video'] as const;
type MediaKind = (typeof MEDIA_KINDS)[number];

/** `data` of `media.deleted`, and the beginning of that of all events of media. */
export class MediaDeletedEventData {
  @ApiProperty({ pattern: SLUG_PATTERN })
  slug!: string;
}

/** `data` of `media.processed` */
export class MediaProcessedEventData extends MediaDeletedEventData {
  @ApiProperty({ enum: MEDIA_KINDS })
  kind!: MediaKind;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Width in pixels, as displayed.' })
  width!: number;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Height in pixels, as displayed.' })
  height!: number;

  @ApiProperty({ type: Number, nullable: true, description: 'Duration in seconds; null for images.' })
  duration!: number | null;
}

/** `data` of `media.uploaded` */
export class MediaUploadedEventData extends MediaProcessedEventData {
  @ApiProperty({ example: 'jpeg', description: 'Format, detected from the content.' })
  format!: string;

  @ApiProperty({ example: 'image/jpeg' })
  mime!: string;

  @ApiProperty({ type: 'integer', minimum: 1, example: 482_133, description: 'Size of the stored original.' })
  bytes!: number;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Pictures in an image file; 1 for videos.' })
  frames!: number;
}

/** `data` of `media.failed` */
export class MediaFailedEventData extends MediaDeletedEventData {
  @ApiProperty({ example: 'The file ends early.', description: 'Why it cannot be processed.' })
  reason!: string;
}

/** `data` of `media.moderated` */
export class MediaModeratedEventData extends MediaDeletedEventData {
  @ApiProperty({ enum: MODERATION_STATUSES, example: 'pending' })
  from!: ModerationStatus;

  @ApiProperty({ enum: MODERATION_STATUSES })
  to!: ModerationStatus;
}

/** `data` of `post.deleted`, and the beginning of that of all events of posts. */
export class PostDeletedEventData {
  @ApiProperty({ type: 'integer', minimum: 1 })
  post_id!: number;

  @ApiProperty({ pattern: SLUG_PATTERN })
  slug!: string;
}

/** `data` of `post.created` */
export class PostCreatedEventData extends PostDeletedEventData {
  @ApiProperty({ enum: VISIBILITIES })
  visibility!: Visibility;

  @ApiProperty({ enum: MODERATION_STATUSES })
  moderation_status!: ModerationStatus;
}

/** `data` of `post.updated` */
export class PostUpdatedEventData extends PostCreatedEventData {
  @ApiProperty({ type: [String], example: ['title'], description: 'Names of the fields that have changed.' })
  changed!: readonly string[];
}

/** `data` of `comment.created` */
export class CommentCreatedEventData {
  @ApiProperty({ type: 'integer', minimum: 1 })
  comment_id!: number;

  @ApiProperty({ type: 'integer', minimum: 1 })
  post_id!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    minimum: 1,
    description: 'The comment that it replies to.',
  })
  parent_id!: number | null;
}

/** `data` of `comment.updated` */
export class CommentUpdatedEventData extends CommentCreatedEventData {}

/** `data` of `comment.deleted` */
export class CommentDeletedEventData {
  @ApiProperty({ type: 'integer', minimum: 1 })
  comment_id!: number;

  @ApiProperty({ type: 'integer', minimum: 1 })
  post_id!: number;

  @ApiProperty({ description: 'True if it has replies and stays as a tombstone.' })
  tombstone!: boolean;
}

/** `data` of `user.followed` */
export class UserFollowedEventData {
  @ApiProperty({ description: 'Who follows you.' })
  username!: string;
}

/** `data` of `webhook.test` */
export class WebhookTestEventData {
  @ApiProperty({ type: 'integer', minimum: 1 })
  webhook_id!: number;
}

/** What a webhook receives: for each event when it is sent, and the class of its `data`. */
export const WEBHOOK_PAYLOADS = {
  'media.uploaded': { when: 'A file is stored', data: MediaUploadedEventData },
  'media.processed': { when: 'All sizes of a media item exist', data: MediaProcessedEventData },
  'media.failed': { when: 'A media item cannot be processed', data: MediaFailedEventData },
  'media.moderated': {
    when: 'The moderation status of a media item is decided',
    data: MediaModeratedEventData,
  },
  'media.deleted': { when: 'A media item is deleted', data: MediaDeletedEventData },
  'post.created': { when: 'You have created a post', data: PostCreatedEventData },
  'post.updated': {
    when: 'A post of yours or its moderation status has changed',
    data: PostUpdatedEventData,
  },
  'post.deleted': { when: 'A post of yours is deleted', data: PostDeletedEventData },
  'comment.created': { when: 'Someone has commented on a post of yours', data: CommentCreatedEventData },
  'comment.updated': {
    when: 'Someone has edited their comment on a post of yours',
    data: CommentUpdatedEventData,
  },
  'comment.deleted': {
    when: 'Someone’s comment on a post of yours is deleted',
    data: CommentDeletedEventData,
  },
  'user.followed': { when: 'Someone follows you', data: UserFollowedEventData },
  [WEBHOOK_TEST]: { when: 'You have asked for a test', data: WebhookTestEventData },
} as const satisfies Readonly<
  Record<WebhookEvent | typeof WEBHOOK_TEST, { readonly when: string; readonly data: new () => object }>
>;

export type WebhookPayloadType = keyof typeof WEBHOOK_PAYLOADS;
/** The fields of an event's `data`. */
export type WebhookPayloadData<Type extends WebhookPayloadType> = InstanceType<
  (typeof WEBHOOK_PAYLOADS)[Type]['data']
>;
