import type { JSX } from 'preact';
import { MAX_LENGTHS } from '@vitrine/contracts';
import { Field } from './field';

interface SignUpFieldProps {
  /** What was typed. */
  readonly value: string;
  readonly errors: readonly string[] | undefined;
}

/** The field for the username of a new account. */
export const UsernameField = ({
  value,
  errors,
  autoFocus = false,
}: SignUpFieldProps & { readonly autoFocus?: boolean }): JSX.Element => (
  <Field
    label="Username"
    name="username"
    hint="3 to 30 letters, digits or underscores. Everyone can see it, and you can’t change it later."
    errors={errors}
  >
    {(control) => (
      <input
        {...control}
        type="text"
        value={value}
        autoComplete="username"
        autoCapitalize="none"
        spellcheck={false}
        minLength={3}
        maxLength={MAX_LENGTHS.username}
        pattern="[A-Za-z0-9_]+"
        title="Letters, digits and underscores"
        required
        autoFocus={autoFocus}
      />
    )}
  </Field>
);

/** Says what happens to an application for an account. */
export const ApplicationNote = (): JSX.Element => (
  <p class="callout">
    The moderators decide on each new account. You can log in as soon as they have accepted yours.
  </p>
);

/** The field for the text of an application. */
export const ApplicationField = ({ value, errors }: SignUpFieldProps): JSX.Element => (
  <Field
    label="Why would you like to join?"
    name="application"
    hint="The moderators read it. Up to 1,000 characters."
    errors={errors}
  >
    {(control) => (
      <textarea {...control} rows={4} maxLength={MAX_LENGTHS.application} required>
        {value}
      </textarea>
    )}
  </Field>
);
