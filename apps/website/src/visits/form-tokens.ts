import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { WebsiteConfig } from '../website.config';

const BYTES = 32;

/**
 * Tokens that prove that a form came from a page of ours shown to this very visitor (OWASP: HMAC-based tokens, bound
 * to the session). A token looks different each time it is written, so that compression can't give it away (BREACH).
 */
@Injectable()
export class FormTokens {
  private readonly key: Buffer;

  /** Replicas share the key through SITE_SERVICE_KEY; without it a restart makes open forms stale. */
  constructor(@Inject(WebsiteConfig) { siteServiceKey }: WebsiteConfig) {
    const secret = siteServiceKey === '' ? randomBytes(BYTES) : siteServiceKey;
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'vitrine website form tokens', BYTES));
  }

  /** A token for whoever `subject` names: the session, or the browser where there is none. */
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
