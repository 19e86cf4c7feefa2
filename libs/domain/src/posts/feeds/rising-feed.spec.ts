import { Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import type { Feed } from './feed';
import { FeedsModule } from './feeds.module';
import { FeedsService } from './feeds.service';
import { RanksModule } from './ranks.module';
import { RanksService } from './ranks.service';

describe('sort=rising', () => {
  const domain = useDomain([FeedsModule, RanksModule]);

  it('lists the best scores for their age first, of three days, in all feeds of posts', async () => {
    const query = (sql: string): Promise<{ id: number }[]> => domain.dataSource.query(sql);
    await query(`insert into users (username) values ('ada')`);
    await query(`insert into tags (name) values ('a')`);
    await query(
      `insert into posts (slug, title, user_id, listing, score, created_at)
       select 'A' || lpad(to_hex(n), 6, '0'), 'walk', (select id from users), 'safe', (array[900, 10, 50, 0, 20, 2])[n],
              now() - (array[80, 70, 40, 30, 10, 0.1])[n] * interval '1 hour' from generate_series(1, 6) n`,
    );
    await query(
      `insert into post_tags (post_id, tag_id, listing) select p.id, t.id, 'safe' from posts p, tags t`,
    );
    await domain.get(Database).transaction((tx) => domain.get(RanksService).rankAll(tx));
    // Scores for their age: 0.005, 0.060, 0, 0.23 and 0.53; the first is older than three days.
    const [, second, third, fourth, fifth, sixth] = (await query('select id from posts order by id')).map(
      ({ id }) => id,
    );
    const [user, tag] = [
      (await query('select id from users'))[0]!.id,
      (await query('select id from tags'))[0]!.id,
    ];
    for (const part of [{}, { userId: user }, { tagId: tag }, { words: 'walk' }]) {
      const feed: Feed = { items: 'posts', audience: 'everyone', ...part };
      const request = { page: 1, limit: 4, period: 'all', seed: null, rising: true } as const;
      const find = (page: number) => domain.get(FeedsService).findPage(feed, { ...request, page });
      expect(await find(1)).toEqual({ ids: [sixth, fifth, third, second], total: 5 });
      expect(await find(2)).toEqual({ ids: [fourth], total: 5 });
    }
  });

  it('has the same order as the neighbours of each post, as have other orders', async () => {
    await domain.dataSource.query(`insert into posts (slug, listing) values ('B000001', 'unlisted')`);
    const posts = await domain.dataSource.query('select id from posts');
    const [user] = await domain.dataSource.query('select id from users');
    const [tag] = await domain.dataSource.query('select id from tags');
    const feeds = domain.get(FeedsService);
    for (const part of [{}, { userId: user.id }, { tagId: tag.id }, { words: 'walk' }]) {
      const feed: Feed = { items: 'posts', audience: 'everyone', ...part };
      for (const sort of ['latest', 'rising', 'top'] as const) {
        for (const period of ['all', 'week', 'day'] as const) {
          const request = { page: 1, limit: 10, period, seed: null };
          const { ids } = await feeds.findPage(feed, {
            ...request,
            top: sort === 'top',
            rising: sort === 'rising',
          });
          expect(ids.length).toBeGreaterThan(1);
          for (const { id } of posts) {
            const at = ids.indexOf(id);
            expect(await feeds.findNeighbours(feed, id, { sort, period })).toEqual({
              previous: ids[at - 1] ?? null,
              next: (at >= 0 && ids[at + 1]) || null,
            });
          }
        }
      }
    }
  });
});
