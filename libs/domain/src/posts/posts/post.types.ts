import type { PendingOn, Visibility } from '@vitrine/contracts';
import type { ShownMedia } from '../../media/items/media.types';
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

/** A post to create. */
export interface NewPost {
  /** Ids or slugs, in order; the author must own each of them. */
  readonly mediaIds: readonly (number | string)[];
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  /** Absent means `public`. */
  readonly visibility?: Visibility | undefined;
  /** As the request's field `tags` was read: normalised, without duplicates. */
  readonly tags?: readonly string[] | null | undefined;
  readonly isNsfw?: boolean | undefined;
}

/** What an upload determines of the post that is created with it; the rest is as for the media item. */
export type PostOfUpload = Pick<NewPost, 'visibility' | 'isNsfw'>;

/** Changes of a post. Omitted fields stay unchanged; null clears a field. */
export interface PostChanges {
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly visibility?: Visibility | undefined;
  /** Replaces the access key of a private post. */
  readonly renewsAccessKey?: boolean | undefined;
  readonly isNsfw?: boolean | undefined;
  /** As the request's field `tags` was read: normalised, without duplicates. */
  readonly tags?: readonly string[] | null | undefined;
  /** The slugs or ids of all media of the post, in the new order. */
  readonly mediaOrder?: readonly (number | string)[] | undefined;
}

/** One page of a list of posts. */
export interface PostPage {
  readonly items: readonly ListedPost[];
  /** The number of posts in the whole list. */
  readonly total: number;
  /** The seed of a shuffled list; null for the latest first. */
  readonly seed: number | null;
}

/** What the owner of a post learns about its views. */
export interface PostStatistics {
  /** The views of each UTC day, the latest first. */
  readonly days: readonly { readonly date: string; readonly views: number }[];
  /** The sites that led most people to it. */
  readonly referrers: readonly { readonly host: string; readonly views: number }[];
}
