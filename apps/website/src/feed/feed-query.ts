import { randomInt } from 'node:crypto';
import type { QueryOf } from '@vitrine/client';
import type { Request } from 'express';
import { MAX_API_INTEGER, pageNumber, wholeNumber } from '../visits/query-parameters';

/** Number of items on a page of a feed. */
export const PAGE_SIZE = 30;

/** The periods of a feed, in the order of the menu. */
export const PERIODS = ['day', 'week', 'month', 'year', 'all'] as const;
export type Period = (typeof PERIODS)[number];

/** The orders of a feed, in the order of the links. */
export const SORTS = ['latest', 'rising', 'top', 'random'] as const;
export type Sort = (typeof SORTS)[number];

/** The part of a feed that a page shows. */
export interface FeedQuery {
  readonly sort: Sort;
  readonly period: Period;
  readonly page: number;
  /** The seed of a random order; undefined requests a new one. */
  readonly seed: number | undefined;
}

/** Reads the query of a page's address. Invalid values are ignored. */
export function readFeedQuery(request: Request): FeedQuery {
  const { sort, period, page, seed } = request.query;
  return {
    sort: SORTS.find((known) => known === sort) ?? 'latest',
    period: PERIODS.find((known) => known === period) ?? 'all',
    page: pageNumber(page),
    seed: wholeNumber(seed, 0),
  };
}

/** Converts the query to the API's parameters. */
export function toApiQuery({ sort, period, page, seed }: FeedQuery): QueryOf<'listPosts'> {
  return {
    limit: PAGE_SIZE,
    page,
    ...(period !== 'all' && { period }),
    ...(sort !== 'latest' && { sort }),
    ...(sort === 'random' && seed !== undefined && { seed }),
  };
}

/** Path and query of a part of a feed; `more` are further parameters. Default values are left out. */
export function feedPath(
  path: string,
  { sort, period, page, seed }: Partial<FeedQuery>,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams(more);
  if (sort !== undefined && sort !== 'latest') query.set('sort', sort);
  if (period !== undefined && period !== 'all') query.set('period', period);
  if (sort === 'random' && seed !== undefined) query.set('seed', String(seed));
  if (page !== undefined && page > 1) query.set('page', String(page));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/**
 * Adds a seed to a random order without one, so that going back and forward keeps the order. Null if nothing has to be
 * added.
 */
export function withSeed(query: FeedQuery): FeedQuery | null {
  return query.sort === 'random' && query.seed === undefined
    ? { ...query, seed: randomInt(MAX_API_INTEGER) }
    : null;
}
