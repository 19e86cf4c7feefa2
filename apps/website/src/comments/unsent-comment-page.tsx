import type { JSX } from 'preact';
import { CommentForm } from './comment-form';
import type { Thread } from './thread';

interface UnsentCommentPageProps {
  readonly thread: Thread;
  readonly content: string;
  readonly parent: number | null;
  readonly errors: readonly string[];
}

/** A comment that the API refused, as it was typed, with what is wrong with it. */
export function UnsentCommentPage({ thread, content, parent, errors }: UnsentCommentPageProps): JSX.Element {
  return (
    <section class="comments">
      <h1>Not posted yet</h1>
      <CommentForm
        thread={thread}
        id="comment"
        label={parent === null ? 'Your comment' : 'Your reply'}
        content={content}
        errors={errors}
        {...(parent !== null && { parent })}
      />
      <p>
        <a href={thread.page}>Back to the post</a>
      </p>
    </section>
  );
}
