import type { Visibility } from '@vitrine/contracts';
import type { ListedPost } from './post-view.types';

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
