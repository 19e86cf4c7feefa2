import { createHash } from 'node:crypto';
import { InvalidFieldsError } from '@vitrine/domain';

/** 1 to 255 visible ASCII characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The key of a request; null without one. Throws `InvalidFieldsError` on `idempotency_key`. */
export function readKey(header: string | readonly string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && KEY.test(header)) return header;
  throw new InvalidFieldsError({
    idempotency_key: ['The idempotency_key field must be 1 to 255 visible ASCII characters.'],
  });
}

/** The error for a key that this caller has used for another request. */
export const keyReusedError = (): InvalidFieldsError =>
  new InvalidFieldsError({ idempotency_key: ['The idempotency_key has been used for another request.'] });

/**
 * Whether an answer is final. An error of the service (5xx) is not, nor is one that a new token (401) or a later attempt
 * (429) would change.
 */
export const isFinalAnswer = (status: number): boolean => status < 500 && status !== 401 && status !== 429;

/** Identifies a request by method, path with query, and content of the body. */
export const requestDigest = (method: string, pathAndQuery: string, body: string): Buffer =>
  createHash('sha256')
    .update(`${JSON.stringify([method, pathAndQuery])}\n${body}`)
    .digest();

/** One part of a multipart body, such as `file`, with the SHA-256 of its bytes. */
export interface PartDigest {
  readonly name: string;
  readonly sha256: Buffer;
}

/** One text for the parts of a multipart body, independent of their order and of the boundary. */
export const canonicalParts = (parts: readonly PartDigest[]): string =>
  parts
    .map(({ name, sha256 }) => JSON.stringify([name, sha256.toString('hex')]))
    .sort()
    .join('\n');

/** A finished piece of the text, as opposed to a value that is still to be written. */
class Literal {
  constructor(readonly text: string) {}
}

/**
 * One text for a JSON value, independent of the order of its keys and of white space; empty without a value. Accepts any
 * depth that a parser accepts, because it keeps its own stack.
 */
export function canonicalJson(value: unknown): string {
  if (value === undefined) return '';
  const text: string[] = [];
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (next instanceof Literal) text.push(next.text);
    else if (Array.isArray(next))
      pushReversed(
        pending,
        '[',
        next.map((item: unknown) => ['', item]),
        ']',
      );
    else if (typeof next === 'object' && next !== null) {
      const fields = Object.entries(next).sort(([a], [b]) => (a < b ? -1 : 1));
      pushReversed(
        pending,
        '{',
        fields.map(([name, item]) => [`${JSON.stringify(name)}:`, item]),
        '}',
      );
    } else text.push(typeof next === 'number' ? String(next) : JSON.stringify(next));
  }
  return text.join('');
}

function pushReversed(
  pending: unknown[],
  open: string,
  items: readonly (readonly [label: string, item: unknown])[],
  close: string,
): void {
  pending.push(new Literal(close));
  for (const [index, [label, item]] of [...items.entries()].reverse()) {
    pending.push(item, new Literal(index === 0 ? label : `,${label}`));
  }
  pending.push(new Literal(open));
}
