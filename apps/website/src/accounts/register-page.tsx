import type { JSX } from 'preact';
import { Field } from '../components/field';
import { PasswordField } from '../components/password-field';
import { PostForm } from '../components/post-form';
import { GuestUploadsNote } from '../guests/guest-uploads-note';
import { type FormTrouble, TroubleNote } from '../rendering/form-trouble';
import { Page } from '../rendering/page';
import { logInPath } from '../visits/log-in-path';

export interface RegisterForm {
  /** What was typed. */
  readonly username?: string;
  readonly email?: string;
  /** Path where the visitor goes on. */
  readonly next: string;
  readonly trouble?: FormTrouble;
}

export const registerPage = (form: RegisterForm): Page =>
  new Page({
    title: 'Open an account',
    status: form.trouble?.status ?? 200,
    head: { description: 'An account takes a name and a password. An e-mail address is optional.' },
    styles: ['account.css'],
    scripts: ['account.js'],
    // `next` may name the key of a private post.
    secret: true,
    body: <Register {...form} />,
  });

function Register({ username = '', email = '', next, trouble }: RegisterForm): JSX.Element {
  const errors = trouble?.errors ?? {};
  return (
    <div class="entrance">
      <h1>Open an account</h1>
      <p class="quiet">To vote, comment, follow people, and keep what you upload together.</p>
      <TroubleNote trouble={trouble} fields={['username', 'password', 'email']} />
      <PostForm action="/register" number={trouble?.number} class="card stack">
        <Field
          label="Username"
          name="username"
          hint="3 to 30 letters, digits and underscores. It is public, and stays."
          errors={errors['username']}
        >
          {(control) => (
            <input
              {...control}
              type="text"
              value={username}
              autoComplete="username"
              autoCapitalize="none"
              spellcheck={false}
              minLength={3}
              maxLength={30}
              pattern="[A-Za-z0-9_]+"
              title="Letters, digits and underscores"
              required
              autoFocus={username === ''}
            />
          )}
        </Field>
        <PasswordField
          label="Password"
          name="password"
          autoComplete="new-password"
          minLength={10}
          hint="At least 10 characters. A sentence does well."
          errors={errors['password']}
        />
        <Field
          label="E-mail (optional)"
          name="email"
          hint="Another way to log in. Nobody sees it, and nothing is sent to it."
          errors={errors['email']}
        >
          {(control) => (
            <input {...control} type="email" value={email} autoComplete="email" maxLength={254} />
          )}
        </Field>
        <button class="button primary wide">Open the account</button>
        <input type="hidden" name="next" value={next} />
      </PostForm>
      <p class="quiet">
        You have one? <a href={logInPath(next)}>Log in</a>
      </p>
      <GuestUploadsNote />
    </div>
  );
}
