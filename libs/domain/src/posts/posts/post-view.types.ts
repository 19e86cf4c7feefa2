import type { PendingOn } from '@vitrine/contracts';
import type { ShownMedia } from '../../media/items/media-view.types';
import type { Author } from '../../accounts/authors/author.types';
import type { VoteState } from '../../community/votes/vote.rules';
import type { PostEntity } from '../rows/post.entity';

/** The columns of a post that are shown. */
export type ShownPost = Readonly<
  Pick<
    PostEntity,
    | 'id'
    | 'slug'
    | 'userId'
    | 'title'
    | 'description'
    | 'visibility'
    | 'accessKey'
    | 'moderationStatus'
    | 'revision'
    | 'empty'
    | 'listing'
    | 'ownerRestriction'
    | 'tags'
    | 'score'
    | 'viewCount'
    | 'commentCount'
    | 'createdAt'
    | 'updatedAt'
  >
>;

/** A post as one viewer sees it, with what its resource needs in addition to the row. */
export interface PostView {
  readonly post: ShownPost;
  /** Null if the owner is a guest or has deleted the account. */
  readonly author: Author | null;
  /** The viewer's vote. */
  readonly vote: VoteState;
  /** Whether the viewer owns it. */
  readonly own: boolean;
  /** Whether the viewer is a moderator, who is shown the revision. */
  readonly reviewed: boolean;
  /** The number of its media that the viewer may see. */
  readonly mediaCount: number;
  /** What a pending post waits for; null if it isn't pending or has no pending media. */
  readonly pendingOn: PendingOn | null;
}

/** A post in a list. */
export interface ListedPost extends PostView {
  /** The first media item that the viewer may see. */
  readonly firstMedia: ShownMedia | null;
}

/** A single post. */
export interface SinglePost extends PostView {
  /** One page of the media that the viewer may see, in order. The author owns all of them. */
  readonly media: readonly ShownMedia[];
  /** Whether the author blocks the viewer or is blocked by the viewer. */
  readonly blocked: boolean;
}

/** What the responses to creating and changing a post contain. */
export type OwnPost = Readonly<Pick<PostEntity, 'id' | 'slug' | 'visibility' | 'accessKey'>>;
