import type { JSX } from 'preact';
import { MAX_LENGTHS } from '@vitrine/contracts';
import type { FormProblem } from '../results/form-problem';
import { Field } from './field';
import { PasswordField } from './password-field';

/** Names of the fields, for `FormProblemNote`. */
export const LOG_IN_FIELDS = ['login', 'password'] as const;

interface LogInFieldsProps {
  /** The username or the email address, as typed. */
  readonly login: string;
  readonly problem: FormProblem | undefined;
  readonly autoFocus?: boolean | undefined;
}

/** The field for the username or the email address. */
export function LoginField({ login, problem, autoFocus }: LogInFieldsProps): JSX.Element {
  return (
    <Field label="Username or email" name="login" errors={problem?.errors['login']}>
      {(control) => (
        <input
          {...control}
          type="text"
          value={login}
          autoComplete="username"
          autoCapitalize="none"
          spellcheck={false}
          maxLength={MAX_LENGTHS.email}
          required
          autoFocus={autoFocus}
        />
      )}
    </Field>
  );
}

/** The fields for username and password. */
export function LogInFields({ login, problem, autoFocus }: LogInFieldsProps): JSX.Element {
  return (
    <>
      <LoginField login={login} problem={problem} autoFocus={autoFocus} />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        errors={problem?.errors['password']}
      />
    </>
  );
}
