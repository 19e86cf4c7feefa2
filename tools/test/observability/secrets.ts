import { randomBytes } from 'node:crypto';

/** Secrets that a test plants, each under a name that says where. */
export class Secrets {
  private readonly planted = new Map<string, string>();

  /** A new one: unmistakable, and of letters and digits alone, so that no encoding but base64 changes it. */
  plant(where: string): string {
    const secret = `canary${randomBytes(18).toString('hex')}`;
    this.planted.set(where, secret);
    return secret;
  }

  /** One that somebody else has made up. */
  know(where: string, secret: string): string {
    if (secret.length < 12) throw new Error(`The secret of ${where} is too short to be told from other text`);
    this.planted.set(where, secret);
    return secret;
  }

  /** Which of them are in a text, in whatever clothes. */
  foundIn(text: string): readonly string[] {
    const lower = text.toLowerCase();
    return [...this.planted].flatMap(([where, secret]) =>
      disguises(secret).some((disguise) => lower.includes(disguise.toLowerCase())) ? [where] : [],
    );
  }
}

/** As it is, percent-encoded, in base64 at each of the three places that it may begin at, and in hexadecimal. */
function disguises(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const inBase64 = [0, 1, 2].map((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    // The first and the last characters depend on what stands before and after.
    return padded.slice(offset === 0 ? 0 : 4, -4);
  });
  return [secret, encodeURIComponent(secret), bytes.toString('hex'), ...inBase64];
}
