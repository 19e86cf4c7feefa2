import type { Listing, Period } from '@vitrine/contracts';

/** Which items a list shows: those that keep every condition it names. */
export interface Feed {
  readonly items: 'posts' | 'media';
  /**
   * Who may find them: `everyone` finds what is safe, `adults` nsfw too, and the `owner` whatever is theirs, listed
   * or not (with `userId` alone).
   */
  readonly audience: 'everyone' | 'adults' | 'owner';
  readonly userId?: number | undefined;
  readonly tagId?: number | undefined;
  /** Words, all of which the item must hold. */
  readonly words?: string | undefined;
  /**
   * Whether the page may be some seconds old, so that a replica can answer (docs/feeds.md): for those alone who come
   * without a token, and can't have written anything that they would miss.
   */
  readonly mayLag?: boolean | undefined;
}

/** Which page of a feed, in which order. */
export interface FeedPageRequest {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  readonly period: Period;
  /** The order of a shuffled feed; null for the latest first. */
  readonly seed: number | null;
}

/** One page of a feed. */
export interface FeedPage {
  /** In the order of the feed. */
  readonly ids: readonly number[];
  /** Items of the whole feed. */
  readonly total: number;
}

/** A feed's name in the tables of counts; null where its items are counted as they are read. */
export function countedName({ items, userId, tagId, words }: Feed): string | null {
  if (words !== undefined || (userId !== undefined && tagId !== undefined)) return null;
  if (userId !== undefined) return `${items}:user:${userId}`;
  if (tagId !== undefined) return `${items}:tag:${tagId}`;
  return items;
}

/** The listings that an audience finds. */
export const listingsFor = (audience: Feed['audience']): readonly Listing[] =>
  ({
    everyone: ['safe'] as const,
    adults: ['safe', 'nsfw'] as const,
    owner: ['unlisted', 'safe', 'nsfw'] as const,
  })[audience];
