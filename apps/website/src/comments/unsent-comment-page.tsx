import type { JSX } from 'preact';
import { type FormTrouble, TroubleNote } from '../rendering/form-trouble';
import { CommentForm } from './comment-form';
import type { Thread } from './thread';

interface UnsentCommentPageProps {
  readonly thread: Thread;
  readonly content: string;
  readonly parent: number | null;
  readonly trouble: FormTrouble;
}

/** A comment that the API refused, as it was typed, with what is wrong with it. */
export function UnsentCommentPage({ thread, content, parent, trouble }: UnsentCommentPageProps): JSX.Element {
  return (
    <section class="comments">
      <h1>Not posted yet</h1>
      <TroubleNote trouble={trouble} fields={['content']} />
      <CommentForm
        thread={thread}
        id="comment"
        label={parent === null ? 'Your comment' : 'Your reply'}
        content={content}
        errors={trouble.errors['content'] ?? []}
        number={trouble.number}
        {...(parent !== null && { parent })}
      />
      <p>
        <a href={thread.page}>Back to the post</a>
      </p>
    </section>
  );
}
