import type { JSX } from 'preact';
import { LOG_IN_FIELDS, LogInFields } from '../components/log-in-fields';
import { PasskeyForm } from '../components/passkey-form';
import { PostForm } from '../components/post-form';
import { ProviderLinks } from '../components/provider-links';
import { GuestUploadsNote } from '../guests/guest-uploads-note';
import type { FormProblem } from '../results/form-problem';
import { FormProblemNote } from '../components/form-problem-note';
import { Page } from '../results/page';
import type { LogInRules } from './entering';
import { registerPath } from '../links/paths';

export interface LogInForm {
  readonly rules: LogInRules;
  /** The username that was typed. */
  readonly login?: string;
  /** Path to which the visitor is sent afterwards. */
  readonly next: string;
  readonly problem?: FormProblem;
}

export const logInPage = (form: LogInForm): Page =>
  new Page({
    title: 'Log in',
    status: form.problem?.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    scripts: ['account.js', 'passkeys.js'],
    // `next` may name the key of a private post.
    secret: true,
    body: <LogIn {...form} />,
  });

function LogIn({ rules, login = '', next, problem }: LogInForm): JSX.Element {
  return (
    <div class="entrance">
      <h1>Log in</h1>
      <FormProblemNote problem={problem} fields={LOG_IN_FIELDS} />
      {rules.password_login && (
        <PostForm action="/login" class="card stack">
          <LogInFields login={login} problem={problem} autoFocus={login === ''} />
          <button class="button primary wide">Log in</button>
          <input type="hidden" name="next" value={next} />
        </PostForm>
      )}
      <PasskeyForm action="/login/passkey" options="/login/passkey/options" does="use">
        <input type="hidden" name="next" value={next} />
        <button class="button wide">Use a passkey instead</button>
      </PasskeyForm>
      <ProviderLinks providers={rules.providers} next={next} label="Log in with" />
      {rules.password_login && (
        <p class="quiet">
          <a href="/forgot-password">Forgot your password?</a>
        </p>
      )}
      <p class="quiet">
        New here? <a href={registerPath(next)}>Sign up</a>
      </p>
      <GuestUploadsNote />
    </div>
  );
}
