import { defineEvent } from './event';

/** A comment is gone, or has become a tombstone. */
export interface CommentDeleted {
  readonly comment_id: number;
  readonly post_id: number;
  /** Who had written it. */
  readonly user_id: number | null;
  /** True where it has replies and its place stays. */
  readonly tombstone: boolean;
}
export const commentDeleted = defineEvent<CommentDeleted>()('comment.deleted', 1, { consumers: [] });
