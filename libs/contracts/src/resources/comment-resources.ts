import { ApiProperty } from '@nestjs/swagger';
import { AuthorResource } from './media-resource';
import { NullableText, NullableTime } from './nullable';

/** One comment; a tombstone if it was deleted and has replies. */
export class CommentResource {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ description: '`[deleted]` if the comment is a tombstone.', maxLength: 500 })
  content!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Null if the comment is a tombstone.' })
  user_id!: number | null;

  @ApiProperty({ type: 'integer' })
  post_id!: number;

  @ApiProperty({ type: 'integer', nullable: true })
  parent_id!: number | null;

  @ApiProperty({ type: 'integer' })
  score!: number;

  @ApiProperty()
  isUpvotedByUser!: boolean;

  @ApiProperty()
  isDownvotedByUser!: boolean;

  @ApiProperty({ type: 'integer', description: 'Number of direct replies.' })
  replies_count!: number;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @NullableTime('When its author last changed `content`; null if never, or if the comment is a tombstone.')
  edited_at!: string | null;

  @ApiProperty({ type: AuthorResource, nullable: true, description: 'Null if the comment is a tombstone.' })
  user!: AuthorResource | null;
}

/** The post of a comment. */
export class CommentedPostResource {
  @ApiProperty()
  slug!: string;

  @NullableText(
    'Also null if the post is private or rejected and the caller is neither its owner nor a moderator.',
  )
  title!: string | null;
}

/** A comment in the list of a user's comments. */
export class UserCommentResource extends CommentResource {
  @ApiProperty({ type: CommentedPostResource })
  post!: CommentedPostResource;
}

/** The response to creating a comment. */
export class CommentCreatedResource {
  @ApiProperty()
  success!: boolean;

  @ApiProperty({ type: CommentResource })
  comment!: CommentResource;
}

/** The response to editing a comment. */
export class CommentUpdatedResource {
  @ApiProperty()
  success!: boolean;

  @ApiProperty()
  message!: string;

  @ApiProperty({ type: CommentResource })
  comment!: CommentResource;
}

/** The response to deleting a comment. */
export class CommentDeletedResource {
  @ApiProperty()
  success!: boolean;

  @ApiProperty()
  message!: string;
}
