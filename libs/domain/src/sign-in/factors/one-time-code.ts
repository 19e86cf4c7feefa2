import { Secret, TOTP } from 'otpauth';

/** RFC 6238 as all authenticator apps support it: SHA-1, six digits, 30 seconds. */
const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** RFC 4226, section 4, recommends 160 bits. */
const SECRET_BYTES = 20;
/** Steps before and after the present one whose codes are accepted, because clocks differ. */
const WINDOW = 1;

export const newAppSecret = (): Buffer => Buffer.from(new Secret({ size: SECRET_BYTES }).bytes);

/** A secret in the form in which people can type it into an app. */
export const printAppSecret = (secret: Uint8Array): string => asSecret(secret).base32;

/** The address that an authenticator app reads from a QR code. */
export const appUri = (secret: Uint8Array, site: string, username: string): string =>
  new TOTP({
    secret: asSecret(secret),
    issuer: site,
    label: username,
    digits: DIGITS,
    period: PERIOD_SECONDS,
  }).toString();

export const looksLikeAppCode = (code: string): boolean => new RegExp(`^\\d{${DIGITS}}$`).test(code);

/** The time step (RFC 6238) of a code; null if it is not a code of the present step or of one beside it. */
export function stepOfCode(secret: Uint8Array, code: string, at: Date = new Date()): number | null {
  if (!looksLikeAppCode(code)) return null;
  const timestamp = at.getTime();
  const delta = TOTP.validate({
    token: code,
    secret: asSecret(secret),
    digits: DIGITS,
    period: PERIOD_SECONDS,
    window: WINDOW,
    timestamp,
  });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
}

/** A copy, because the bytes may be part of a larger buffer. */
const asSecret = (bytes: Uint8Array): Secret => new Secret({ buffer: Uint8Array.from(bytes).buffer });
