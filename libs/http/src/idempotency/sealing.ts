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
/** About 40 ms and 16 MiB for each guess (RFC 7914, "interactive"). */
const SLOW: ScryptOptions = { N: 2 ** 14, r: 8, p: 1 };

const slowly = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const quickly = promisify(hkdf);

/** What a request is known by in the database, and what opens its answer, which the database never holds. */
export interface RequestKeys {
  readonly fingerprint: Buffer;
  readonly sealingKey: Buffer;
}

/** Under which a caller's key is stored: 32 bytes that name neither. */
export const keyId = (caller: string, key: string): Buffer =>
  createHash('sha256').update(`${caller}\n${key}`).digest();

/**
 * Derives both from what the client alone knows: its key and its request. `slow` for requests with passwords and
 * answers with tokens: a client's key may be as guessable as `1`, and whoever has stolen the database must not
 * guess the rest faster than against argon2id.
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

/** Undoes `seal`. Throws where the key is another one, or the bytes were tampered with. */
export function unseal(sealed: Buffer, sealingKey: Buffer): string {
  const iv = sealed.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(CIPHER, sealingKey, iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
