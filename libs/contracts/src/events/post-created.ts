import type { ModerationStatus } from '../media/moderation-status';
import type { Visibility } from '../posts/visibility';
import { defineEvent } from './event';

/** A post has been made. */
export interface PostCreated {
  readonly post_id: number;
  readonly slug: string;
  readonly user_id: number;
  readonly visibility: Visibility;
  readonly moderation_status: ModerationStatus;
  /** In order. */
  readonly media_ids: readonly number[];
}
export const postCreated = defineEvent<PostCreated>()('post.created', 1, { consumers: [] });
