import type { ModerationStatus } from '../vocabulary/moderation-status';
import type { Visibility } from '../vocabulary/visibility';
import { defineEvent } from './event';

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
