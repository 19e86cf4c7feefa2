import { createHmac } from 'node:crypto';

/** What ties a login at a provider to the browser that began it. */
export interface Handshake {
  /** Comes back in the browser's address. */
  readonly state: string;
  /** Comes back in the ID token. */
  readonly nonce: string;
  /** PKCE: the provider gives tokens only to the sender of this value. 43 characters, as RFC 7636 requires. */
  readonly codeVerifier: string;
}

/**
 * The values of a login, which follow from the secret that the browser keeps. So the database holds only the hash of
 * that secret, and another browser can't finish the login.
 */
export function handshakeOf(secret: string): Handshake {
  const derive = (purpose: string): string =>
    createHmac('sha256', secret).update(`vitrine oidc ${purpose}`).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), codeVerifier: derive('verifier') };
}
