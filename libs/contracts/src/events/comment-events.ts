import { defineEvent } from './event';

/** A comment has been created. */
export interface CommentCreated {
  readonly comment_id: number;
  readonly post_id: number;
  readonly parent_id: number | null;
  readonly user_id: number;
}
export const commentCreated = defineEvent<CommentCreated>()('comment.created', 1, { consumers: [] });

/** The author of a comment has changed its content. */
export interface CommentUpdated {
  readonly comment_id: number;
  readonly post_id: number;
  readonly parent_id: number | null;
  readonly user_id: number;
}
export const commentUpdated = defineEvent<CommentUpdated>()('comment.updated', 1, { consumers: [] });

/** A comment has been removed, or has become a tombstone. */
export interface CommentDeleted {
  readonly comment_id: number;
  readonly post_id: number;
  /** Author of the comment; null if it had none. */
  readonly user_id: number | null;
  /** True if it has replies and stays as a tombstone. */
  readonly tombstone: boolean;
}
export const commentDeleted = defineEvent<CommentDeleted>()('comment.deleted', 1, { consumers: [] });
