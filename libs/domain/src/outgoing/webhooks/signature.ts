import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** Standard Webhooks requires 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** A new random secret. */
export const mintWebhookSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** A secret as its owner sees it. */
export const printSecret = (secret: Buffer): string => PREFIX + secret.toString('base64');

/**
 * The headers that sign a delivery as Standard Webhooks describes it. There is one signature for each of `secrets`, so
 * that a receiver may use the old or the new one while the secret is changed. `at` is the time of the attempt.
 */
export function signedHeaders(
  eventId: string,
  at: Date,
  body: string,
  secrets: readonly Buffer[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map(
    (secret) =>
      `v1,${createHmac('sha256', secret).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`,
  );
  return { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
