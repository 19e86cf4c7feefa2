import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { S3Error } from './s3-error';

/** Milliseconds by which the time of a signed header may differ from the server's, as at Amazon. */
const SKEW_MS = 15 * 60_000;

/** What a request says about its signature: in its header, or in its query if it was signed for somebody else. */
interface Claim {
  readonly credential: string;
  readonly signedHeaders: string;
  readonly signature: string;
  readonly date: string;
  readonly payload: string;
}

/**
 * Checks a request's signature (AWS Signature Version 4) and its time, and returns the id of its key. `secretOf` gives the
 * secret of a key. Throws `S3Error`.
 */
export function verifySignature(
  request: IncomingMessage,
  secretOf: (accessKeyId: string) => string | undefined,
): string {
  const [path = '', search = ''] = (request.url ?? '').split('?');
  const query = new URLSearchParams(search);
  const claim = claimOf(request, query);
  const [accessKeyId = '', ...scope] = claim.credential.split('/');
  const secret = secretOf(accessKeyId);
  if (secret === undefined) throw new S3Error('InvalidAccessKeyId');
  query.delete('X-Amz-Signature');
  const headers = claim.signedHeaders
    .split(';')
    .map((name) => `${name}:${String(request.headers[name]).trim().replace(/ +/g, ' ')}\n`);
  const canonical = [
    ...[request.method, path, canonicalQuery(query), headers.join(''), claim.signedHeaders],
    claim.payload,
  ].join('\n');
  const signed = ['AWS4-HMAC-SHA256', claim.date, scope.join('/'), sha256(canonical)].join('\n');
  const key = scope.reduce<string | Buffer>((parent, part) => hmac(parent, part), `AWS4${secret}`);
  const [expected, given] = [hmac(key, signed), Buffer.from(claim.signature, 'hex')];
  if (expected.length !== given.length || !timingSafeEqual(expected, given))
    throw new S3Error('SignatureDoesNotMatch');
  return accessKeyId;
}

/** Throws `S3Error` if the request isn't signed, or if its time is over. */
function claimOf(request: IncomingMessage, query: URLSearchParams): Claim {
  const field = (name: string): string => query.get(`X-Amz-${name}`) ?? '';
  const [, credential, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      request.headers.authorization ?? '',
    ) ?? [];
  if (credential !== undefined && signedHeaders !== undefined && signature !== undefined) {
    const date = String(request.headers['x-amz-date']);
    if (!(Math.abs(Date.now() - timeOf(date)) < SKEW_MS)) throw new S3Error('RequestTimeTooSkewed');
    const payload = String(request.headers['x-amz-content-sha256']);
    return { credential, signedHeaders, signature, date, payload };
  }
  const date = field('Date');
  if (!(Date.now() < timeOf(date) + Number(field('Expires')) * 1000)) throw new S3Error('AccessDenied');
  return {
    ...{ credential: field('Credential'), signedHeaders: field('SignedHeaders') },
    ...{ signature: field('Signature'), date, payload: 'UNSIGNED-PAYLOAD' },
  };
}

/** A time such as `20260131T235959Z`, in milliseconds; NaN if it is none. */
const timeOf = (date: string): number =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'));

const canonicalQuery = (query: URLSearchParams): string =>
  [...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
