import type { JSX } from 'preact';
import { PostForm } from '../components/post-form';
import type { Subject } from './queue-item';

interface UndoFormProps {
  readonly subject: Subject;
  /** For a post: the revision that was decided on. */
  readonly revision: number | undefined;
  /** Ids of the bans that the decision added. */
  readonly bans: readonly number[];
}

/** The form that undoes a moderator's latest ruling. */
export function UndoForm({ subject, revision, bans }: UndoFormProps): JSX.Element {
  return (
    <PostForm action="/moderation/undo" class="undo-form">
      <input type="hidden" name="type" value={subject.type} />
      <input type="hidden" name="target" value={subject.target} />
      {revision !== undefined && <input type="hidden" name="revision" value={revision} />}
      <input type="hidden" name="bans" value={bans.join(',')} />
      <button class="button">Undo</button>
    </PostForm>
  );
}
