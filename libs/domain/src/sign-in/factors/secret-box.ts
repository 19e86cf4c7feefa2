import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets of accounts with the operator's key (AES-256-GCM): initialisation vector, tag, text. A secret is
 * bound to its account, so a row that was copied to another account can't be opened.
 */
export class SecretBox {
  private readonly key: Buffer;

  /** `operatorKey`: a random text of 32 or more characters. */
  constructor(operatorKey: string) {
    this.key = Buffer.from(hkdfSync('sha256', operatorKey, '', 'vitrine account secrets', 32));
  }

  seal(secret: Uint8Array, userId: number): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(String(userId)));
    const text = Buffer.concat([cipher.update(secret), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), text]);
  }

  /** Null if the secret was sealed with another key or for another account, or was changed. */
  open(sealed: Buffer, userId: number): Buffer | null {
    try {
      const decipher = createDecipheriv(CIPHER, this.key, sealed.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(String(userId)));
      decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    } catch {
      return null;
    }
  }
}
