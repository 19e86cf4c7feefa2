import { createHash, createHmac } from 'node:crypto';
import type { ProofPurpose } from '@vitrine/contracts';
import { Counters } from '@vitrine/counters';
import { InvalidFieldsError, NotFoundError } from '../../base/errors/domain-error';
import { ProofOfWorkConfig } from './proof-of-work.config';
import { type ProofChallenge, ProofOfWorkService } from './proof-of-work.service';

const KEY = 'a-key-for-tests-of-32-characters-or-more';

interface SentChallenge {
  readonly parameters: Record<string, unknown>;
  readonly signature: string;
}

const start = (settings: Partial<ProofOfWorkConfig> = {}): ProofOfWorkService => {
  const config = Object.assign(new ProofOfWorkConfig(), {
    difficulty: 200,
    key: KEY,
    ...settings,
  });
  return new ProofOfWorkService(config, new Counters({ redisUrl: '' }));
};

const sent = (challenge: ProofChallenge): SentChallenge =>
  JSON.parse(JSON.stringify(challenge)) as SentChallenge;

/** Solves a challenge by the steps of docs/guides/accounts.md, without the library. */
function solve({ parameters, signature }: SentChallenge, from = 0): string {
  const { salt, nonce, keyPrefix } = parameters as Record<'salt' | 'nonce' | 'keyPrefix', string>;
  const begin = Buffer.from(salt + nonce, 'hex');
  for (let counter = from; ; counter++) {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(counter);
    const derivedKey = createHash('sha256').update(begin).update(number).digest('hex');
    if (!derivedKey.startsWith(keyPrefix)) continue;
    return encode({ challenge: { parameters, signature }, solution: { counter, derivedKey } });
  }
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

describe('ProofOfWorkService', () => {
  const refusalOf = async (work: Promise<unknown>): Promise<string> => {
    const error: unknown = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof InvalidFieldsError)) throw new Error('It was not refused');
    return error.errors['proof_of_work']?.join(' ') ?? '';
  };

  // Promise [accounts]: `PROOF_OF_WORK_KEY` demands the solution of a challenge before new accounts.
  it('accepts a solution by the documented steps, for each purpose', async () => {
    const proofs = start();
    for (const purpose of ['register', 'apply', 'guest'] as const) {
      await proofs.accept(solve(sent(await proofs.challenge(purpose))), purpose);
    }
    expect(await proofs.challenge('guest')).toMatchObject({
      parameters: { algorithm: 'SHA-256', cost: 1, data: { purpose: 'guest', difficulty: 200 } },
    });
  });

  it('accepts a challenge once, also if two requests come at the same time', async () => {
    const proofs = start();
    const proof = solve(sent(await proofs.challenge('register')));
    const outcomes = await Promise.allSettled([
      proofs.accept(proof, 'register'),
      proofs.accept(proof, 'register'),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    // Another spelling of the same challenge is the same challenge.
    const { challenge, solution } = JSON.parse(Buffer.from(proof, 'base64').toString()) as {
      challenge: SentChallenge;
      solution: object;
    };
    const reordered = Object.fromEntries(Object.entries(challenge.parameters).reverse());
    for (const again of [
      proof,
      encode({ solution, challenge: { ...challenge, parameters: reordered, extra: 1 } }),
      encode({ challenge: { ...challenge, signature: challenge.signature.toUpperCase() }, solution }),
    ]) {
      expect(await refusalOf(proofs.accept(again, 'register'))).toMatch(/used already|invalid/);
    }
  });

  it('refuses a missing, unreadable or wrong proof', async () => {
    const proofs = start();
    const challenge = sent(await proofs.challenge('register'));
    const right = JSON.parse(Buffer.from(solve(challenge), 'base64').toString()) as {
      solution: { counter: number; derivedKey: string };
    };
    for (const missing of [null, '']) {
      expect(await refusalOf(proofs.accept(missing, 'register'))).toBe(
        'The proof_of_work field is required.',
      );
    }
    const { counter, derivedKey } = right.solution;
    const wrong = [
      'nonsense',
      encode(null),
      encode([]),
      encode({ challenge }),
      encode({ challenge, solution: { counter: counter + 1, derivedKey } }),
      encode({ challenge, solution: { counter: counter + 2 ** 32, derivedKey } }),
      encode({ challenge, solution: { counter: String(counter), derivedKey } }),
      encode({ challenge, solution: { counter, derivedKey: derivedKey.toUpperCase() } }),
      encode({ challenge, solution: { counter: 0, derivedKey: '00' } }),
    ];
    for (const proof of wrong) {
      expect(await refusalOf(proofs.accept(proof, 'register'))).toBe('The proof_of_work field is invalid.');
    }
    // None of them has used up the challenge.
    await proofs.accept(solve(challenge), 'register');
  });

  it.each<[string, (challenge: SentChallenge) => SentChallenge]>([
    [
      'with an easier prefix',
      ({ parameters, signature }) => ({ parameters: { ...parameters, keyPrefix: '00' }, signature }),
    ],
    [
      'with another purpose',
      ({ parameters, signature }) => ({
        parameters: { ...parameters, data: { purpose: 'register', difficulty: 200 } },
        signature,
      }),
    ],
    [
      'with a later end',
      ({ parameters, signature }) => ({
        parameters: { ...parameters, expiresAt: Number(parameters['expiresAt']) + 600 },
        signature,
      }),
    ],
    [
      'that is signed with another key',
      ({ parameters }) => ({
        parameters,
        signature: createHmac('sha256', 'another key').update(JSON.stringify(parameters)).digest('hex'),
      }),
    ],
    ['without a signature', ({ parameters }) => ({ parameters, signature: '' })],
  ])('refuses a challenge %s', async (_, forge) => {
    const proofs = start();
    const forged = forge(sent(await proofs.challenge('guest')));
    const purpose: ProofPurpose = 'guest';
    expect(await refusalOf(proofs.accept(solve(forged), purpose))).toBe(
      'The proof_of_work field is invalid.',
    );
  });

  it('refuses a challenge of another purpose or another difficulty', async () => {
    const [proofs, harder] = [start(), start({ difficulty: 300 })];
    const proof = solve(sent(await proofs.challenge('guest')));
    for (const refused of [proofs.accept(proof, 'register'), harder.accept(proof, 'guest')]) {
      expect(await refusalOf(refused)).toBe('The proof_of_work field is invalid.');
    }
  });

  it('refuses a challenge after ten minutes', async () => {
    const proofs = start();
    const begun = Date.now();
    const proof = solve(sent(await proofs.challenge('register')));
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 601_000);
    try {
      expect(await refusalOf(proofs.accept(proof, 'register'))).toBe(
        'The proof_of_work field has expired. Solve a new challenge.',
      );
      clock.mockReturnValue(begun + 599_000);
      await proofs.accept(proof, 'register');
    } finally {
      clock.mockRestore();
    }
  });

  it('has no challenges and needs no proof while it is off', async () => {
    const proofs = start({ key: '' });
    await expect(proofs.challenge('register')).rejects.toThrow(NotFoundError);
    await proofs.accept(null, 'register');
  });
});
