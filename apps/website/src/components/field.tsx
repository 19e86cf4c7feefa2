import type { ComponentChildren, JSX } from 'preact';

interface FieldProps {
  readonly label: string;
  readonly name: string;
  /** The id of the control, if the name isn't unique within the page. */
  readonly id?: string;
  /** One line under the field, such as the allowed values. */
  readonly hint?: ComponentChildren;
  /** The errors of the field, as sentences. */
  readonly errors?: readonly string[] | undefined;
  /** Renders the control with the attributes that connect it to its label, hint and errors. */
  readonly children: (control: ControlAttributes) => JSX.Element;
}

export interface ControlAttributes {
  readonly id: string;
  readonly name: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: 'true';
}

/** A labelled control of a form with its hint and its errors. */
export function Field({
  label,
  name,
  id = `field-${name}`,
  hint,
  errors = [],
  children,
}: FieldProps): JSX.Element {
  const described = [hint !== undefined && `${id}-hint`, errors.length > 0 && `${id}-error`].filter(Boolean);
  return (
    <div class={errors.length > 0 ? 'field invalid' : 'field'}>
      <label for={id}>{label}</label>
      {children({
        id,
        name,
        ...(described.length > 0 && { 'aria-describedby': described.join(' ') }),
        ...(errors.length > 0 && { 'aria-invalid': 'true' as const }),
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {errors.length > 0 && (
        <p class="error" id={`${id}-error`}>
          {errors.join(' ')}
        </p>
      )}
    </div>
  );
}
