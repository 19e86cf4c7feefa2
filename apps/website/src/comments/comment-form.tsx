import type { JSX } from 'preact';
import { MAX_LENGTHS } from '@vitrine/contracts';
import { PostForm } from '../components/post-form';
import { postPath, logInPath } from '../links/paths';
import { useVisit } from '../components/visit-context';
import { type Thread, withThread } from './thread';

interface CommentFormProps {
  readonly thread: Thread;
  /** Unique within the page; ids of the form's parts begin with it. */
  readonly id: string;
  readonly label: string;
  /** Id of the comment to reply to. */
  readonly parent?: number;
  readonly content?: string;
  readonly errors?: readonly string[];
  /** The number of a form that is sent again (`PostForm`). */
  readonly number?: string | undefined;
}

/** The form for a comment or a reply; for visitors without a session a link to the login. */
export function CommentForm({
  thread,
  id,
  label,
  parent,
  content,
  errors = [],
  number,
}: CommentFormProps): JSX.Element {
  const { viewer } = useVisit();
  if (!viewer) {
    return (
      <p class="comment-login">
        <a class="button" href={logInPath(thread.page)} rel="nofollow">
          Log in to comment
        </a>
      </p>
    );
  }
  const hint = `${id}-hint`;
  const error = errors.length > 0 ? `${id}-error` : undefined;
  return (
    <PostForm
      action={withThread(`${postPath(thread.slug)}/comments`, thread)}
      id={id}
      number={number}
      class="comment-form"
      data-enhance="comment"
    >
      {parent !== undefined && <input type="hidden" name="parent_id" value={parent} />}
      <label class="visually-hidden" for={`${id}-content`}>
        {label}
      </label>
      <textarea
        id={`${id}-content`}
        name="content"
        dir="auto"
        rows={3}
        required
        placeholder={label}
        aria-describedby={error === undefined ? hint : `${error} ${hint}`}
        aria-invalid={error === undefined ? undefined : 'true'}
      >
        {content}
      </textarea>
      {error !== undefined && (
        <p class="error" id={error} data-error>
          {errors.join(' ')}
        </p>
      )}
      <div class="comment-form-foot">
        <p class="hint" id={hint} data-count={MAX_LENGTHS.comment}>
          At most {MAX_LENGTHS.comment} characters.
        </p>
        <button type="button" class="button" data-cancel hidden>
          Cancel
        </button>
        <button class="button primary">{parent === undefined ? 'Post' : 'Reply'}</button>
      </div>
    </PostForm>
  );
}
