import { Injectable } from '@nestjs/common';
import type { ProofPurpose } from '@vitrine/contracts';
import { Counters, type Limiter } from '@vitrine/counters';
import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import type { ChallengeParameters } from 'altcha-lib/types';
import { InvalidFieldsError, NotFoundError } from '../../base/errors/domain-error';
import { ProofOfWorkConfig } from './proof-of-work.config';
import { readProof } from './proof-of-work.rules';

/** Seconds for which a challenge is valid. */
const CHALLENGE_SECONDS = 600;
/** One hash for each number that is tried; clients in every common language have it. */
const ALGORITHM = 'SHA-256';

/** A challenge, and what it was made for, which is among its parameters. */
export interface ProofChallenge {
  readonly parameters: ChallengeParameters;
  readonly data: { readonly purpose: ProofPurpose; readonly difficulty: number };
  readonly signature: string;
}

const refusal = (message: string) => new InvalidFieldsError({ proof_of_work: [message] });

/**
 * Challenges that make new accounts and guests cost work, in the format of ALTCHA. A challenge is signed, ends after ten
 * minutes, is bound to a purpose, and can be used once. Nothing is stored for it until it is used.
 */
@Injectable()
export class ProofOfWorkService {
  private readonly spent: Limiter;

  constructor(
    private readonly config: ProofOfWorkConfig,
    counters: Counters,
  ) {
    // A spent challenge is remembered for longer than it is valid.
    this.spent = counters.limiter({ name: 'proofs', points: 1, windowSeconds: CHALLENGE_SECONDS + 60 });
  }

  get isRequired(): boolean {
    return this.config.required;
  }

  /** A new challenge. Throws `NotFoundError` if the site requires no proofs. */
  async challenge(purpose: ProofPurpose): Promise<ProofChallenge> {
    const { required, difficulty, key } = this.config;
    if (!required) throw new NotFoundError();
    const data = { purpose, difficulty };
    const { parameters, signature } = await createChallenge({
      algorithm: ALGORITHM,
      cost: 1,
      deriveKey,
      // The work is to find this number again.
      counter: randomInt(difficulty - 1),
      data,
      expiresAt: new Date(Date.now() + CHALLENGE_SECONDS * 1000),
      hmacSignatureSecret: key,
    });
    if (signature === undefined) throw new Error('The challenge is not signed');
    return { parameters, data, signature };
  }

  /**
   * Accepts the proof of a solved challenge, once; without effect if the site requires no proofs. Costs two hashes.
   * Throws `InvalidFieldsError` on `proof_of_work`.
   */
  async accept(proof: string | null, purpose: ProofPurpose): Promise<void> {
    const { required, difficulty, key } = this.config;
    if (!required) return;
    if (proof === null || proof === '') throw refusal('The proof_of_work field is required.');
    const read = readProof(proof);
    if (!read) throw refusal('The proof_of_work field is invalid.');
    const { challenge, solution } = read;
    const { verified, expired } = await verifySolution({
      challenge,
      solution,
      deriveKey,
      hmacSignatureSecret: key,
    });
    if (expired) throw refusal('The proof_of_work field has expired. Solve a new challenge.');
    const { data } = challenge.parameters;
    // A challenge from before a change of the difficulty is not accepted either.
    if (!verified || data?.['purpose'] !== purpose || data['difficulty'] !== difficulty) {
      throw refusal('The proof_of_work field is invalid.');
    }
    const { exceeded } = await this.spent.consume(challenge.signature ?? '');
    if (exceeded) throw refusal('The proof_of_work field has been used already. Solve a new challenge.');
  }
}
