import type { JSX } from 'preact';
import { Field } from '../components/field';
import { PasswordField } from '../components/password-field';
import { PostForm } from '../components/post-form';
import { GuestUploadsNote } from '../guests/guest-uploads-note';
import type { FormProblem } from '../results/form-problem';
import { FormProblemNote } from '../components/form-problem-note';
import { Page } from '../results/page';
import { logInPath } from '../links/log-in-path';

export interface RegisterForm {
  /** What was typed. */
  readonly username?: string;
  readonly email?: string;
  /** Path to which the visitor is sent afterwards. */
  readonly next: string;
  readonly problem?: FormProblem;
}

export const registerPage = (form: RegisterForm): Page =>
  new Page({
    title: 'Sign up',
    status: form.problem?.status ?? 200,
    head: { description: 'You only need a username and a password. An e-mail address is optional.' },
    styles: ['account.css'],
    scripts: ['account.js'],
    // `next` may name the key of a private post.
    secret: true,
    body: <Register {...form} />,
  });

function Register({ username = '', email = '', next, problem }: RegisterForm): JSX.Element {
  const errors = problem?.errors ?? {};
  return (
    <div class="entrance">
      <h1>Sign up</h1>
      <p class="quiet">Sign up to vote, comment, follow people and keep all your uploads in one place.</p>
      <FormProblemNote problem={problem} fields={['username', 'password', 'email']} />
      <PostForm action="/register" number={problem?.number} class="card stack">
        <Field
          label="Username"
          name="username"
          hint="3 to 30 letters, digits or underscores. Everyone can see it, and you can’t change it later."
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
          hint="At least 10 characters. A short sentence works well."
          errors={errors['password']}
        />
        <Field
          label="E-mail (optional)"
          name="email"
          hint="Nobody else can see it, and we send nothing to it. You log in with your username."
          errors={errors['email']}
        >
          {(control) => (
            <input {...control} type="email" value={email} autoComplete="email" maxLength={254} />
          )}
        </Field>
        <button class="button primary wide">Sign up</button>
        <input type="hidden" name="next" value={next} />
      </PostForm>
      <p class="quiet">
        Already have an account? <a href={logInPath(next)}>Log in</a>
      </p>
      <GuestUploadsNote />
    </div>
  );
}
