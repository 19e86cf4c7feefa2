import type { JSX } from 'preact';
import { CommentForm } from './comment-form';
import { CommentItem } from './comment-item';
import { CommentList } from './comment-list';
import type { CommentNode } from './comment-tree';
import type { Thread } from './thread';

interface RepliesPageProps {
  readonly thread: Thread;
  readonly node: CommentNode;
  /** Path of the page with more replies; null if there is none. */
  readonly nextPath: string | null;
}

/** A comment, its replies and the reply form. Used without scripts, and to load the replies that a page left out. */
export function RepliesPage({ thread, node, nextPath }: RepliesPageProps): JSX.Element {
  const { comment, replies } = node;
  const name = comment.user?.username;
  return (
    <section class="comments">
      <h1>{name === undefined ? 'Replies' : `Reply to ${name}`}</h1>
      <p>
        <a href={thread.page}>Back to the post</a>
      </p>
      <ol class="comment-list plain-list">
        <CommentItem comment={comment} thread={thread} />
      </ol>
      {name !== undefined && (
        <CommentForm thread={thread} id="comment" label={`Your reply to ${name}`} parent={comment.id} />
      )}
      <h2>{replies.length === 0 ? 'No replies yet' : 'Replies'}</h2>
      <div data-replies-list>
        <CommentList nodes={replies} thread={thread} isPartial />
      </div>
      {nextPath !== null && (
        <p>
          <a class="button" rel="next" href={nextPath}>
            More replies
          </a>
        </p>
      )}
    </section>
  );
}
