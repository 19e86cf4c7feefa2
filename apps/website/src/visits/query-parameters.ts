import type { Request } from 'express';
import { pageNumber } from './whole-numbers';

/** The value of a query parameter; empty if it is absent or occurs more than once. */
export function queryText({ query }: Request, name: string): string {
  const value = query[name];
  return typeof value === 'string' ? value : '';
}

/** The page number in a query, from 1. */
export const queryPage = (request: Request, name = 'page'): number => pageNumber(request.query[name]);
