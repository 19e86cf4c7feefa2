import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { BASE62, TOKEN_PATTERN, TOKEN_PREFIXES } from '@vitrine/contracts';
import type { TokenKind } from '../../base/access/caller';
import { randomBase62 } from '../../base/identifiers/random-base62';

/** 34 random characters of 62 hold 202 bits. */
const RANDOM_LENGTH = 34;
/** 62^6 exceeds 2^32, so every CRC-32 fits. */
const CHECKSUM_LENGTH = 6;

/** CRC-32 (IEEE) of a token's random part in base62, padded with `0` to six characters. */
export function checksumOf(random: string): string {
  let rest = crc32(random);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** A new secret of this kind from the system's random source. */
export function mintSecret(kind: TokenKind): string {
  const random = randomBase62(RANDOM_LENGTH);
  return TOKEN_PREFIXES[kind] + random + checksumOf(random);
}

/** Whether a text has the form of a secret, so that typing errors and guesses don't reach the database. */
export function isWellFormedSecret(text: string): boolean {
  const [, , random, checksum] = TOKEN_PATTERN.exec(text) ?? [];
  return random !== undefined && checksumOf(random) === checksum;
}

/** The hash of a secret that is stored. 202 random bits need no slow hash. */
export const secretHash = (secret: string): Buffer => hash('sha256', secret, 'buffer');
