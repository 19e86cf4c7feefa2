import { randomBytes } from 'node:crypto';

/** Secrets that a test plants. The name of each says where it was planted. */
export class Secrets {
  private readonly planted = new Map<string, string>();

  /** Creates a unique secret of letters and digits, which only base64 and hexadecimal encoding change. */
  plant(where: string): string {
    const secret = `canary${randomBytes(18).toString('hex')}`;
    this.planted.set(where, secret);
    return secret;
  }

  /** Adds a secret that was created elsewhere. */
  know(where: string, secret: string): string {
    if (secret.length < 12) throw new Error(`The secret of ${where} is too short to be told from other text`);
    this.planted.set(where, secret);
    return secret;
  }

  /** The names of the secrets that a text contains, in any encoding. */
  foundIn(text: string): readonly string[] {
    const lower = text.toLowerCase();
    return [...this.planted].flatMap(([where, secret]) =>
      disguises(secret).some((disguise) => lower.includes(disguise.toLowerCase())) ? [where] : [],
    );
  }
}

/** The secret itself, percent-encoded, in base64 at each of its three possible offsets, and in hexadecimal. */
function disguises(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const inBase64 = [0, 1, 2].map((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    // The first and last characters depend on the neighbouring bytes.
    return padded.slice(offset === 0 ? 0 : 4, -4);
  });
  return [secret, encodeURIComponent(secret), bytes.toString('hex'), ...inBase64];
}
