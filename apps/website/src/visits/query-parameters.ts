import type { Request } from 'express';
import { pageNumber } from './whole-numbers';

/** Text of a query parameter; empty where it isn't there, or there more than once. */
export function queryText({ query }: Request, name: string): string {
  const value = query[name];
  return typeof value === 'string' ? value : '';
}

/** The number of the page that a query names, from 1. */
export const queryPage = (request: Request, name = 'page'): number => pageNumber(request.query[name]);
