import type { JSX } from 'preact';
import { LOG_IN_FIELDS, LogInFields } from '../components/log-in-fields';
import { PostForm } from '../components/post-form';
import { GuestUploadsNote } from '../guests/guest-uploads-note';
import { type FormTrouble, TroubleNote } from '../rendering/form-trouble';
import { Page } from '../rendering/page';
import { registerPath } from '../visits/log-in-path';

export interface LogInForm {
  /** The username that was typed. */
  readonly login?: string;
  /** Path where the visitor goes on. */
  readonly next: string;
  readonly trouble?: FormTrouble;
}

export const logInPage = (form: LogInForm): Page =>
  new Page({
    title: 'Log in',
    status: form.trouble?.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    scripts: ['account.js'],
    // `next` may name the key of a private post.
    secret: true,
    body: <LogIn {...form} />,
  });

function LogIn({ login = '', next, trouble }: LogInForm): JSX.Element {
  return (
    <div class="entrance">
      <h1>Log in</h1>
      <TroubleNote trouble={trouble} fields={LOG_IN_FIELDS} />
      <PostForm action="/login" class="card stack">
        <LogInFields login={login} trouble={trouble} autoFocus={login === ''} />
        <button class="button primary wide">Log in</button>
        <input type="hidden" name="next" value={next} />
      </PostForm>
      <p class="quiet">
        New here? <a href={registerPath(next)}>Open an account</a>
      </p>
      <GuestUploadsNote />
    </div>
  );
}
