import { FOLLOWED_FEED_REACH } from '@vitrine/contracts';
import { Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import { FeedsModule } from './feeds.module';
import { FeedsService } from './feeds.service';
import { RanksModule } from './ranks.module';
import { RanksService } from './ranks.service';

describe('the feed of followed people and tags', () => {
  const domain = useDomain([FeedsModule, RanksModule]);
  let feeds: FeedsService;
  beforeAll(() => {
    feeds = domain.get(FeedsService);
  });

  const query = <Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(sql, [...parameters]);

  /** The viewer is 1; 2 to 21 post, the even ones are followed, 4 is hidden; the tags `a` and `b` are followed. */
  const fill = async (posts: number): Promise<void> => {
    await query(`truncate users, posts, tags, rank_changes restart identity cascade`);
    await query(`insert into users (username) select 'user_' || n from generate_series(1, 21) n`);
    await query(`insert into tags (name) values ('a'), ('b'), ('c')`);
    await query('insert into tag_follows (user_id, tag_id) values (1, 1), (1, 2)');
    await query(
      `insert into follows (follower_id, followee_id) select 1, n from generate_series(2, 21, 2) n`,
    );
    // One followed person made a third of the posts; ids and times agree.
    await query(
      `insert into posts (slug, user_id, listing, score, created_at)
       select 'A' || lpad(to_hex(n), 6, '0'), case when n % 3 = 0 then 2 else 2 + n % 20 end,
              (array['safe', 'safe', 'nsfw', 'unlisted'])[1 + n % 4], n * 7919 % 101,
              now() - interval '10 days' * (1 - n::float / $1)
       from generate_series(1, $1) n`,
      [posts],
    );
    await query(
      `insert into post_tags (post_id, tag_id, listing) select id, 1 + id % 7, listing from posts where id % 7 < 3`,
    );
    await domain.get(Database).transaction((tx) => domain.get(RanksService).rankAll(tx));
  };

  const expected = async (where: string, order: string): Promise<number[]> =>
    (
      await query<{ id: number }>(
        `select id from (
           select id, score from posts where (user_id % 2 = 0 or id % 7 < 2) and ${where} order by id desc limit ${FOLLOWED_FEED_REACH}
         ) p where id not in (select id from posts where user_id = 4) order by ${order}`,
      )
    ).map(({ id }) => id);

  // A member who follows many is answered from the newest posts of the site first.
  it.each([
    ['few people, all posts', 10, 500],
    ['few people, beyond the reach', 10, 4000],
    ['many people', 1000, 4000],
  ])(
    'has the newest posts of the followed in order, without hidden people: %s',
    async (_, following, posts) => {
      await fill(posts);
      await query('update users set following_count = $1 where id = 1', [following]);
      for (const [audience, listing] of [
        ['everyone', `listing = 'safe'`],
        ['adults', `listing <> 'unlisted'`],
      ] as const) {
        for (const [top, order] of [
          [false, 'id desc'],
          [true, 'score desc, id desc'],
        ] as const) {
          const feed = { viewerId: 1, audience, hidden: [4], top };
          const all = await expected(listing, order);
          const page = await feeds.findFollowedPage(feed, { page: 2, limit: 30, period: 'all' });
          expect(page).toEqual({ ids: all.slice(30, 60), total: all.length });
          const week = await expected(`${listing} and created_at >= now() - interval '7 days'`, order);
          expect(await feeds.findFollowedPage(feed, { page: 1, limit: 250, period: 'week' })).toEqual({
            ids: week.slice(0, 250),
            total: week.length,
          });
        }
      }
    },
  );

  it('is empty for a member who follows nobody, and beyond the last page', async () => {
    await fill(50);
    const feed = { audience: 'everyone', hidden: [], top: false } as const;
    const request = { page: 1, limit: 10, period: 'all' } as const;
    expect(await feeds.findFollowedPage({ ...feed, viewerId: 3 }, request)).toEqual({ ids: [], total: 0 });
    const { ids, total } = await feeds.findFollowedPage({ ...feed, viewerId: 1 }, { ...request, page: 99 });
    expect([ids, total > 0]).toEqual([[], true]);
  });
});
