import { Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import type { Listing } from '@vitrine/contracts';
import type { Period } from '@vitrine/contracts/api';
import fc from 'fast-check';
import type { Feed, FeedPageRequest } from './feed';
import { FeedCountsService } from './feed-counts.service';
import { FeedRepository } from './feed.repository';
import { FeedsModule } from './feeds.module';
import { FeedsService } from './feeds.service';
import { RanksModule } from './ranks.module';
import { RanksService } from './ranks.service';

type Items = Feed['items'];

interface Item {
  readonly id: number;
  /** Index of its author; null for guests. */
  readonly user: number | null;
  readonly ageDays: number;
  listing: Listing;
  tags: ReadonlySet<number>;
  score: number;
}

const LISTINGS: readonly Listing[] = ['unlisted', 'safe', 'nsfw'];
const DAYS: Readonly<Record<Period, number>> = {
  day: 1,
  week: 7,
  month: 28,
  year: 365,
  all: Number.POSITIVE_INFINITY,
};
/** Small enough for feeds in tests to become dense. */
const DENSE_FROM = 3;

describe('feeds', () => {
  const domain = useDomain([FeedsModule, RanksModule]);
  let feeds: FeedsService;
  let counts: FeedCountsService;
  let ranks: RanksService;
  let connection: Database;
  let users: number[];
  let tags: number[];

  beforeAll(() => {
    feeds = domain.get(FeedsService);
    counts = domain.get(FeedCountsService);
    ranks = domain.get(RanksService);
    connection = domain.get(Database);
  });

  const query = <Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(sql, [...parameters]);

  beforeEach(reset);
  async function reset(): Promise<void> {
    await query(`truncate users, posts, media, tags, post_tags, media_tags, feed_deltas, feed_totals, feed_blocks,
                 feed_buckets, dense_feeds, rank_changes, rank_floors restart identity cascade`);
    await query(`insert into dense_feeds values ('posts'), ('media')`);
    const ids = async (sql: string): Promise<number[]> =>
      (await query<{ id: number }>(sql)).map((row) => row.id);
    users = await ids(
      `insert into users (username) select 'user_' || n from generate_series(0, 1) n returning id`,
    );
    tags = await ids(`insert into tags (name) select 'tag-' || n from generate_series(0, 1) n returning id`);
  }

  const tableOfTags = { posts: 'post_tags', media: 'media_tags' } as const;
  const keyOfTags = { posts: 'post_id', media: 'media_id' } as const;

  // The ids are too large to be used in slugs.
  let slugs = 0;
  const nextSlug = (): string => `a${(slugs++).toString(36).padStart(6, '0')}`;
  const insert = async (items: Items, item: Item): Promise<void> => {
    const file = `'image', 'jpeg', 'image/jpeg', 'jpg', 1, 1, 1, sha256('a'), sha256('a')`;
    const [columns, rest] =
      items === 'posts'
        ? ['', '']
        : [', kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256', `, ${file}`];
    await query(
      `insert into ${items} (id, slug, user_id, listing, created_at${columns}) overriding system value
       values ($1, $5, $2, $3, now() - $4 * interval '1 day'${rest})`,
      [item.id, item.user === null ? null : users[item.user], item.listing, item.ageDays, nextSlug()],
    );
    await setTags(items, item, item.tags);
  };
  const relist = (items: Items, id: number): Promise<void> =>
    connection.transaction((tx) => ranks.relist(tx, items, [id]));
  const setTags = async (items: Items, item: Item, wanted: ReadonlySet<number>): Promise<void> => {
    item.tags = wanted;
    const [table, key] = [tableOfTags[items], keyOfTags[items]];
    const ids = [...wanted].map((tag) => tags[tag]);
    await query(`delete from ${table} where ${key} = $1 and tag_id <> all($2)`, [item.id, ids]);
    await query(
      `insert into ${table} (${key}, tag_id, listing) select $1, unnest($2::bigint[]), $3 on conflict do nothing`,
      [item.id, ids, item.listing],
    );
    await relist(items, item.id);
  };
  const setListing = async (items: Items, item: Item, listing: Listing): Promise<void> => {
    item.listing = listing;
    await query(`update ${items} set listing = $2 where id = $1`, [item.id, listing]);
    await relist(items, item.id);
  };

  /** Gives an item a score: a media item gets it from a new post that contains only this item. */
  const setScore = async (items: Items, item: Item, score: number): Promise<void> => {
    item.score = score;
    if (items === 'posts') {
      await query('update posts set score = $2 where id = $1', [item.id, score]);
      return relist('posts', item.id);
    }
    const of = 'id = (select post_id from post_media where media_id = $1)';
    const [changed] = await query<{ id: number }>(
      `with changed as (update posts set score = $2 where ${of} returning id) select id from changed`,
      [item.id, score],
    );
    if (changed) return relist('posts', changed.id);
    await query(
      `with post as (insert into posts (slug, listing, score) values ($2, 'safe', $3) returning id)
       insert into post_media (post_id, media_id, position) select id, $1, 0 from post`,
      [item.id, nextSlug(), score],
    );
    await relist('media', item.id);
  };
  const rankAll = async (): Promise<void> => {
    await ranks.rankChanges();
    await ranks.ageRanks();
  };

  const differences = () => connection.snapshot((tx) => counts.countDifferences(tx));
  const EXACT = { totals: 0, blocks: 0, buckets: 0 };

  const readAll = async (
    feed: Feed,
    request: Pick<FeedPageRequest, 'limit' | 'period' | 'seed' | 'top'>,
  ): Promise<{ ids: number[]; totals: ReadonlySet<number> }> => {
    const ids: number[] = [];
    const totals = new Set<number>();
    for (let page = 1; ; page++) {
      const found = await feeds.findPage(feed, { ...request, page });
      totals.add(found.total);
      ids.push(...found.ids);
      if (found.ids.length < request.limit) return { ids, totals };
    }
  };

  const everyFeed = (items: Items): Feed[] => {
    const open = ['everyone', 'adults'] as const;
    return [
      ...open.map((audience) => ({ items, audience })),
      ...users.flatMap((userId) =>
        [...open, 'owner' as const].map((audience) => ({ items, audience, userId })),
      ),
      ...tags.flatMap((tagId) => open.map((audience) => ({ items, audience, tagId }))),
      { items, audience: 'everyone', userId: users[0], tagId: tags[0] },
    ];
  };
  const isIn = (feed: Feed, period: Period, item: Item): boolean =>
    (feed.audience === 'owner' ||
      item.listing === 'safe' ||
      (feed.audience === 'adults' && item.listing === 'nsfw')) &&
    (feed.userId === undefined || (item.user !== null && users[item.user] === feed.userId)) &&
    (feed.tagId === undefined || [...item.tags].some((tag) => tags[tag] === feed.tagId)) &&
    item.ageDays <= DAYS[period];

  const expectEveryPage = async (items: Items, world: readonly Item[]): Promise<void> => {
    for (const feed of everyFeed(items)) {
      for (const period of ['all', 'week'] as const) {
        const expected = world
          .filter((item) => isIn(feed, period, item))
          .map((item) => item.id)
          .sort((a, b) => b - a);
        const latest = await readAll(feed, { limit: 3, period, seed: null });
        expect({ feed, period, ...latest }).toEqual({
          feed,
          period,
          ids: expected,
          totals: new Set([expected.length]),
        });
        if (feed.audience !== 'owner') {
          const score = new Map(world.map((item) => [item.id, item.score]));
          const ids = [...expected].sort((a, b) => (score.get(b) ?? 0) - (score.get(a) ?? 0) || b - a);
          const top = await readAll(feed, { limit: 2, period, seed: null, top: true });
          expect({ feed, period, ...top }).toEqual({ feed, period, ids, totals: new Set([ids.length]) });
        }
        const shuffled = await readAll(feed, { limit: 2, period, seed: 7 });
        expect({ feed, ids: [...shuffled.ids].sort((a, b) => b - a) }).toEqual({ feed, ids: expected });
        expect(shuffled.totals).toEqual(new Set([expected.length]));
      }
      const beyond = await feeds.findPage(feed, { page: 999_999_999, limit: 250, period: 'all', seed: null });
      expect(beyond.ids).toEqual([]);
    }
  };

  const anyUser = fc.option(fc.nat({ max: 1 }), { nil: null });
  const anyListing = fc.constantFrom(...LISTINGS);
  const anyTags = fc.uniqueArray(fc.nat({ max: 1 }));
  // Ids have gaps of every size, so that all levels of blocks are used.
  const anyGap = fc.constantFrom(1, 1, 1, 700, 1024, 50_000, 3_000_000, 4_194_304, 300_000_000);
  const anyStep = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('insert' as const),
        user: anyUser,
        listing: anyListing,
        tags: anyTags,
        gap: anyGap,
        younger: fc.nat({ max: 20 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('list' as const), at: fc.nat(), listing: anyListing }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('tag' as const), at: fc.nat(), tags: anyTags }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), at: fc.nat() }) },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('score' as const),
        at: fc.nat(),
        score: fc.integer({ min: -2, max: 3 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('fold' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('rank' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('age' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('recount' as const) }) },
  );

  // Promise [lists]: Feeds show exactly what they should after any change.
  it.each<Items>(['posts', 'media'])(
    'of %s show exactly what they should, whatever happened, counted or not',
    async (items) => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 40 }), async (steps) => {
          await reset();
          const world: Item[] = [];
          let [id, ageDays] = [0, 60];
          for (const step of steps) {
            if (step.do === 'insert') {
              id += step.gap;
              ageDays = Math.max(0.01, ageDays - step.younger);
              // No two have the same age, and none is at the boundary of a period.
              ageDays -= 0.0001;
              const item = {
                id,
                user: step.user,
                listing: step.listing,
                ageDays,
                tags: new Set(step.tags),
                score: 0,
              };
              world.push(item);
              await insert(items, item);
            } else if (step.do === 'fold') {
              await counts.foldAll(DENSE_FROM);
            } else if (step.do === 'recount') {
              await counts.recountAll(DENSE_FROM);
            } else if (step.do === 'rank') {
              await ranks.rankChanges();
            } else if (step.do === 'age') {
              await ranks.ageRanks();
            } else if (world.length > 0) {
              const index = step.at % world.length;
              const item = world[index]!;
              if (step.do === 'list') await setListing(items, item, step.listing);
              else if (step.do === 'score') await setScore(items, item, step.score);
              else if (step.do === 'tag') await setTags(items, item, new Set(step.tags));
              else {
                world.splice(index, 1);
                await query(`delete from ${items} where id = $1`, [item.id]);
              }
            }
          }
          await ranks.rankChanges();
          await expectEveryPage(items, world);
          expect(await differences()).toEqual(EXACT);
          await rankAll();
          await counts.foldAll(DENSE_FROM);
          expect(await query('select 1 from feed_deltas')).toEqual([]);
          expect(await differences()).toEqual(EXACT);
          await expectEveryPage(items, world);
        }),
        { numRuns: 12 },
      );
    },
  );

  const fill = async (posts: number): Promise<void> => {
    await query(
      `insert into posts (slug, user_id, listing, created_at)
       select 'a' || lpad(to_hex(n), 6, '0'), $2, 'safe', now() - (($1 - n) || ' minutes')::interval
       from generate_series(1, $1::int) n`,
      [posts, users[0]],
    );
    await connection.transaction((tx) => ranks.rankAll(tx));
  };
  const everyone: Feed = { items: 'posts', audience: 'everyone' };

  it('in random order are one permutation per seed, with and without counted buckets', async () => {
    await fill(3000);
    const shuffled = (seed: number) => readAll(everyone, { limit: 250, period: 'all', seed });
    const one = await shuffled(1);
    expect(new Set(one.ids).size).toBe(3000);
    expect((await shuffled(1)).ids).toEqual(one.ids);
    const other = await shuffled(2);
    expect(new Set(other.ids).size).toBe(3000);
    const kept = one.ids.filter((id, index) => other.ids[index] === id).length;
    expect(kept).toBeLessThan(30);
    const whole = { period: 'all', seed: 1, floor: null, offset: 0, limit: 3000, dense: false } as const;
    const uncounted = await domain.get(FeedRepository).findShuffled(everyone, 1, whole);
    expect(uncounted).toEqual(one.ids);
    await counts.foldAll();
    expect((await shuffled(1)).ids).toEqual(one.ids);
    const small = await feeds.findPage(everyone, { page: 7, limit: 10, period: 'all', seed: 1 });
    expect(small.ids).toEqual(one.ids.slice(60, 70));
  });

  it('find items that contain all words, ignoring case', async () => {
    await fill(3);
    await query(`update posts set title = 'A Blue Heron', description = 'by the lake' where id = 1`);
    await query(`update posts set title = 'Heron', tags = '{blue,sky}' where id = 2`);
    const find = (words: string) =>
      feeds.findPage({ ...everyone, words }, { page: 1, limit: 10, period: 'all', seed: null });
    expect(await find('HERON blue')).toEqual({ ids: [2, 1], total: 2 });
    expect(await find('lake heron')).toEqual({ ids: [1], total: 1 });
    expect(await find(`heron & !'(`)).toEqual({ ids: [2, 1], total: 2 });
    expect(await find('nothing')).toEqual({ ids: [], total: 0 });
  });

  it('find a rare word by its index, not along the whole feed', async () => {
    await fill(20_000);
    await query(`update posts set title = case when id in (1, 10000) then 'heron' else 'number ' || id end`);
    await query('vacuum analyze posts');
    const planOf = async (request: FeedPageRequest): Promise<string> => {
      const found = await feeds.findPage({ ...everyone, words: 'heron' }, request);
      expect({ ...found, ids: [...found.ids].sort() }).toEqual({ ids: [1, 10_000], total: 2 });
      const [search] = await query<{ name: string; statement: string }>(
        `select name, statement from pg_prepared_statements
         where statement like '%plainto_tsquery%' order by prepare_time desc limit 1`,
      );
      const others = new Set(search?.statement.match(/\$\d+/g)).size - 1;
      return JSON.stringify(await query(`explain execute ${search?.name}('heron'${', 1'.repeat(others)})`));
    };
    for (const seed of [null, 7]) {
      const plan = await planOf({ page: 1, limit: 10, period: 'all', seed });
      expect(plan).toContain('posts_search_idx');
      expect(plan).not.toContain('posts_safe_idx');
    }
  });

  it('start a period with its lowest id, even if an older item has a higher one', async () => {
    await query(
      `insert into posts (id, slug, user_id, listing, created_at) overriding system value
       values (5, 'a000005', $1, 'safe', now() - interval '2 days'),
              (8, 'a000008', $1, 'safe', now() - interval '3600.1 seconds'),
              (7, 'a000007', $1, 'safe', now() - interval '3600.0 seconds')`,
      [users[0]],
    );
    for (const feed of [everyone, { ...everyone, userId: users[0] }]) {
      const found = await feeds.findPage(feed, { page: 1, limit: 10, period: 'day', seed: null });
      expect(found).toEqual({ ids: [8, 7], total: 2 });
    }
  });

  it('become dense between two batches of deltas', async () => {
    await fill(3000);
    await counts.foldAll(DENSE_FROM);
    expect(await differences()).toEqual(EXACT);
  });

  it('report every difference between counts and items', async () => {
    await fill(5);
    await counts.foldAll(DENSE_FROM);
    await query(`update feed_totals set items = items + 1 where feed = 'posts'`);
    await query(`update feed_blocks set items = items + 1 where feed = 'posts' and level = 2`);
    await query(`update feed_buckets set items = items - 1 where bucket = shuffle_bucket(1)`);
    expect(await differences()).toEqual({ totals: 1, blocks: 1, buckets: 1 });
    await counts.recountAll();
    expect(await differences()).toEqual(EXACT);
  });

  it('report the number and age of deltas that are not folded', async () => {
    expect(await counts.findUnfolded()).toEqual({ deltas: 0, seconds: 0 });
    await fill(5);
    await query(`update feed_deltas set created_at = now() - interval '90 seconds' where id = 1`);
    const { deltas, seconds } = await counts.findUnfolded();
    expect(deltas).toBe(15);
    expect(Math.round(seconds)).toBe(90);
  });
});
