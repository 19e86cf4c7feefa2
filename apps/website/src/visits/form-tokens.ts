import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { WebsiteConfig } from '../config/website.config';

const BYTES = 32;

/**
 * Tokens that prove that a form came from a page of this site that was shown to the same visitor (OWASP: HMAC-based
 * tokens, bound to the session). A token is masked differently each time it is issued, so that compression can't reveal
 * it (BREACH).
 */
@Injectable()
export class FormTokens {
  private readonly key: Buffer;

  /** Replicas share the key through SITE_SERVICE_KEY; without it, forms become stale when the website restarts. */
  constructor({ siteServiceKey }: WebsiteConfig) {
    const secret = siteServiceKey === '' ? randomBytes(BYTES) : siteServiceKey;
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'vitrine website form tokens', BYTES));
  }

  /** Issues a token for `subject`: the session, or the browser if there is no session. */
  issue(subject: string): string {
    const mask = randomBytes(BYTES);
    return Buffer.concat([mask, xor(mask, this.macOf(subject))]).toString('base64url');
  }

  accepts(token: unknown, subject: string): boolean {
    if (typeof token !== 'string') return false;
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== 2 * BYTES) return false;
    return timingSafeEqual(xor(bytes.subarray(0, BYTES), bytes.subarray(BYTES)), this.macOf(subject));
  }

  private macOf(subject: string): Buffer {
    return createHmac('sha256', this.key).update(subject).digest();
  }
}

const xor = (a: Buffer, b: Buffer): Buffer => Buffer.from(a.map((byte, index) => byte ^ (b[index] ?? 0)));
