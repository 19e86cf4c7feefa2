import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIXES = { api: 'vtr_', session: 'vts_', ticket: 'vtu_', guest: 'vtg_' } as const;

/** The kind of a token. */
export type TestTokenKind = keyof typeof PREFIXES;

/**
 * A new secret for a token that a test inserts itself: the prefix of its kind, 34 random characters and their CRC-32 in
 * base62, padded to 6. It is written from the documented form, not with the code under test.
 */
export function randomTokenSecret(kind: TestTokenKind): string {
  const random = Array.from(randomBytes(34), (byte) => BASE62[byte % 62]).join('');
  let sum = '';
  for (let rest = crc32(random); sum.length < 6; rest = Math.floor(rest / 62)) sum = BASE62[rest % 62] + sum;
  return PREFIXES[kind] + random + sum;
}
