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
