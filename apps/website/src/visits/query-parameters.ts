import { NotFoundException } from '@nestjs/common';
import { readNumericId } from '@vitrine/contracts';
import type { Request } from 'express';

/** The largest page number and the largest seed that the API takes. */
export const MAX_API_INTEGER = 2 ** 31 - 1;

/** Parses a whole number from `least` to `MAX_API_INTEGER`; undefined if the text is anything else. */
export function wholeNumber(text: unknown, least: number): number | undefined {
  if (typeof text !== 'string' || !/^\d{1,10}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= least && number <= MAX_API_INTEGER ? number : undefined;
}

/** Parses a page number; 1 if it is invalid. */
export const pageNumber = (text: unknown): number => wholeNumber(text, 1) ?? 1;

/** Parses an id; null if it is invalid. */
export const idOrNull = (text: unknown): number | null =>
  typeof text === 'string' ? readNumericId(text) : null;

/** Parses an id in a path. Throws `NotFoundException` if it is invalid. */
export function idOf(text: string): number {
  const id = idOrNull(text);
  if (id === null) throw new NotFoundException();
  return id;
}

/** The value of a query parameter; empty if it is absent or occurs more than once. */
export function queryText({ query }: Request, name: string): string {
  const value = query[name];
  return typeof value === 'string' ? value : '';
}

/** The page number in a query, from 1. */
export const queryPage = (request: Request, name = 'page'): number => pageNumber(request.query[name]);
