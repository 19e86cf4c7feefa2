import type { ModerationStatus } from '../vocabulary/moderation-status';
import type { Visibility } from '../vocabulary/visibility';
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
