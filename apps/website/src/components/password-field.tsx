import type { ComponentChildren, JSX } from 'preact';
import { Field } from './field';

interface PasswordFieldProps {
  readonly label: string;
  readonly name: string;
  /** Needed where another form of the page has a field of the same name; `field-NAME` otherwise. */
  readonly id?: string;
  /** Tells password managers which one is meant. */
  readonly autoComplete: 'current-password' | 'new-password' | 'off';
  readonly hint?: ComponentChildren;
  readonly errors?: readonly string[] | undefined;
  readonly minLength?: number;
}

/** A password, which the page never holds. A button shows it as it is typed, where scripts run (browser/account.ts). */
export function PasswordField({ autoComplete, minLength, ...field }: PasswordFieldProps): JSX.Element {
  return (
    <Field {...field}>
      {(control) => (
        <div class="password">
          <input
            {...control}
            type="password"
            autoComplete={autoComplete}
            {...(minLength !== undefined && { minLength })}
            maxLength={200}
            required
          />
          <button type="button" class="reveal" data-reveal={control.id} aria-pressed="false" hidden>
            Show<span class="visually-hidden"> {field.label.toLowerCase()}</span>
          </button>
        </div>
      )}
    </Field>
  );
}
