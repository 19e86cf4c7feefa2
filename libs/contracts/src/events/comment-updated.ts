import { defineEvent } from './event';

/** The author of a comment has changed its content. */
export interface CommentUpdated {
  readonly comment_id: number;
  readonly post_id: number;
  readonly parent_id: number | null;
  readonly user_id: number;
}
export const commentUpdated = defineEvent<CommentUpdated>()('comment.updated', 1, { consumers: [] });
