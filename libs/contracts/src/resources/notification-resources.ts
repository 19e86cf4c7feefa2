import { ApiProperty } from '@nestjs/swagger';
import { MODERATION_STATUSES, type ModerationStatus } from '../vocabulary/moderation';
import {
  NOTIFICATION_KINDS,
  NOTIFICATION_MAILS,
  type NotificationKind,
  type NotificationMails,
} from '../vocabulary/accounts';
import { AuthorResource } from './media-resource';
import { NullableText } from './nullable';

/** The post that a notification is about. */
export class NotifiedPostResource {
  @ApiProperty()
  slug!: string;

  @NullableText()
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

  @ApiProperty()
  content!: string;
}

/** A notification. */
export class NotificationResource {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({
    enum: NOTIFICATION_KINDS,
    description:
      '`comment`: a comment on your post. `reply`: a reply to your comment. `mention`: a comment or post names you. `follow`: a new follower. `post`: a new post of somebody whom you follow. `moderation`: a moderator or the automatic check has decided on your post or media item. `account`: staff have changed your account.',
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

  @ApiProperty({
    type: NotifiedPostResource,
    nullable: true,
    description: 'Null also if the post is no longer visible to you; `comment` is then null too.',
  })
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

  @NullableText('For `account`: what has changed.')
  message!: string | null;
}

/** Which notifications an account wants. Notifications of changes of the account cannot be turned off. */
export class NotificationSettingsResource {
  @ApiProperty({ description: 'Comments on your posts.' })
  comment!: boolean;

  @ApiProperty({ description: 'Replies to your comments.' })
  reply!: boolean;

  @ApiProperty({ description: 'Comments and posts that name you.' })
  mention!: boolean;

  @ApiProperty({ description: 'New followers.' })
  follow!: boolean;

  @ApiProperty({ description: 'New posts of people whom you follow.' })
  post!: boolean;

  @ApiProperty({ description: 'Results of moderation on your posts and media.' })
  moderation!: boolean;

  @ApiProperty({
    enum: NOTIFICATION_MAILS,
    description: 'How often unread notifications are sent to your verified email address, at most.',
  })
  mail!: NotificationMails;
}

/** The settings of notifications. */
export class NotificationSettingsAnswer {
  @ApiProperty({ type: NotificationSettingsResource })
  data!: NotificationSettingsResource;
}
