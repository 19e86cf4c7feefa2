import { Injectable } from '@nestjs/common';
import type { Period } from '@vitrine/contracts/api';
import { hiddenFromPlanner, Database } from '@vitrine/database';
import { type Feed, listingsFor, type Neighbours, type PagePlan } from './feed';
import { feedConditions, feedSource, leftOut, rankSource, rankTable, SqlValues } from './feed-sql';

/** The place in a feed, highest score first, where reading starts. */
export interface TopStart {
  readonly age: number;
  readonly score: number;
  /** The number of items of this age and score that come before the page. */
  readonly offset: number;
  /** Whether the items of this age and score are counted in blocks. */
  readonly dense: boolean;
  /** Those of these items that the feed leaves out. */
  readonly without?: readonly number[];
}

/** Where a page begins: only items of lower scores are read, and of this score those that the bounds allow. */
export interface TopBounds {
  readonly score: number;
  /** For each age, the items of this score with ids below this are read. */
  readonly below: readonly number[];
  readonly offset: number;
}

/** The ages of the items within each period; see `RanksService`. */
const AGES: Readonly<Record<Period, readonly number[]>> = {
  day: [0],
  week: [0, 1],
  month: [0, 1, 2],
  year: [0, 1, 2, 3],
  all: [0, 1, 2, 3, 4],
};

/** Above every score and every id. */
const HIGHEST_SCORE = 2_147_483_647;
export const HIGHEST_ID = Number.MAX_SAFE_INTEGER;

/** The bounds of the first page. */
export const FROM_TOP: TopBounds = {
  score: HIGHEST_SCORE,
  below: AGES.all.map(() => HIGHEST_ID),
  offset: 0,
};

/**
 * Reads feeds in the order of their scores, the highest first, and the newest first among equals. Ranks of one listing
 * and age are an ordered index each, and a page merges them.
 */
@Injectable()
export class TopFeedRepository {
  constructor(private readonly database: Database) {}

  /** Ids of a page that begins within the bounds. */
  async findPage(
    feed: Feed,
    { score, below, offset }: TopBounds,
    { period, floor, limit }: PagePlan,
  ): Promise<number[]> {
    const values = new SqlValues();
    const { id, table, entry } = rankSource(feed);
    const conditions = feedConditions(feed, id, entry, values);
    const from = floor === null ? '' : `and ${id} >= ${values.number(floor)}`;
    const highest = hiddenFromPlanner(`${values.add(score)}::integer`);
    // Each branch has a separate limit: otherwise PostgreSQL plans to read and sort the whole feed.
    const most = values.number(offset + limit);
    const branches = AGES[period].flatMap((age) => {
      const lowest = values.number(below[age] ?? HIGHEST_ID);
      return listingsFor(feed.audience).map(
        (listing) => `
        (select ${id} as id, ${entry}.score as score from ${table}
         where ${entry}.listing = '${listing}' and ${entry}.age = ${age}
           and (${entry}.score, ${id}) < (${highest}, ${lowest}) ${from} ${conditions}
         order by ${entry}.score desc, ${id} desc limit ${most})`,
      );
    });
    const rows = await this.database.read<{ id: number }>(
      `select id from (${branches.join(' union all ')}) as ranked
       order by score desc, id desc limit ${values.number(limit)} offset ${values.number(offset)}`,
      values.all,
      { replica: feed.mayLag },
    );
    return rows.map((row) => row.id);
  }

