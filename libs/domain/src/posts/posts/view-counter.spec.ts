import { Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import { PostRepository } from '../rows/post.repository';
import { PostStatisticsRepository } from './post-statistics.repository';
import { PostsModule } from './posts.module';
import { PostsService } from './posts.service';
import { PostWorld } from '../../../test/post-world';
import { ViewCounter } from './view-counter';

describe('ViewCounter', () => {
  const domain = useDomain([PostsModule]);
  const world = new PostWorld(domain);

  const open = () =>
    new ViewCounter(domain.get(Database), domain.get(PostRepository), domain.get(PostStatisticsRepository));
  const createPost = async (): Promise<number> => {
    const { slug } = await world.createMedia(null);
    const [row] = await domain.dataSource.query('insert into posts (slug) values ($1) returning id', [slug]);
    return row.id;
  };
  const viewsOf = async (id: number) => (await world.post(id))['view_count'];

  it('adds the counted views in one statement for many posts', async () => {
    const counter = open();
    const [a, b] = [await createPost(), await createPost()];
    for (const id of [b, a, b, 999_999_999, b]) counter.count(id);
    expect([await viewsOf(a), await viewsOf(b)]).toEqual([0, 0]);
    await counter.flush();
    expect([await viewsOf(a), await viewsOf(b)]).toEqual([1, 3]);
    await counter.flush();
    expect([await viewsOf(a), await viewsOf(b)]).toEqual([1, 3]);
  });

  it('tells the views of each day, and of the sites that led to the post, at most fifty, of which new ones take the places of the least', async () => {
    const counter = open();
    const id = await createPost();
    const statistics = domain.get(PostStatisticsRepository);
    for (let batch = 0; batch < 5; batch++) {
      for (let site = 0; site < 15; site++) counter.count(id, `site-${batch}-${site}.example`);
      for (let view = 0; view < 2; view++) counter.count(id, 'site-0-1.example');
      counter.count(id);
      await counter.flush();
    }
    const { days, referrers } = await statistics.find(id);
    expect(days).toHaveLength(30);
    expect(days[0]).toEqual({ date: new Date().toISOString().slice(0, 10), views: 90 });
    expect(days[1]?.views).toBe(0);
    expect(referrers[0]).toEqual({ host: 'site-0-1.example', views: 11 });
    expect(referrers).toHaveLength(10);
    const rows: { host: string }[] = await domain.dataSource.query(
      'select host from post_referrers where post_id = $1',
      [id],
    );
    expect(rows).toHaveLength(50);
    expect(rows.filter(({ host }) => host.startsWith('site-4-'))).toHaveLength(15);
  });

  it('loses all days that are too old, however many there are', async () => {
    const id = await createPost();
    await domain.dataSource.query(
      `insert into post_views (post_id, day, views)
       select $1, (now() at time zone 'UTC')::date - days, 1 from generate_series(86, 95) as days`,
      [id],
    );
    expect(await domain.get(PostsService).removeOldStatistics(() => true, 2)).toBe(5);
    const [{ count }] = await domain.dataSource.query(
      'select count(*)::integer from post_views where post_id = $1',
      [id],
    );
    expect(count).toBe(5);
  });

  it('keeps views that it can not write, and those counted in the meantime', async () => {
    const counter = open();
    const id = await createPost();
    counter.count(id);
    await domain.dataSource.query('alter table posts rename column view_count to views_away');
    await counter.flush();
    counter.count(id);
    await counter.flush();
    await domain.dataSource.query('alter table posts rename column views_away to view_count');
    expect(await viewsOf(id)).toBe(0);
    await counter.flush();
    expect(await viewsOf(id)).toBe(2);
    await counter.onApplicationShutdown();
  });

  it('loses no views if several processes count and flush at the same time', async () => {
    const ids: number[] = [];
    while (ids.length < 20) ids.push(await createPost());
    const counters = [open(), open(), open()];
    const rounds = counters.map(async (counter, which) => {
      for (let round = 0; round < 10; round++) {
        for (const id of which % 2 ? ids : [...ids].reverse()) counter.count(id);
        await Promise.all([counter.flush(), counter.flush()]);
      }
    });
    await Promise.all(rounds);
    for (const id of ids) expect(await viewsOf(id)).toBe(30);
  });

  it('writes views periodically, and the rest when it stops', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const counter = open();
    const id = await createPost();
    try {
      counter.count(id);
      jest.advanceTimersByTime(5_000);
    } finally {
      jest.useRealTimers();
    }
    counter.count(id);
    await counter.onApplicationShutdown();
    expect(await viewsOf(id)).toBe(2);
  });

  it('keeps a limited number of posts while the database is down', async () => {
    const counter = open();
    for (let id = 1; id <= 150_000; id++) counter.count(-id);
    const id = await createPost();
    counter.count(id);
    await counter.flush();
    expect(await viewsOf(id)).toBe(0);
    counter.count(id);
    await counter.flush();
    expect(await viewsOf(id)).toBe(1);
  });
});
