import type { ModerationStatus, Visibility } from '@vitrine/contracts';
import type { PostEntity } from './post.entity';
import type { ListedPost } from './post.presenter';

/** A post that somebody may see, as far as its comments, votes and reports need to know it. */
export type VisiblePost = Readonly<
  Pick<PostEntity, 'id' | 'slug' | 'userId' | 'title' | 'visibility' | 'moderationStatus'>
>;

/** What a post is made of. */
export interface NewPost {
  /** In order; each of them the author's own. */
  readonly mediaIds: readonly number[];
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  /** `public` where absent. */
  readonly visibility?: Visibility | undefined;
  /** As `TagNames` leaves them. */
  readonly tags?: readonly string[] | null | undefined;
  readonly isNsfw?: boolean | undefined;
}

/** What to change of a post: absent keeps, null clears. */
export interface PostChanges {
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly visibility?: Visibility | undefined;
  readonly isNsfw?: boolean | undefined;
  /** As `TagNames` leaves them. */
  readonly tags?: readonly string[] | null | undefined;
  /** Slugs: a permutation of those of the post's media. */
  readonly mediaOrder?: readonly string[] | undefined;
}

/** A post's status before and after a change. */
export interface PostStatusChange {
  readonly from: ModerationStatus;
  readonly to: ModerationStatus;
}

/** What an owner sets of a post's row. */
export type OwnersFields = Partial<
  Pick<PostEntity, 'title' | 'description' | 'visibility' | 'accessKey' | 'ownerNsfw' | 'nsfwBeforeRuling'>
>;

/** One page of a list of posts. */
export interface PostPage {
  readonly items: readonly ListedPost[];
  /** Posts of the whole list. */
  readonly total: number;
  /** The order of a shuffled list; null for the latest first. */
  readonly seed: number | null;
}
