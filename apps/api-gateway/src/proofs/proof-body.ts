import type { ProofRequest } from '@vitrine/contracts/api';
import type { Proof } from '@vitrine/domain';

/** Ends the description of each operation that reads `ProofRequest`. */
export const PROOF = 'Requires `current_password`, or `code` of a second factor.';

/** How callers prove again who they are. */
export const proofIn = ({ current_password: currentPassword, code }: ProofRequest): Proof => ({
  currentPassword,
  code,
});
