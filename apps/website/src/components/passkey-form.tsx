import type { ComponentChildren, JSX } from 'preact';
import { PostForm } from './post-form';

interface PasskeyFormProps {
  readonly action: string;
  /** Path from which the script gets the options of the passkey. */
  readonly options: string;
  /** Whether a passkey is made or used. */
  readonly does: 'make' | 'use';
  readonly children: ComponentChildren;
}

/** Names of the fields that the script fills (browser/passkeys.ts). */
const FIELDS = {
  make: ['passkey_id', 'passkey_client_data', 'passkey_attestation', 'passkey_transports'],
  use: ['passkey_id', 'passkey_client_data', 'passkey_authenticator_data', 'passkey_signature'],
} as const;

/** A form that is sent with a passkey. Passkeys need scripts, so it is hidden without them. */
export function PasskeyForm({ action, options, does, children }: PasskeyFormProps): JSX.Element {
  return (
    <div data-passkeys hidden>
      <PostForm action={action} class="stack" data-passkey={does} data-options={options}>
        {FIELDS[does].map((name) => (
          <input type="hidden" name={name} value="" />
        ))}
        {children}
        <p class="error" data-passkey-problem role="alert" hidden />
      </PostForm>
    </div>
  );
}
