import type { ModerationStatus, Visibility } from '../vocabulary/moderation';
import { defineEvent } from './event';

/** A post has been created. */
export interface PostCreated {
  readonly post_id: number;
  readonly slug: string;
  readonly user_id: number;
  readonly visibility: Visibility;
  readonly moderation_status: ModerationStatus;
  /** In the order of the post. */
  readonly media_ids: readonly number[];
}
export const postCreated = defineEvent<PostCreated>()('post.created', 1, { consumers: [] });

/** A post’s texts, tags, visibility, media or moderation status have changed. */
export interface PostUpdated {
  readonly post_id: number;
  readonly slug: string;
  /** Names of the fields that differ, e.g. `title`, `visibility`, `moderation_status`, `media`. */
  readonly changed: readonly string[];
  /** The current value. */
  readonly visibility: Visibility;
  /** The current value. */
  readonly moderation_status: ModerationStatus;
}
export const postUpdated = defineEvent<PostUpdated>()('post.updated', 1, { consumers: [] });

/** A post has been deleted; its media stay. */
export interface PostDeleted {
  readonly post_id: number;
  readonly slug: string;
  readonly user_id: number | null;
}
export const postDeleted = defineEvent<PostDeleted>()('post.deleted', 1, { consumers: [] });
