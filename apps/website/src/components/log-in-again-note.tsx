import type { JSX } from 'preact';
import type { FormProblem } from '../results/form-problem';

interface LogInAgainNoteProps {
  readonly problem: FormProblem | undefined;
  /** The field of the password in the API. */
  readonly field: string;
}

/** Takes the place of the password in forms of accounts without one: they prove themselves by a new login. */
export const LogInAgainNote = ({ problem, field }: LogInAgainNoteProps): JSX.Element => (
  <p class={problem?.errors[field] ? 'callout danger' : 'callout'}>
    {problem?.errors[field]?.join(' ')} Your account has no password, so you must have logged in within the
    last 10 minutes. <a href="/settings/providers">Log in again</a>
  </p>
);
