import { ApiProperty } from '@nestjs/swagger';
import { AuthorResource, MediaResource, PostNameResource } from './media-resource';
import { SLUG_PATTERN } from '../vocabulary/identifiers';
import {
  MODERATION_STATUSES,
  type ModerationStatus,
  PENDING_ON,
  type PendingOn,
  VISIBILITIES,
  type Visibility,
} from '../vocabulary/moderation';
import { NullableText } from './nullable';

/** The fields of a post in every response. */
class BasicPostResource {
  @ApiProperty({ type: 'integer', example: 1 })
  id!: number;

  @ApiProperty({ example: 'aB3dE5f', pattern: SLUG_PATTERN })
  slug!: string;

  @NullableText()
  title!: string | null;

  @NullableText()
  description!: string | null;

  @ApiProperty({ type: 'integer', description: 'Upvotes minus downvotes.' })
  score!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Number of views by everyone except the owner; may lag by a few seconds.',
  })
  view_count!: number;

  @ApiProperty({ type: 'integer' })
  media_count!: number;

  @ApiProperty({ type: 'integer', description: 'Number of comments that are not deleted.' })
  comment_count!: number;

  @ApiProperty({ enum: MODERATION_STATUSES })
  moderation_status!: ModerationStatus;

  @ApiProperty({
    enum: PENDING_ON,
    nullable: true,
    description:
      'What a `pending` post waits for: the automatic check of its media, or a moderator. Null if it isn’t pending or has no media.',
  })
  pending_on!: PendingOn | null;

  @ApiProperty({ description: 'Whether the caller has upvoted the post.' })
  isUpvotedByUser!: boolean;

  @ApiProperty({ description: 'Whether the caller has downvoted the post.' })
  isDownvotedByUser!: boolean;

  @ApiProperty({ type: [String] })
  tags!: readonly string[];

  @ApiProperty({ format: 'uri' })
  page_url!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;

  @ApiProperty({ type: AuthorResource, nullable: true, description: 'Null for guest posts.' })
  user!: AuthorResource | null;

  @ApiProperty({ enum: VISIBILITIES, required: false, description: 'Shown to the owner only.' })
  visibility?: Visibility;

  @ApiProperty({
    type: String,
    nullable: true,
    required: false,
    description: 'Shown to the owner only: the value of the query parameter `key` that opens a private post.',
  })
  access_key?: string | null;

  @ApiProperty({
    type: 'integer',
    required: false,
    example: 1,
    description:
      'Shown to moderators only: increases with each change of title, description, tags or media. Send it with a ruling.',
  })
  revision?: number;
}

/** A post in a list. */
export class ListedPostResource extends BasicPostResource {
  @ApiProperty({
    type: MediaResource,
    nullable: true,
    description: 'Preview; null if there is none to show.',
  })
  first_media!: MediaResource | null;
}

/** A single post, with one page of its media. */
export class PostResource extends BasicPostResource {
  @ApiProperty({
    description:
      'Whether feeds show the post, at least with `nsfw=1`. Search engines should not index posts that are not listed.',
  })
  listed!: boolean;

  @ApiProperty({ type: [MediaResource] })
  media!: readonly MediaResource[];
}

/** The views of one day. */
export class DayViewsResource {
  @ApiProperty({ format: 'date', example: '2026-11-30' })
  date!: string;

  @ApiProperty({ type: 'integer' })
  views!: number;
}

/** The views that came from one site. */
export class ReferrerResource {
  @ApiProperty({ example: 'example.org' })
  host!: string;

  @ApiProperty({ type: 'integer' })
  views!: number;
}

/** What the owner of a post learns about its views. */
export class PostStatisticsResource {
  @ApiProperty({ type: [DayViewsResource], description: 'The latest day first.' })
  days!: readonly DayViewsResource[];

  @ApiProperty({
    type: [ReferrerResource],
    description: 'Sites with links to the post; the most views first.',
  })
  referrers!: readonly ReferrerResource[];
}

/** The post in the response to its creation. */
export class CreatedPostResource {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ example: 'aB3dE5f' })
  slug!: string;

  @ApiProperty({ enum: VISIBILITIES })
  visibility!: Visibility;

  @ApiProperty({ type: String, required: false, description: 'Present if the post is private.' })
  access_key?: string;

  @ApiProperty({ format: 'uri' })
  page_url!: string;
}

/** The response to creating a post. */
export class PostCreatedResource {
  @ApiProperty({ example: 'Post created.' })
  message!: string;

  @ApiProperty({ type: CreatedPostResource })
  post!: CreatedPostResource;
}

/** The response to changing a post. */
export class PostUpdatedResource {
  @ApiProperty({ example: 'Post updated.' })
  message!: string;

  @ApiProperty({ enum: VISIBILITIES })
  visibility!: Visibility;

  @ApiProperty({ type: String, required: false, description: 'Present if the post is private.' })
  access_key?: string;
}

/** The response to a vote. */
export class VoteResource {
  @ApiProperty({ example: 'Upvoted.' })
  message!: string;

  @ApiProperty({ type: 'integer', description: 'Upvotes minus downvotes, including this vote.' })
  score!: number;

  @ApiProperty({ description: 'Whether the caller’s vote is an upvote now.' })
  isUpvotedByUser!: boolean;

  @ApiProperty({ description: 'Whether the caller’s vote is a downvote now.' })
  isDownvotedByUser!: boolean;
}

/** The posts before and after a post in a feed. */
export class NeighboursResource {
  @ApiProperty({ type: PostNameResource, nullable: true, description: 'Null at the beginning of the feed.' })
  previous!: PostNameResource | null;

  @ApiProperty({ type: PostNameResource, nullable: true, description: 'Null at the end of the feed.' })
  next!: PostNameResource | null;
}
