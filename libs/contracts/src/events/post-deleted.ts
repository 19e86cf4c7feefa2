import { defineEvent } from './event';

/** A post has been deleted; its media stay. */
export interface PostDeleted {
  readonly post_id: number;
  readonly slug: string;
  readonly user_id: number | null;
}
export const postDeleted = defineEvent<PostDeleted>()('post.deleted', 1, { consumers: [] });
