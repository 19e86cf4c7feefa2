import type { JSX } from 'preact';
import { MAX_LENGTHS } from '@vitrine/contracts';
import { Field } from '../components/field';
import { FormProblemNote } from '../components/form-problem-note';
import { pluralize } from '../components/words';
import { PostForm } from '../components/post-form';
import type { FormProblem } from '../results/form-problem';
import { PROOF_FIELDS, ProofFields } from '../settings/proof-fields';
import type { Person } from './person-page';

/** What the admin has typed. */
export interface TypedDeletion {
  readonly username: string;
  readonly reason: string;
}

interface DeletePersonPageProps {
  readonly person: Person;
  /** The username of the admin. */
  readonly admin: string;
  readonly typed: TypedDeletion;
  readonly problem?: FormProblem | undefined;
}

/** The page on which an admin confirms the deletion of an account. */
export function DeletePersonPage({ person, admin, typed, problem }: DeletePersonPageProps): JSX.Element {
  const { username, post_count: posts, media_count: media } = person;
  const path = `/admin/people/${encodeURIComponent(username)}`;
  return (
    <section class="card stack">
      <h1>Delete {username}</h1>
      <p>
        This deletes {pluralize(posts, 'post')}, {media} media and their files, and all comments, votes,
        sessions and API tokens of the account. Nobody can use the name again.{' '}
        <strong>This can’t be undone.</strong>
      </p>
      <FormProblemNote problem={problem} fields={['username', 'reason', ...PROOF_FIELDS]} />
      <PostForm action={`${path}/delete`} number={problem?.number} class="stack">
        <Field
          label="Username"
          name="username"
          hint={`Type ${username} to confirm.`}
          errors={problem?.errors['username']}
        >
          {(control) => (
            <input
              {...control}
              value={typed.username}
              maxLength={MAX_LENGTHS.username}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              required
            />
          )}
        </Field>
        <Field
          label="Reason"
          name="reason"
          hint="Stored in the audit log. The user doesn’t see it."
          errors={problem?.errors['reason']}
        >
          {(control) => (
            <textarea
              {...control}
              rows={3}
              maxLength={MAX_LENGTHS.deletionReason}
              value={typed.reason}
              required
            />
          )}
        </Field>
        <ProofFields id="proof" username={admin} problem={problem} codes />
        <div class="row">
          <button class="button danger">Delete account</button>
          <a class="button" href={path}>
            Keep account
          </a>
        </div>
      </PostForm>
    </section>
  );
}
