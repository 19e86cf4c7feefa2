import { type Transaction, Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import { RanksModule } from './ranks.module';
import { RanksService } from './ranks.service';
import { FeedCountsService } from './feed-counts.service';
import { FeedsModule } from './feeds.module';
import { FeedsService } from './feeds.service';

const LISTINGS = ['unlisted', 'safe', 'nsfw'] as const;
/** Small enough for feeds in tests to become dense. */
const DENSE_FROM = 3;
const EXACT = { totals: 0, blocks: 0, buckets: 0 };

describe('the counts and ranks of feeds', () => {
  const domain = useDomain([FeedsModule, RanksModule]);
  let counts: FeedCountsService;
  let ranks: RanksService;
  let connection: Database;
  let users: number[];
  let tags: number[];

  beforeAll(async () => {
    [counts, ranks] = [domain.get(FeedCountsService), domain.get(RanksService)];
    connection = domain.get(Database);
    const ids = async (sql: string): Promise<number[]> =>
      (await query<{ id: number }>(sql)).map((row) => row.id);
    users = await ids(
      `insert into users (username) select 'user_' || n from generate_series(0, 1) n returning id`,
    );
    tags = await ids(`insert into tags (name) select 'tag-' || n from generate_series(0, 1) n returning id`);
  });

  const query = <Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(sql, [...parameters]);
  const differences = () => connection.snapshot((tx) => counts.countDifferences(tx));

  /** Changes a random post; returns its id. */
  const changeOne = async (tx: Transaction, change: string, value: unknown): Promise<number[]> => {
    const rows = await tx.query<{ id: number }>(
      `with changed as (
         update posts set ${change}
         where id = (select id from posts order by random() limit 1 for update skip locked) returning id
       ) select id from changed`,
      [value],
    );
    return rows.map(({ id }) => id);
  };

  it('are exact while many transactions write and vote, and several fold and rank', async () => {
    const writers = Array.from({ length: 6 }, (_, writer) =>
      (async () => {
        for (let round = 0; round < 25; round++) {
          await connection.transaction(async (tx) => {
            const [post] = await tx.query<{ id: number }>(
              `insert into posts (slug, user_id, listing) values ($1, $2, $3) returning id`,
              [`w${writer}${String(round).padStart(5, '0')}`, users[writer % 2], LISTINGS[round % 3]],
            );
            await tx.query(
              `insert into post_tags (post_id, tag_id, listing) select id, $2, listing from posts where id = $1`,
              [post?.id, tags[round % 2]],
            );
            await ranks.relist(tx, 'posts', [post!.id]);
          });
          await connection.transaction(async (tx) => {
            const ids = await changeOne(tx, 'listing = $1', LISTINGS[(round + 1) % 3]);
            await ranks.relist(tx, 'posts', ids);
          });
          await connection.transaction(async (tx) => {
            const ids = await changeOne(tx, 'score = score + $1', round % 2 === 0 ? 1 : -1);
            await ranks.queue(tx, 'posts', ids);
          });
          if (round % 3 === 0) {
            await query(
              `delete from posts where id = (select id from posts order by random() limit 1 for update skip locked)`,
            );
          }
        }
      })(),
    );
    let writing = true;
    const all = Promise.all(writers).finally(() => (writing = false));
    const folders = [1, 2, 3].map(async () => {
      while (writing) {
        await ranks.rankChanges();
        await ranks.ageRanks();
        await counts.foldAll(DENSE_FROM);
      }
    });
    const reader = (async () => {
      while (writing) {
        const exact = await connection.snapshot(async (tx) => [
          await counts.countDifferences(tx),
          await tx.query('select 1 from feed_deltas limit 1'),
        ]);
        expect(exact[0]).toEqual(EXACT);
      }
    })();
    await all;
    await Promise.all([...folders, reader]);
    await ranks.rankChanges();
    expect(
      await query(
        `select from (select * from posts where listing <> 'unlisted') p full join post_ranks r using (id)
         where (p.user_id, p.listing, p.score) is distinct from (r.user_id, r.listing, r.score)`,
      ),
    ).toEqual([]);
    expect(
      await query(
        `select from post_tags t join post_ranks r on r.id = t.post_id where (t.age, t.score) is distinct from (r.age, r.score)`,
      ),
    ).toEqual([]);
    expect(await differences()).toEqual(EXACT);
    await counts.foldAll(DENSE_FROM);
    expect(await query('select 1 from feed_deltas')).toEqual([]);
    expect(await differences()).toEqual(EXACT);
    const dense = await query<{ feed: string }>('select feed from dense_feeds');
    expect(dense.length).toBeGreaterThan(4);
    const wrongTags = () =>
      query(
        `select from tags where (post_count, safe_post_count) <> (
           select count(*), count(*) filter (where listing = 'safe') from post_tags
           where tag_id = tags.id and listing <> 'unlisted')`,
      );
    expect(await wrongTags()).toEqual([]);
    await query('update tags set post_count = 0');
    await counts.recountAll(DENSE_FROM);
    expect(await wrongTags()).toEqual([]);
  });

  it('find a page of sort=top by its indexes, without sorting the feed', async () => {
    await query(
      `insert into posts (slug, user_id, listing) select 'z' || lpad(to_hex(n), 6, '0'), $1, 'safe' from generate_series(1, 20000) n`,
      [users[0]],
    );
    await connection.transaction((tx) => ranks.rankAll(tx));
    await query('vacuum analyze post_ranks');
    const feeds = domain.get(FeedsService);
    const request = { page: 1, limit: 10, period: 'all', seed: null, top: true } as const;
    await feeds.findPage({ items: 'posts', audience: 'everyone' }, request);
    const [page] = await query<{ name: string; statement: string }>(
      `select name, statement from pg_prepared_statements where statement like '%post_ranks item%' order by prepare_time desc limit 1`,
    );
    const values = new Set(page?.statement.match(/\$\d+/g)).size;
    const plan = JSON.stringify(
      await query(`explain execute ${page?.name}(${Array.from({ length: values }, () => '1').join(', ')})`),
    );
    expect(plan).toContain('post_ranks_top_idx');
    expect(plan).not.toMatch(/Seq Scan|Sort {2}/);
  });
});
