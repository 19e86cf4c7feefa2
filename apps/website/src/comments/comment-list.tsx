import type { JSX } from 'preact';
import { pluralize } from '../components/words';
import { CommentItem, repliesPath } from './comment-item';
import type { CommentNode } from './comment-tree';
import type { Thread } from './thread';

interface CommentListProps {
  readonly nodes: readonly CommentNode[];
  readonly thread: Thread;
  /** Whether replies may be missing because they are on other pages. */
  readonly isPartial: boolean;
}

/** Comments with their replies, at every depth. */
export function CommentList({ nodes, thread, isPartial }: CommentListProps): JSX.Element {
  return (
    <ol class="comment-list plain-list">
      <CommentNodes nodes={nodes} thread={thread} isPartial={isPartial} />
    </ol>
  );
}

function CommentNodes({ nodes, thread, isPartial }: CommentListProps): JSX.Element {
  return (
    <>
      {nodes.map((node) => (
        <CommentItem comment={node.comment} thread={thread} repliesTo={node.parent?.user?.username ?? null}>
          <Replies node={node} thread={thread} isPartial={isPartial} />
        </CommentItem>
      ))}
    </>
  );
}

interface RepliesProps extends Omit<CommentListProps, 'nodes'> {
  readonly node: CommentNode;
}

function Replies({ node, thread, isPartial }: RepliesProps): JSX.Element | null {
  const { comment, replies } = node;
  const missing = isPartial ? Math.max(0, comment.replies_count - replies.length) : 0;
  if (replies.length === 0 && missing === 0) return null;
  return (
    <ol class="comment-replies plain-list">
      <CommentNodes nodes={replies} thread={thread} isPartial={isPartial} />
      {missing > 0 && (
        <li class="comment-more">
          <a href={repliesPath(thread, comment.id)} data-more-replies>
            {pluralize(missing, 'more reply', 'more replies')}
            <span class="visually-hidden"> to {comment.user?.username ?? 'a deleted comment'}</span>
          </a>
        </li>
      )}
    </ol>
  );
}
