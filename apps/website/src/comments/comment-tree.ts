import type { Comment } from '@vitrine/client';
import type { CommentSort } from './load-comments';

/** A comment with the replies to it that are on the same page. */
export interface CommentNode {
  readonly comment: Comment;
  /** The comment that it replies to; null if there is none or if it is on another page. */
  readonly parent: Comment | null;
  readonly replies: readonly CommentNode[];
}

interface GrowingNode extends CommentNode {
  readonly replies: GrowingNode[];
}

/**
 * Builds the threads of a page of comments, in the order of the page. Replies are sorted from the oldest to the newest,
 * or by score if the page is. A reply to a comment on another page becomes a separate thread.
 */
export function treeOf(comments: readonly Comment[], sort: CommentSort): readonly CommentNode[] {
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  const nodes = new Map<number, GrowingNode>(
    comments.map((comment) => [
      comment.id,
      { comment, parent: byId.get(comment.parent_id ?? NaN) ?? null, replies: [] },
    ]),
  );
  const roots: GrowingNode[] = [];
  for (const node of nodes.values()) (nodes.get(node.parent?.id ?? NaN)?.replies ?? roots).push(node);
  if (sort === 'latest') {
    for (const { replies } of nodes.values()) replies.sort((a, b) => a.comment.id - b.comment.id);
  }
  return roots;
}
