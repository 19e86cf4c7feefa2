import type { ModerationStatus } from '../media/moderation-status';
import type { Visibility } from '../posts/visibility';
import { defineEvent } from './event';

/** A post’s texts, tags, visibility, media or moderation status have changed. */
export interface PostUpdated {
  readonly post_id: number;
  readonly slug: string;
  /** Names of the fields that differ, e.g. `title`, `visibility`, `moderation_status`, `media`. */
  readonly changed: readonly string[];
  /** As it is now. */
  readonly visibility: Visibility;
  /** As it is now. */
  readonly moderation_status: ModerationStatus;
}
export const postUpdated = defineEvent<PostUpdated>()('post.updated', 1, { consumers: [] });
