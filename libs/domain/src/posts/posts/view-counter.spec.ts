import { Database } from '@vitrine/database';
import { type DomainContext, startDomain } from '@vitrine/testing';
import { PostRepository } from '../rows/post.repository';
import { PostsModule } from './posts.module';
import { PostWorld } from '../../../test/post-world';
import { ViewCounter } from './view-counter';

describe('ViewCounter', () => {
  let domain: DomainContext;
  let world: PostWorld;

  beforeAll(async () => {
    domain = await startDomain([PostsModule]);
    world = new PostWorld(domain.dataSource);
  });
  afterAll(() => domain.stop());

  const open = () => new ViewCounter(domain.get(Database), domain.get(PostRepository));
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
