import type { Comment } from '@vitrine/client';
import type { CommentSort } from './load-comments';

/** A comment with the replies to it that are on the same page. */
export interface CommentNode {
  readonly comment: Comment;
  /** The comment that it replies to; null where it replies to none, or to one on another page. */
  readonly parent: Comment | null;
  readonly replies: readonly CommentNode[];
}

interface GrowingNode extends CommentNode {
  readonly replies: GrowingNode[];
}

/**
 * The conversations of a page of comments, in the order of the page. Replies read from the oldest on, or by their
 * scores where that is the order. A reply whose comment is on another page stands for itself.
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
