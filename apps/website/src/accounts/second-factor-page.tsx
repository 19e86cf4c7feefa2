import type { SecondFactorRequired } from '@vitrine/client';
import type { JSX } from 'preact';
import { MAX_LENGTHS } from '@vitrine/contracts';
import { Field } from '../components/field';
import { FormProblemNote } from '../components/form-problem-note';
import { PasskeyForm } from '../components/passkey-form';
import { PostForm } from '../components/post-form';
import { type FilledForm, heldFieldName, heldFields } from '../interrupted-forms/interrupted-form';
import type { FormProblem } from '../results/form-problem';
import { Page } from '../results/page';

export type Accepted = SecondFactorRequired['accepted'][number];

export interface SecondFactorForm {
  /** Completes the login. */
  readonly pendingLogin: string;
  readonly accepted: readonly Accepted[];
  /** Path to which the visitor is sent afterwards. */
  readonly next: string;
  /** The form that waits for the login. */
  readonly held: FilledForm | null;
  readonly problem?: FormProblem;
}

export const secondFactorPage = (form: SecondFactorForm): Page =>
  new Page({
    title: 'Second step',
    status: form.problem?.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    scripts: form.accepted.includes('passkey') ? ['passkeys.js'] : [],
    secret: true,
    body: <SecondFactor {...form} />,
  });

function SecondFactor(form: SecondFactorForm): JSX.Element {
  const { accepted, problem } = form;
  return (
    <div class="entrance">
      <h1>Second step</h1>
      <FormProblemNote problem={problem} fields={['code']} />
      {accepted.includes('passkey') && (
        <PasskeyForm action="/login/second-factor" options="/login/second-factor/options" does="use">
          <Carried {...form} />
          <button class="button primary wide">Use a passkey</button>
        </PasskeyForm>
      )}
      <PostForm action="/login/second-factor" class="card stack">
        <Field
          label="Code"
          name="code"
          hint={
            accepted.includes('app')
              ? 'The six digits in your authenticator app, or a recovery code.'
              : 'A recovery code.'
          }
          errors={problem?.errors['code']}
        >
          {(control) => (
            <input
              {...control}
              type="text"
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellcheck={false}
              maxLength={MAX_LENGTHS.code}
              required
              autoFocus
            />
          )}
        </Field>
        <Carried {...form} />
        <button class="button primary wide">Log in</button>
      </PostForm>
      <p class="quiet">
        <a href="/login">Start again</a>
      </p>
    </div>
  );
}

/** What the second step needs of the first. */
const Carried = ({ pendingLogin, accepted, next, held }: SecondFactorForm): JSX.Element => (
  <>
    <input type="hidden" name="pending_login" value={pendingLogin} />
    <input type="hidden" name="accepted" value={accepted.join(',')} />
    <input type="hidden" name="next" value={next} />
    {held &&
      [...heldFields(held), ...held.fields.map(([name, value]) => [heldFieldName(name), value] as const)].map(
        ([name, value]) => <input type="hidden" name={name} value={value} />,
      )}
  </>
);
