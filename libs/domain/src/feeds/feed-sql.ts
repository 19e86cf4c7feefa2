import { unseen } from '@vitrine/database';
import type { Feed } from './feed';

/** Values of a statement's placeholders, in the order in which they were asked for. */
export class SqlValues {
  readonly all: unknown[] = [];

  /** Adds a value and returns its placeholder, `$1`, `$2`, …. */
  add(value: unknown): string {
    return `$${this.all.push(value)}`;
  }

  /** Adds a number for which one plan is right, whatever it is. */
  number(value: number): string {
    return unseen(`${this.add(value)}::bigint`);
  }
}

/** Where a feed's items are read from. */
export interface FeedSource {
  /** The id of an item. */
  readonly id: string;
  /** `from … where …`, to which conditions may be added with `and`. */
  readonly from: string;
}

/**
 * A feed as SQL. Its conditions are spelled like those of the partial indexes that serve it, so that a feed of one
 * kind reads nothing but its own entries.
 */
export function feedSource(feed: Feed, values: SqlValues): FeedSource {
  const { items, userId, tagId, words } = feed;
  const conditions: string[] = [];
  const byTag = tagId !== undefined;
  const key = items === 'posts' ? 'post_id' : 'media_id';
  const entry = byTag ? 'tagged' : 'item';
  const id = byTag ? `tagged.${key}` : 'item.id';
  if (tagId !== undefined) conditions.push(`tagged.tag_id = ${values.number(tagId)}`);
  if (feed.audience === 'everyone') conditions.push(`${entry}.listing = 'safe'`);
  if (feed.audience === 'adults') conditions.push(`${entry}.listing <> 'unlisted'`);
  if (userId !== undefined) conditions.push(`item.user_id = ${values.number(userId)}`);
  if (words !== undefined) {
    conditions.push(`item.search @@ plainto_tsquery('simple', ${values.add(words)})`);
  }
  const ofItem = userId !== undefined || words !== undefined;
  const tables = !byTag
    ? `${items} item`
    : ofItem
      ? `${items.replace(/s$/, '')}_tags tagged join ${items} item on item.id = ${id}`
      : `${items.replace(/s$/, '')}_tags tagged`;
  return { id, from: `from ${tables} where ${conditions.join(' and ') || 'true'}` };
}
