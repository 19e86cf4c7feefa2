import type { Post } from '@vitrine/client';
import type { JSX } from 'preact';
import { CommentItem } from './comment-item';
import type { LoadedComments } from './load-comments';

interface CommentsSectionProps {
  readonly post: Post;
  /** Of `loadComments`. */
  readonly comments: LoadedComments;
  /** The key of a private post, where the page was opened by it. */
  readonly keyParam?: string | undefined;
}

/** What people say of a post. */
export function CommentsSection({ post, comments }: CommentsSectionProps): JSX.Element {
  return (
    <section class="comments" id="comments" aria-labelledby="comments-heading">
      <h2 id="comments-heading">{post.comment_count} comments</h2>
      <ol class="comment-list plain-list">
        {comments.comments.map((comment) => (
          <CommentItem comment={comment} />
        ))}
      </ol>
    </section>
  );
}
