import { Database } from '@vitrine/database';
import { eventually, useDomain } from '@vitrine/testing';
import { FeedCountsService } from '../feeds/feed-counts.service';
import { FeedsModule } from '../feeds/feeds.module';
import { randomSlug } from '../../base/identifiers/slug';
import { TagsModule } from './tags.module';
import { TagsService } from './tags.service';

interface Query {
  readonly q?: string;
  readonly page?: number;
  readonly limit?: number;
  readonly nsfw?: boolean;
}

describe('TagsService', () => {
  const domain = useDomain([TagsModule, FeedsModule]);
  let connection: Database;
  let service: TagsService;
  let counts: FeedCountsService;
  beforeAll(() => {
    connection = domain.get(Database);
    service = domain.get(TagsService);
    counts = domain.get(FeedCountsService);
  });
  beforeEach(async () => {
    await domain.dataSource.query('delete from posts');
    await domain.dataSource.query('delete from media');
    await counts.foldAll();
    await domain.dataSource.query('delete from tags');
  });

  const addPost = async (listing = 'safe'): Promise<number> =>
    (
      await domain.dataSource.query('insert into posts (slug, listing) values ($1, $2) returning id', [
        randomSlug(),
        listing,
      ])
    )[0].id;
  const addMedia = async (listing = 'safe'): Promise<number> =>
    (
      await domain.dataSource.query(
        `insert into media (slug, listing, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256)
         values ($1, $2, 'image', 'jpeg', 'image/jpeg', 'jpg', 1, 1, 1, sha256('a'), sha256('b')) returning id`,
        [randomSlug(), listing],
      )
    )[0].id;
  const tagPost = (id: number, ...names: string[]) =>
    connection.transaction(async (tx) => {
      await tx.query('select from posts where id = $1 for update', [id]);
      await service.setPostTags(tx, id, names);
    });
  const tagMedia = (id: number, ...names: string[]) =>
    connection.transaction(async (tx) => {
      await tx.query('select from media where id = $1 for update', [id]);
      await service.setMediaTags(tx, id, names);
    });
  const relist = (id: number, listing: string) =>
    connection.transaction(async (tx) => {
      await tx.query('update posts set listing = $2 where id = $1', [id, listing]);
      await service.copyListings(tx, 'posts', [id]);
    });
  const find = (fields: Query = {}) => service.findPage({ page: 1, limit: 10, ...fields });
  /** As `name posts+media`. */
  const list = async (fields: Query = {}) =>
    (await find(fields)).items.map((tag) => `${tag.name} ${tag.postCount}+${tag.mediaCount}`);
  const tagsOf = async (id: number) => {
    const [row] = await domain.dataSource.query(
      `select array(select name from post_tags join tags on tags.id = tag_id where post_id = posts.id order by name) as indexed,
              array(select distinct pt.listing from post_tags pt where post_id = posts.id) as copies, listing
       from posts where id = $1`,
      [id],
    );
    return row;
  };

  it('gives a post exactly these tags, whatever tags it had before', async () => {
    const id = await addPost();
    await tagPost(id, 'sunset', 'alps');
    expect(await tagsOf(id)).toMatchObject({ indexed: ['alps', 'sunset'] });
    await tagPost(id, 'alps', 'snow');
    expect(await tagsOf(id)).toMatchObject({ indexed: ['alps', 'snow'] });
    await tagPost(id);
    expect(await tagsOf(id)).toMatchObject({ indexed: [] });
    expect(await service.findTagId('ALPS')).toEqual(expect.any(Number));
    expect(await service.findTagId('nobody')).toBeNull();
  });

  it('creates the same new tags in simultaneous transactions without a deadlock', async () => {
    const deadlocks = async (): Promise<number> => {
      await domain.dataSource.query('select pg_stat_force_next_flush()');
      const [row] = await domain.dataSource.query(
        'select deadlocks from pg_stat_database where datname = current_database()',
      );
      return row.deadlocks;
    };
    const waiting = () =>
      domain.dataSource.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
    const before = await deadlocks();
    // As many as may have a transaction at the same time.
    const ids = await Promise.all(Array.from({ length: 4 }, () => addPost()));
    const names = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
    // Another transaction holds the middle tag, so that all others stop half-way.
    const holder = domain.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`insert into tags (name) values ('tag 10')`);
    const done = Promise.all(
      ids.map((id, index) => tagPost(id, ...(index % 2 === 0 ? names : [...names].reverse()))),
    );
    await eventually(async () => expect(await waiting()).toHaveLength(ids.length));
    await holder.rollbackTransaction();
    await holder.release();
    await done;
    for (const id of ids) expect((await tagsOf(id)).indexed).toHaveLength(20);
    expect(await domain.dataSource.query('select from tags')).toHaveLength(20);
    expect(await deadlocks()).toBe(before);
  });

  it('keeps counts right if tags and listing change at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await addPost();
      const [name, other] = [`a${round}`, `b${round}`];
      await Promise.all([
        tagPost(id, name),
        relist(id, 'unlisted'),
        tagPost(id, name, other),
        relist(id, round % 2 === 0 ? 'nsfw' : 'unlisted'),
      ]);
      const { copies, listing, indexed } = await tagsOf(id);
      expect(copies).toEqual([listing]);
      const listed = listing !== 'unlisted' ? indexed.length : 0;
      const [one, two] = [await list({ q: name, nsfw: true }), await list({ q: other, nsfw: true })];
      expect(one.length + two.length).toBe(listed);
      // None of them is safe.
      expect([...(await list({ q: name })), ...(await list({ q: other }))]).toEqual([]);
    }
  });

  it('lists used tags, most used first, then by name; counts listed items, nsfw ones on demand', async () => {
    await tagPost(await addPost(), 'both', 'beta');
    await tagPost(await addPost('nsfw'), 'both');
    await tagPost(await addPost('unlisted'), 'both', 'unseen');
    await tagMedia(await addMedia(), 'both', 'alpha');
    await tagMedia(await addMedia('unlisted'), 'alpha', 'unseen');
    await tagPost(await addPost('nsfw'), 'adult', 'both');
    await tagMedia(await addMedia('nsfw'), 'adult');
    for (const settle of [() => counts.foldAll(), () => counts.recountAll(), () => Promise.resolve()]) {
      expect(await list()).toEqual(['both 1+1', 'alpha 0+1', 'beta 1+0']);
      expect((await find()).total).toBe(3);
      expect(await list({ nsfw: true })).toEqual(['both 3+1', 'adult 1+1', 'alpha 0+1', 'beta 1+0']);
      expect((await find({ nsfw: true })).total).toBe(4);
      expect(await find({ q: 'adult' })).toEqual({ items: [], total: 0 });
      await settle();
    }
  });

  it('shows each change at once, folded or not, and no unused tags', async () => {
    const [first, second] = [await addPost(), await addPost()];
    await tagPost(first, 'one', 'two');
    await tagPost(second, 'two');
    for (const settle of [() => Promise.resolve(), () => counts.foldAll(), () => counts.recountAll()]) {
      await relist(second, 'unlisted');
      expect(await list()).toEqual(['one 1+0', 'two 1+0']);
      await settle();
      await relist(first, 'unlisted');
      expect(await find()).toEqual({ items: [], total: 0 });
      await settle();
      expect(await find()).toEqual({ items: [], total: 0 });
      await relist(first, 'safe');
      await relist(second, 'nsfw');
      for (const settled of [false, true]) {
        if (settled) await settle();
        expect(await list({ nsfw: true })).toEqual(['two 2+0', 'one 1+0']);
        expect((await find({ nsfw: true })).total).toBe(2);
        expect(await list()).toEqual(['one 1+0', 'two 1+0']);
      }
    }
    await domain.dataSource.query('delete from posts where id = $1', [second]);
    expect(await list()).toEqual(['one 1+0', 'two 1+0']);
  });

  it('finds tags by the literal beginning of the name, ignoring case', async () => {
    await tagPost(await addPost(), '50% off', '500', 'über', 'a_b', 'axb', 'back');
    for (const [q, found] of [
      ['50', ['50% off', '500']],
      ['50%', ['50% off']],
      ['A_', ['a_b']],
      ['ÜB', ['über']],
      ['\\', []],
      ['off', []],
      ['', ['50% off', '500', 'a_b', 'axb', 'back', 'über']],
    ] as const) {
      const { items, total } = await find({ q });
      expect(items.map((tag) => tag.name).sort()).toEqual([...found]);
      expect(total).toBe(found.length);
    }
  });

  it('returns every tag on one page only, with and without deltas', async () => {
    const posts = await Promise.all(Array.from({ length: 5 }, () => addPost()));
    for (const [index, id] of posts.entries()) {
      await tagPost(id, ...Array.from({ length: 17 - 3 * index }, (_, n) => `n${n}`));
      if (index === 2) await counts.foldAll();
    }
    const all = await list({ limit: 250 });
    const pages: string[] = [];
    for (let page = 1; page <= 5; page++) pages.push(...(await list({ page, limit: 4 })));
    expect(pages).toEqual(all);
    expect(new Set(pages).size).toBe(17);
    expect(all[0]).toBe('n0 5+0');
    expect(await find({ page: 6, limit: 4 })).toEqual({ items: [], total: 17 });
  });
});
