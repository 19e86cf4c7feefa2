import type { ProofChallengeResource } from '@vitrine/contracts/api';
import type { ProofChallenge } from '@vitrine/domain';

/** The resource of a challenge: everything that is signed, and the signature. */
export const presentProofChallenge = ({
  parameters,
  data,
  signature,
}: ProofChallenge): ProofChallengeResource => ({
  parameters: {
    algorithm: parameters.algorithm,
    cost: parameters.cost,
    data: { purpose: data.purpose, difficulty: data.difficulty },
    expiresAt: parameters.expiresAt ?? 0,
    keyLength: parameters.keyLength,
    keyPrefix: parameters.keyPrefix,
    nonce: parameters.nonce,
    salt: parameters.salt,
  },
  signature,
});
