import { defineEvent } from './event';

/** A comment has been created. */
export interface CommentCreated {
  readonly comment_id: number;
  readonly post_id: number;
  readonly parent_id: number | null;
  readonly user_id: number;
}
export const commentCreated = defineEvent<CommentCreated>()('comment.created', 1, { consumers: [] });
