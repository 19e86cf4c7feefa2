import { NotFoundException } from '@nestjs/common';

/** The largest page number and the largest seed that the API takes. */
export const MOST = 2 ** 31 - 1;

/** The number that a text is, from `least` to `MOST`; undefined where it is none of these. */
export function wholeNumber(text: unknown, least: number): number | undefined {
  if (typeof text !== 'string' || !/^\d{1,10}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= least && number <= MOST ? number : undefined;
}

/** The number of a page in an address or a form; the first where it is none. */
export const pageNumber = (text: unknown): number => wholeNumber(text, 1) ?? 1;

/** An id in an address or a form; null where it is none. */
export const idOrNull = (text: unknown): number | null =>
  typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;

/** An id in an address. Throws 404 for what is none. */
export function idOf(text: string): number {
  const id = idOrNull(text);
  if (id === null) throw new NotFoundException();
  return id;
}
