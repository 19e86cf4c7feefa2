import type { IncomingHttpHeaders } from 'node:http';
import type { ByteRange } from '@vitrine/storage';

/** Whether a request asks for the whole file, whatever the client has of it. `If-Range` has a meaning only beside `Range`. */
export const isUnconditional = (headers: IncomingHttpHeaders): boolean =>
  headers['if-match'] === undefined && headers['if-none-match'] === undefined && headers.range === undefined;

/** Whether `If-None-Match` names this strong tag (RFC 9110, 13.1.2: weak comparison, and `*` matches every tag). */
export const matchesAny = (header: string, etag: string): boolean =>
  header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);

/** Whether `If-Match` names this strong tag (13.1.1: strong comparison, and `*` matches every tag), or is absent. */
export const matchesStrictly = (header: string | undefined, etag: string): boolean =>
  header === undefined || header.trim() === '*' || header.split(',').some((tag) => tag.trim() === etag);

/**
 * Reads the range of a `Range` header; `whole` if the header is ignored, because it is malformed, has another unit or
 * names several ranges (RFC 9110, 14.2); `unsatisfiable` if the range lies outside of the file.
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

/** Whether a range may be served: if there is no `If-Range`, or if it is this tag. A date never matches (13.1.5). */
export const rangeApplies = (ifRange: string | undefined, etag: string): boolean =>
  ifRange === undefined || ifRange.trim() === etag;
