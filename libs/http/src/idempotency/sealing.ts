import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdf,
  randomBytes,
  scrypt,
  type ScryptOptions,
} from 'node:crypto';
import { promisify } from 'node:util';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Each guess takes about 40 ms and 16 MiB (RFC 7914, "interactive"). */
const SLOW: ScryptOptions = { N: 2 ** 14, r: 8, p: 1 };

const slowly = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const quickly = promisify(hkdf);

/** The fingerprint of a request in the database, and the key that opens its answer, which the database never has. */
export interface RequestKeys {
  readonly fingerprint: Buffer;
  readonly sealingKey: Buffer;
}

/** The id under which a caller's key is stored: 32 bytes that reveal neither. */
export const keyId = (caller: string, key: string): Buffer =>
  createHash('sha256').update(`${caller}\n${key}`).digest();

/**
 * Derives both from what only the client knows: its key and its request. Use `slow` for requests with passwords and answers
 * with tokens. A client's key may be as guessable as `1`, and a thief of the database must not be able to guess the rest
 * faster than with argon2id.
 */
export async function deriveKeys(
  id: Buffer,
  key: string,
  digest: Buffer,
  slow: boolean,
): Promise<RequestKeys> {
  const known = `${key}\n${digest.toString('base64')}`;
  const bytes = slow
    ? await slowly(known, id, 64, SLOW)
    : Buffer.from(await quickly('sha256', known, id, 'vitrine idempotency', 64));
  return { fingerprint: bytes.subarray(0, 32), sealingKey: bytes.subarray(32) };
}

/** Encrypts an answer (AES-256-GCM): initialisation vector, tag, text. */
export function seal(answer: string, sealingKey: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, sealingKey, iv, { authTagLength: TAG_BYTES });
  const text = Buffer.concat([cipher.update(answer, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]);
}

/** Decrypts what `seal` made. Throws for another key, and if the bytes were changed. */
export function unseal(sealed: Buffer, sealingKey: Buffer): string {
  const iv = sealed.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(CIPHER, sealingKey, iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
