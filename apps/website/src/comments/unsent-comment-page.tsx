import type { JSX } from 'preact';
import type { FormProblem } from '../results/form-problem';
import { FormProblemNote } from '../components/form-problem-note';
import { CommentForm } from './comment-form';
import type { Thread } from './thread';

interface UnsentCommentPageProps {
  readonly thread: Thread;
  readonly content: string;
  readonly parent: number | null;
  readonly problem: FormProblem;
}

/** The form with a comment that the API refused: the text as typed, and the errors. */
export function UnsentCommentPage({ thread, content, parent, problem }: UnsentCommentPageProps): JSX.Element {
  return (
    <section class="comments">
      <h1>Comment not posted</h1>
      <FormProblemNote problem={problem} fields={['content']} />
      <CommentForm
        thread={thread}
        id="comment"
        label={parent === null ? 'Your comment' : 'Your reply'}
        content={content}
        errors={problem.errors['content'] ?? []}
        number={problem.number}
        {...(parent !== null && { parent })}
      />
      <p>
        <a href={thread.page}>Back to the post</a>
      </p>
    </section>
  );
}
