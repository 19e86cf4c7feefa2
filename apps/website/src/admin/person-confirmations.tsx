import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { CopyField } from '../components/copy-field';
import { FormProblemNote } from '../components/form-problem-note';
import { PostForm } from '../components/post-form';
import { RelativeTime } from '../components/relative-time';
import type { FormProblem } from '../results/form-problem';
import { PROOF_FIELDS, ProofFields } from '../settings/proof-fields';
import type { Person } from './person-page';

interface ConfirmationProps {
  readonly person: Person;
  /** The username of the admin. */
  readonly admin: string;
  readonly problem?: FormProblem | undefined;
}

const pathOf = ({ username }: Person): string => `/admin/people/${encodeURIComponent(username)}`;

/** The page on which an admin confirms that a reset link is created. */
export function ConfirmResetLinkPage({ person, admin, problem }: ConfirmationProps): JSX.Element {
  const path = pathOf(person);
  return (
    <section class="card stack">
      <h1>Reset link for {person.username}</h1>
      <p>
        The link sets a new password once, within 30 minutes. Using it ends all sessions and revokes all API
        tokens of the account. Second factors stay.
      </p>
      <p>
        <strong>Give it only to the owner of the account</strong>, after you have verified who is asking.
      </p>
      <FormProblemNote problem={problem} fields={PROOF_FIELDS} />
      <PostForm action={`${path}/reset-link`} number={problem?.number} class="stack">
        <ProofFields id="proof" username={admin} problem={problem} codes />
        <div class="row">
          <button class="button primary">Create link</button>
          <a class="button" href={path}>
            Cancel
          </a>
        </div>
      </PostForm>
    </section>
  );
}

/** The only page that shows a reset link. */
export function ResetLinkPage(props: {
  readonly person: Person;
  readonly link: AnswerOf<'createResetLink'>;
}): JSX.Element {
  const { person, link } = props;
  return (
    <section class="card stack">
      <h1>Reset link for {person.username}</h1>
      <p class="callout">
        <strong>Copy the link now: it is shown only once.</strong> It works once, and expires{' '}
        <RelativeTime at={link.expires_at} />.
      </p>
      <CopyField id="reset-link" label="Link" value={link.url} />
      <p>
        <a class="button" href={pathOf(person)}>
          Back to {person.username}
        </a>
      </p>
    </section>
  );
}

/** The page on which an admin confirms that the second factors of an account are removed. */
export function RemoveFactorsPage({ person, admin, problem }: ConfirmationProps): JSX.Element {
  const path = pathOf(person);
  return (
    <section class="card stack">
      <h1>Remove the second factors of {person.username}</h1>
      <p>
        This removes the authenticator app, all passkeys and all recovery codes. After that, the password is
        enough to log in. The owner is notified.
      </p>
      <p>
        <strong>First verify that the owner of the account is asking for this.</strong>
      </p>
      <FormProblemNote problem={problem} fields={PROOF_FIELDS} />
      <PostForm action={`${path}/second-factors`} number={problem?.number} class="stack">
        <ProofFields id="proof" username={admin} problem={problem} codes />
        <div class="row">
          <button class="button danger">Remove second factors</button>
          <a class="button" href={path}>
            Keep them
          </a>
        </div>
      </PostForm>
    </section>
  );
}
