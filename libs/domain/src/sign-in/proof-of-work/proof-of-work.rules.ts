import type { Challenge, ChallengeParameters, Solution } from 'altcha-lib/types';

const HEX = /^(?:[0-9a-f]{2}){1,32}$/;
const MAX_COUNTER = 0xffffffff;

/** A challenge as a client sends it back, with what the client found. */
export interface Proof {
  readonly challenge: Challenge;
  readonly solution: Solution;
}

/**
 * Reads the text of a proof: base64 of `{challenge, solution}` as JSON. Returns null unless it has the form that our
 * challenges have, so that the library computes with nothing else.
 */
export function readProof(text: string): Proof | null {
  const { challenge, solution } = objectOf(parse(text));
  const { parameters: sent, signature } = objectOf(challenge);
  const { counter, derivedKey } = objectOf(solution);
  const parameters = objectOf(sent);
  const isOurs =
    parameters['algorithm'] === 'SHA-256' &&
    parameters['cost'] === 1 &&
    parameters['keyLength'] === 32 &&
    ['nonce', 'salt', 'keyPrefix'].every((name) => isHex(parameters[name])) &&
    Number.isSafeInteger(parameters['expiresAt']) &&
    isHex(signature) &&
    Number.isInteger(counter) &&
    Number(counter) >= 0 &&
    Number(counter) <= MAX_COUNTER &&
    isHex(derivedKey);
  if (!isOurs) return null;
  return {
    challenge: { parameters: parameters as unknown as ChallengeParameters, signature: String(signature) },
    solution: { counter: Number(counter), derivedKey: String(derivedKey) },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const isHex = (value: unknown): boolean => typeof value === 'string' && HEX.test(value);
