import { randomInt } from 'node:crypto';
import type { QueryOf } from '@vitrine/client';
import type { Request } from 'express';
import { MOST, pageNumber, wholeNumber } from '../visits/whole-numbers';

/** Items on a page of a feed. */
export const PAGE_SIZE = 30;

/** How far back a feed may go, as its menu has it. */
export const PERIODS = ['day', 'week', 'month', 'year', 'all'] as const;
export type Period = (typeof PERIODS)[number];

/** Which part of a feed a page shows. */
export interface FeedQuery {
  readonly sort: 'latest' | 'random';
  readonly period: Period;
  readonly page: number;
  /** Of a random order; undefined where a new one is wished for. */
  readonly seed: number | undefined;
}

/** What a page's address asks for. Whatever makes no sense counts as not said. */
export function readFeedQuery(request: Request): FeedQuery {
  const { sort, period, page, seed } = request.query;
  return {
    sort: sort === 'random' ? 'random' : 'latest',
    period: PERIODS.find((known) => known === period) ?? 'all',
    page: pageNumber(page),
    seed: wholeNumber(seed, 0),
  };
}

/** The same for the API. */
export function toApiQuery({ sort, period, page, seed }: FeedQuery): QueryOf<'listPosts'> {
  return {
    limit: PAGE_SIZE,
    page,
    ...(period !== 'all' && { period }),
    ...(sort === 'random' && { sort, ...(seed !== undefined && { seed }) }),
  };
}

/** Path and query of a part of a feed; `more` are its further parameters. Without what goes without saying. */
export function feedPath(
  path: string,
  { sort, period, page, seed }: Partial<FeedQuery>,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams(more);
  if (sort === 'random') query.set('sort', sort);
  if (period !== undefined && period !== 'all') query.set('period', period);
  if (sort === 'random' && seed !== undefined) query.set('seed', String(seed));
  if (page !== undefined && page > 1) query.set('page', String(page));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** A random order without a seed gets one in its address, so that going back or on keeps to it. */
export function withSeed(query: FeedQuery): FeedQuery | null {
  return query.sort === 'random' && query.seed === undefined ? { ...query, seed: randomInt(MOST) } : null;
}
