import type { ComponentChildren, JSX } from 'preact';
import { MAX_LENGTHS } from '@vitrine/contracts';
import { Field } from './field';

interface PasswordFieldProps {
  readonly label: string;
  readonly name: string;
  /** Needed if another form of the page has a field with this name. Default: `field-NAME`. */
  readonly id?: string;
  /** For password managers: the kind of password. */
  readonly autoComplete: 'current-password' | 'new-password' | 'off';
  readonly hint?: ComponentChildren;
  readonly errors?: readonly string[] | undefined;
  readonly minLength?: number;
  /** Whether the field may stay empty. */
  readonly optional?: boolean;
  /** Whether a script says how easy the password is to guess (browser/account.ts). */
  readonly judged?: boolean;
}

/**
 * A password field; the page never contains a password. With scripts, a button makes the text visible
 * (browser/account.ts).
 */
export function PasswordField({
  autoComplete,
  minLength,
  optional = false,
  judged = false,
  ...field
}: PasswordFieldProps): JSX.Element {
  return (
    <Field {...field}>
      {(control) => (
        <>
          <div class="password">
            <input
              {...control}
              type="password"
              autoComplete={autoComplete}
              {...(minLength !== undefined && { minLength })}
              maxLength={MAX_LENGTHS.password}
              required={!optional}
            />
            <button type="button" class="reveal" data-reveal={control.id} aria-pressed="false" hidden>
              Show<span class="visually-hidden"> {field.label.toLowerCase()}</span>
            </button>
          </div>
          {judged && <p class="hint" role="status" data-strength-of={control.id} hidden />}
        </>
      )}
    </Field>
  );
}
