import { hiddenFromPlanner } from '@vitrine/database';
import type { Feed } from './feed';

/** Collects the values of a statement's placeholders. */
export class SqlValues {
  readonly all: unknown[] = [];

  /** Adds a value and returns its placeholder, `$1`, `$2`, …. */
  add(value: unknown): string {
    return `$${this.all.push(value)}`;
  }

  /** Adds a number whose value doesn't influence which plan is best; returns its placeholder. */
  number(value: number): string {
    return hiddenFromPlanner(`${this.add(value)}::bigint`);
  }
}

/** The parts of a statement that reads a feed's items. */
export interface FeedSource {
  /** The expression for an item's id. */
  readonly id: string;
  /** `from … where …`; conditions can be added with `and`. */
  readonly from: string;
}

/**
 * A feed as SQL. The conditions are written exactly like those of the partial indexes, so that PostgreSQL uses these
 * and reads only the feed's own entries.
 */
export function feedSource(feed: Feed & { readonly ofOwner?: string }, values: SqlValues): FeedSource {
  const { items, userId, tagId, words, ofOwner } = feed;
  const conditions: string[] = [];
  const byTag = tagId !== undefined;
  const entry = byTag ? 'tagged' : 'item';
  const id = byTag ? `tagged.${keyOfTags(items)}` : 'item.id';
  if (feed.audience === 'everyone') conditions.push(`${entry}.listing = 'safe'`);
  if (feed.audience === 'adults') conditions.push(`${entry}.listing <> 'unlisted'`);
  if (words !== undefined) {
    conditions.push(`item.search @@ plainto_tsquery('simple', ${values.add(words)})`);
  }
  // An expression, unlike `userId`, which is a value.
  if (ofOwner !== undefined) conditions.push(`item.user_id = ${ofOwner}`);
  const ofItem = userId !== undefined || words !== undefined || ofOwner !== undefined;
  const tables = !byTag
    ? `${items} item`
    : ofItem
      ? `${tableOfTags(items)} tagged join ${items} item on item.id = ${id}`
      : `${tableOfTags(items)} tagged`;
  const where = conditions.join(' and ') || 'true';
  return { id, from: `from ${tables} where ${where} ${feedConditions(feed, id, 'item', values)}` };
}

/**
 * The conditions of a feed's tag and user, and of the items that it leaves out, beginning with `and`. `id` is the
 * expression for an item's id, `item` the alias of the table with `user_id`.
 */
export function feedConditions(
  { userId, tagId, without }: Feed,
  id: string,
  item: string,
  values: SqlValues,
): string {
  return [
    tagId === undefined ? '' : `and tagged.tag_id = ${values.number(tagId)}`,
    userId === undefined ? '' : `and ${item}.user_id = ${values.number(userId)}`,
    without === undefined ? '' : `and ${id} not in (${leftOut(without, values)})`,
  ].join(' ');
}

/** The ids that a feed leaves out, as rows with a column `id`. */
export const leftOut = (without: readonly number[], values: SqlValues): string =>
  `select id from unnest(${hiddenFromPlanner(`${values.add(without)}::bigint[]`)}) as gone (id)`;

/** The table that has a feed's items with their scores, its alias, and the expression for an item's id. */
export function rankSource({ items, tagId }: Feed): {
  readonly id: string;
  readonly table: string;
  readonly entry: 'tagged' | 'item';
} {
  if (tagId !== undefined) {
    return { id: `tagged.${keyOfTags(items)}`, table: `${tableOfTags(items)} tagged`, entry: 'tagged' };
  }
  return { id: 'item.id', table: `${rankTable(items)} item`, entry: 'item' };
}

/** The table of ranks. */
export const rankTable = (items: Feed['items']): string => (items === 'posts' ? 'post_ranks' : 'media_ranks');

const tableOfTags = (items: Feed['items']): string => (items === 'posts' ? 'post_tags' : 'media_tags');
const keyOfTags = (items: Feed['items']): string => (items === 'posts' ? 'post_id' : 'media_id');
