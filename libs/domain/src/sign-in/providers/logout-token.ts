import type { JWTVerifyGetKey } from 'jose';
import { UnprovedIdentityError } from './provider-errors';

/** Whose sessions a provider ends: either those of one session at the provider, or all sessions of the person. */
export interface LogoutNotice {
  readonly issuer: string;
  readonly subject: string | null;
  readonly session: string | null;
  /** The token's identifier, with which it is used only once. */
  readonly tokenId: string;
  /** From then on the token is refused without a look at `tokenId`. */
  readonly expiresAt: Date;
}

interface Expected {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: string[];
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const MAX_TEXT = 255;
/** A logout token is sent at once; an older one is a replay. */
const MAX_AGE_SECONDS = 600;
/** By how much clocks may differ. */
const TOLERANCE_SECONDS = 30;

/** Reads a logout token as OpenID Connect Back-Channel Logout 1.0, 2.6 requires. Throws if it is not valid. */
export async function readLogoutToken(
  jose: typeof import('jose'),
  token: string,
  keys: JWTVerifyGetKey,
  expected: Expected,
): Promise<LogoutNotice> {
  const { payload, protectedHeader } = await jose.jwtVerify(token, keys, {
    ...expected,
    requiredClaims: ['iat', 'exp', 'jti'],
    maxTokenAge: MAX_AGE_SECONDS,
    clockTolerance: TOLERANCE_SECONDS,
  });
  const { events, sub, sid, jti, nonce, exp = 0 } = payload;
  const { typ } = protectedHeader;
  if (typ !== undefined && !/^(?:application\/)?(?:logout\+jwt|jwt)$/i.test(typ))
    throw new UnprovedIdentityError('The token has another type.');
  // An ID token has a nonce and no event: it must not end sessions.
  if (nonce !== undefined || typeof events !== 'object' || events === null || !(EVENT in events))
    throw new UnprovedIdentityError('The token is not a logout token.');
  const [subject, session, tokenId] = [textOf(sub), textOf(sid), textOf(jti)];
  if (tokenId === null || (subject === null && session === null))
    throw new UnprovedIdentityError('The token contains neither a person nor a session.');
  const expiresAt = new Date((exp + 2 * TOLERANCE_SECONDS) * 1000);
  return { issuer: expected.issuer, subject, session, tokenId, expiresAt };
}

function textOf(claim: unknown): string | null {
  if (claim === undefined) return null;
  if (typeof claim !== 'string' || claim === '' || claim.length > MAX_TEXT)
    throw new UnprovedIdentityError('A claim has another form.');
  return claim;
}
