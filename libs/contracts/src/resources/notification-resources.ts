import { ApiProperty } from '@nestjs/swagger';
import { MODERATION_STATUSES, type ModerationStatus } from '../vocabulary/moderation';
import { NOTIFICATION_KINDS, type NotificationKind } from '../vocabulary/accounts';
import { AuthorResource } from './media-resource';

/** The post that a notification is about. */
export class NotifiedPostResource {
  @ApiProperty()
  slug!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null also if the post is no longer visible to you.',
  })
  title!: string | null;
}

/** The media item that a notification is about. */
export class NotifiedMediaResource {
  @ApiProperty()
  slug!: string;
}

/** The comment that a notification is about. */
export class NotifiedCommentResource {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ description: 'Empty if the post is no longer visible to you.' })
  content!: string;
}

/** A notification. */
export class NotificationResource {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({
    enum: NOTIFICATION_KINDS,
    description:
      '`comment`: a comment on your post. `reply`: a reply to your comment. `follow`: a new follower. `moderation`: a moderator or the automatic check has decided on your post or media item. `account`: staff have changed your account.',
  })
  kind!: NotificationKind;

  @ApiProperty()
  read!: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({
    type: AuthorResource,
    nullable: true,
    description: 'The user who caused it; null for moderation, changes of the account, and deleted accounts.',
  })
  user!: AuthorResource | null;

  @ApiProperty({ type: NotifiedPostResource, nullable: true })
  post!: NotifiedPostResource | null;

  @ApiProperty({ type: NotifiedMediaResource, nullable: true })
  media!: NotifiedMediaResource | null;

  @ApiProperty({ type: NotifiedCommentResource, nullable: true })
  comment!: NotifiedCommentResource | null;

  @ApiProperty({
    type: String,
    enum: [...MODERATION_STATUSES, null],
    nullable: true,
    description: 'For `moderation`: the status that was decided.',
  })
  moderation_status!: ModerationStatus | null;

  @ApiProperty({ type: String, nullable: true, description: 'For `account`: what has changed.' })
  message!: string | null;
}

/** Which notifications an account wants. Notifications of changes of the account cannot be turned off. */
export class NotificationSettingsResource {
  @ApiProperty({ description: 'Comments on your posts.' })
  comment!: boolean;

  @ApiProperty({ description: 'Replies to your comments.' })
  reply!: boolean;

  @ApiProperty({ description: 'New followers.' })
  follow!: boolean;

  @ApiProperty({ description: 'Results of moderation on your posts and media.' })
  moderation!: boolean;
}

/** The settings of notifications. */
export class NotificationSettingsAnswer {
  @ApiProperty({ type: NotificationSettingsResource })
  data!: NotificationSettingsResource;
}
