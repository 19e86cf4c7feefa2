import type { Listing } from '@vitrine/contracts';
import type { Period } from '@vitrine/contracts/api';

/** Which items a list contains: those that meet all conditions. */
export interface Feed {
  readonly items: 'posts' | 'media';
  /**
   * Who reads the feed: `everyone` finds safe items, `adults` nsfw items too, and the `owner` all own items, listed
   * or not (only together with `userId`).
   */
  readonly audience: 'everyone' | 'adults' | 'owner';
  readonly userId?: number | undefined;
  readonly tagId?: number | undefined;
  /** Words that the item must all contain. */
  readonly words?: string | undefined;
  /**
   * Whether the page may be a few seconds old; see `Reading`.
   */
  readonly mayLag?: boolean | undefined;
  /** The ids of items that the page leaves out; each of them would otherwise be in the feed. */
  readonly without?: readonly number[] | undefined;
  /** Only items whose ranks have this age and score; see `RanksService`. */
  readonly rank?: { readonly age: number; readonly score: number } | undefined;
}

/** Which page of a feed, in which order. */
export interface FeedPageRequest {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  readonly period: Period;
  /** The seed of a shuffled feed; null for the latest or the highest score first. */
  readonly seed: number | null;
  /** Whether the highest score comes first, and the latest among equals. Absent means false. */
  readonly top?: boolean | undefined;
  /** Whether the best scores for their age come first; the period is then ignored. Absent means false. */
  readonly rising?: boolean | undefined;
}

/** A requested page, with what is known of the feed before it is read. */
export interface PagePlan extends Omit<FeedPageRequest, 'page'> {
  /** The lowest id within the period; null for `all`. */
  readonly floor: number | null;
  /** The number of items that come before the page. */
  readonly offset: number;
  /** Whether the feed's blocks are counted. */
  readonly dense: boolean;
}

/** One page of a feed. */
export interface FeedPage {
  /** In the order of the feed. */
  readonly ids: readonly number[];
  /** The number of items in the whole feed. */
  readonly total: number;
}

/** The items before and after an item in a feed, or their ids; null at the ends. */
export interface Neighbours<Item = number> {
  readonly previous: Item | null;
  readonly next: Item | null;
}

/** The items beside the one at an index of a list; both are null for the index −1. */
export function besideIn<Item>(items: readonly Item[], at: number): Neighbours<Item> {
  if (at < 0) return { previous: null, next: null };
  return { previous: items[at - 1] ?? null, next: items[at + 1] ?? null };
}

/** A feed's name in the tables of counts; null if its items are counted by reading them. */
export function countedName({ items, userId, tagId, words, rank }: Feed): string | null {
  if (words !== undefined || (userId !== undefined && tagId !== undefined)) return null;
  if (rank !== undefined) return `${items}:top:${rank.age}:${rank.score}`;
  if (userId !== undefined) return `${items}:user:${userId}`;
  if (tagId !== undefined) return `${items}:tag:${tagId}`;
  return items;
}

/** The listings that an audience can find. */
export const listingsFor = (audience: Feed['audience']): readonly Listing[] =>
  ({
    everyone: ['safe'] as const,
    adults: ['safe', 'nsfw'] as const,
    owner: ['unlisted', 'safe', 'nsfw'] as const,
  })[audience];
