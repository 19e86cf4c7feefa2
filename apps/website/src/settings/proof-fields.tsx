import type { JSX } from 'preact';
import { MAX_LENGTHS } from '@vitrine/contracts';
import { Field } from '../components/field';
import { PasswordField } from '../components/password-field';
import type { FormProblem } from '../results/form-problem';

/** The names of the fields. */
export const PROOF_FIELDS = ['current_password', 'code'] as const;

interface ProofFieldsProps {
  /** Unique within the page. */
  readonly id: string;
  /** The viewer's own. */
  readonly username: string;
  readonly problem: FormProblem | undefined;
  /** Whether a code can replace the password. */
  readonly codes: boolean;
}

/** The fields in which people prove again who they are: the password, or a code of a second factor. */
export const ProofFields = ({ id, username, problem, codes }: ProofFieldsProps): JSX.Element => (
  <>
    {/* For password managers; it isn't sent. */}
    <input type="text" value={username} autoComplete="username" readOnly hidden />
    <PasswordField
      label="Your password"
      name="current_password"
      id={`${id}-password`}
      autoComplete="current-password"
      optional={codes}
      errors={problem?.errors['current_password']}
    />
    {codes && (
      <Field
        label="Or a code of your app, or a recovery code"
        name="code"
        id={`${id}-code`}
        errors={problem?.errors['code']}
      >
        {(control) => (
          <input
            {...control}
            type="text"
            autoComplete="one-time-code"
            spellcheck={false}
            maxLength={MAX_LENGTHS.code}
          />
        )}
      </Field>
    )}
  </>
);
