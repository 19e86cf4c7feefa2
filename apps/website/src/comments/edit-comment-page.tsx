import type { JSX } from 'preact';
import { MAX_LENGTHS } from '@vitrine/contracts';
import { Field } from '../components/field';
import { FormProblemNote } from '../components/form-problem-note';
import { PostForm } from '../components/post-form';
import type { FormProblem } from '../results/form-problem';
import { editPath } from './comment-item';
import type { Thread } from './thread';

interface EditCommentPageProps {
  readonly thread: Thread;
  readonly id: number;
  readonly content: string;
  /** Why the API refused the text. */
  readonly problem?: FormProblem;
}

/** The page on which an author changes the text of a comment. */
export function EditCommentPage({ thread, id, content, problem }: EditCommentPageProps): JSX.Element {
  return (
    <section class="comments">
      <h1>Edit your comment</h1>
      {problem && <FormProblemNote problem={problem} fields={['content']} />}
      <PostForm action={editPath(thread, id)} class="comment-form" number={problem?.number}>
        <Field
          label="Your comment"
          name="content"
          hint={`At most ${MAX_LENGTHS.comment} characters.`}
          errors={problem?.errors['content']}
        >
          {(control) => (
            <textarea {...control} dir="auto" rows={5} required>
              {content}
            </textarea>
          )}
        </Field>
        <button class="button primary">Save</button>
      </PostForm>
      <p>
        <a href={thread.page}>Back to the post</a>
      </p>
    </section>
  );
}
