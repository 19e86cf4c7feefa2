import type { ByteRange } from '@vitrine/storage';

/** Whether `If-None-Match` names this strong tag (RFC 9110, 13.1.2: compared weakly, `*` matches all). */
export const matchesAny = (header: string, etag: string): boolean =>
  header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);

/**
 * The one range that a `Range` header asks for; `whole` where it is to be ignored: another unit, malformed, or
 * several ranges at once (RFC 9110, 14.2); `unsatisfiable` where it lies outside.
 */
export function readRange(header: string, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header);
  if (!match) return 'whole';
  const [, first = '', last = ''] = match;
  if (first === '') {
    if (last === '') return 'whole';
    const length = Number(last);
    return length === 0 || size === 0 ? 'unsatisfiable' : { from: Math.max(0, size - length), to: size - 1 };
  }
  const from = Number(first);
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < from) return 'whole';
  return from >= size ? 'unsatisfiable' : { from, to };
}

/** Whether a range may be served: without `If-Range`, or where it is this very tag. A date never is (13.1.5). */
export const rangeApplies = (ifRange: string | undefined, etag: string): boolean =>
  ifRange === undefined || ifRange.trim() === etag;
