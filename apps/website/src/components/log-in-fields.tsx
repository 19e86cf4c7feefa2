import type { JSX } from 'preact';
import type { FormTrouble } from '../rendering/form-trouble';
import { Field } from './field';
import { PasswordField } from './password-field';

/** Names of the fields, for `TroubleNote`. */
export const LOG_IN_FIELDS = ['login', 'password'] as const;

interface LogInFieldsProps {
  /** What was typed: a username or an e-mail address. */
  readonly login: string;
  readonly trouble: FormTrouble | undefined;
  readonly autoFocus?: boolean;
}

/** By what somebody logs in. */
export function LogInFields({ login, trouble, autoFocus }: LogInFieldsProps): JSX.Element {
  return (
    <>
      <Field label="Username" name="login" errors={trouble?.errors['login']}>
        {(control) => (
          <input
            {...control}
            type="text"
            value={login}
            autoComplete="username"
            autoCapitalize="none"
            spellcheck={false}
            maxLength={254}
            required
            autoFocus={autoFocus}
          />
        )}
      </Field>
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        errors={trouble?.errors['password']}
      />
    </>
  );
}
