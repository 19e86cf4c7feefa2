import type { AddPasskeyRequest, PasskeyAssertionRequest, ProofRequest } from '@vitrine/contracts/api';
import type { PasskeyAssertion, PasskeyAttestation, Proof } from '@vitrine/domain';

/** The passkey in a body; null unless all of its fields are sent. */
export function readAssertion(body: Partial<PasskeyAssertionRequest>): PasskeyAssertion | null {
  const { passkey_id: id, passkey_client_data: clientData, passkey_signature: signature } = body;
  const { passkey_authenticator_data: authenticatorData } = body;
  if (!id || !clientData || !authenticatorData || !signature) return null;
  return { id, clientData, authenticatorData, signature };
}

/** The new passkey in a body. */
export const readAttestation = (body: AddPasskeyRequest): PasskeyAttestation => ({
  id: body.passkey_id,
  clientData: body.passkey_client_data,
  attestation: body.passkey_attestation,
  transports: body.passkey_transports ?? [],
});

/** Ends the description of each operation that reads `ProofRequest`. */
export const PROOF = 'Requires `current_password`, or `code` of a second factor.';

/** How callers prove again who they are. */
export const proofIn = ({ current_password: currentPassword, code }: ProofRequest): Proof => ({
  currentPassword,
  code,
});