  /** The items before and after one, the highest score first; null for both if the feed doesn't contain it. */
  async findBeside(
    feed: Feed,
    beside: number,
    { period, floor }: Pick<PagePlan, 'period' | 'floor'>,
  ): Promise<Neighbours> {
    const values = new SqlValues();
    const { id, table, entry } = rankSource(feed);
    const conditions = feedConditions(feed, id, entry, values);
    const lowest = values.number(floor ?? 0);
    const number = values.number(beside);
    const place = `((select score from place), ${number})`;
    const all = feedSource(feed, values);
    const nearest = (comparison: '<' | '>', order: 'asc' | 'desc'): string => {
      const branches = AGES[period].flatMap((age) =>
        listingsFor(feed.audience).map(
          (listing) => `
          (select ${id} as id, ${entry}.score as score from ${table}
           where ${entry}.listing = '${listing}' and ${entry}.age = ${age}
             and (${entry}.score, ${id}) ${comparison} ${place} and ${id} >= ${lowest} ${conditions}
           order by ${entry}.score ${order}, ${id} ${order} limit 1)`,
        ),
      );
      return `(select id from (${branches.join(' union all ')}) as near order by score ${order}, id ${order} limit 1)`;
    };
    const [row] = await this.database.read<Neighbours>(
      `with place as (
         select score from ${rankTable(feed.items)} where id = ${number}
           and exists (select ${all.from} and ${all.id} = ${number} and ${all.id} >= ${lowest})
       )
       select ${nearest('>', 'asc')} as previous, ${nearest('<', 'desc')} as next`,
      values.all,
      { replica: feed.mayLag },
    );
    return row ?? { previous: null, next: null };
  }

  /**
   * Some of these items, the best score for its age first: (score - 1) / (hours + 2)^1.8, as Hacker News ranks
   * (K. Salihefendic, "How Hacker News ranking algorithm works", 2010). Our scores begin with 0 instead of 1.
   */
  async sortRising(feed: Feed, ids: readonly number[], limit: number, offset: number): Promise<number[]> {
    const rows = await this.database.read<{ id: number }>(
      `select item.id from ${feed.items} item join ${rankTable(feed.items)} rank using (id)
       where item.id = any(${hiddenFromPlanner('$1::bigint[]')}::bigint[])
       order by rank.score / power(greatest(0, extract(epoch from now() - item.created_at)::float8) / 3600 + 2, 1.8) desc, item.id desc
       limit $2 offset $3`,
      [ids, limit, offset],
      { replica: feed.mayLag },
    );
    return rows.map((row) => row.id);
  }

  /**
   * Where the page begins, from the numbers of items of each age and score; null after the end.
   * There are at most as many scores as the square root of twice the number of votes.
   */
  async findStart(feed: Feed, { period, floor, offset }: PagePlan): Promise<TopStart | null> {
    const values = new SqlValues();
    const items = values.add(feed.items);
    const oldest = Math.max(...AGES[period]);
    const listings = `listing = any(${hiddenFromPlanner(`${values.add(listingsFor(feed.audience))}::text[]`)}::text[])`;
    const passed = values.number(offset);
    const ranks = rankTable(feed.items);
    // Items that have left the period since the last run of ranking.
    const left =
      floor === null
        ? ''
        : `union all
           select age, score, -1 from ${ranks}
           where ${listings} and id < ${values.number(floor)}
             and id >= coalesce((select floor from rank_floors r where r.items = ${items} and r.age = ${oldest}), 0)`;
    const gone =
      feed.without === undefined
        ? null
        : `select id, age, score from ${ranks} join (${leftOut(feed.without, values)}) as gone using (id)
           where ${floor === null ? 'true' : `id >= ${values.number(floor)}`}`;
    const [row] = await this.database.read<TopStart>(
      `with counted as (
         select split_part(feed, ':', 3)::smallint as age, split_part(feed, ':', 4)::integer as score, items
         from feed_totals
         where feed like '%:top:%' and split_part(feed, ':', 1) = ${items} and ${listings}
         union all
         select split_part(feed, ':', 3)::smallint, split_part(feed, ':', 4)::integer, change
         from feed_deltas where feed like ${items} || ':top:%' and ${listings}
         ${left}
         ${gone === null ? '' : `union all select age, score, -1 from (${gone}) as gone`}
       ), placed as (
         select age, score, sum(items)::bigint as items,
                (sum(sum(items)) over (order by score desc, age) - sum(items))::bigint as before
         from counted where age <= ${oldest} group by age, score
       )
       select age, score, ${passed} - before as offset,
              exists (select from dense_feeds where feed = rank_feed('${ranks}', age, score)) as dense
              ${gone === null ? '' : `, array(select id from (${gone}) as gone where gone.age = placed.age and gone.score = placed.score) as without`}
       from placed where before + items > ${passed} order by score desc, age limit 1`,
      values.all,
      { replica: feed.mayLag },
    );
    return row ?? null;
  }
}
