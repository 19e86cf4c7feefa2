import type { FeedQuery } from '@vitrine/contracts/api';
import { Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import type { Caller } from '../../base/access/caller';
import { InvalidFieldsError, NotFoundError } from '../../base/errors/domain-error';
import { FeedCountsService } from '../../posts/feeds/feed-counts.service';
import { FollowsService } from '../follows/follows.service';
import { randomSlug } from '../../base/identifiers/slug';
import { MediaModule } from '../../media/items/media.module';
import { MediaReading } from '../../media/items/media-reading.service';
import { PostsModule } from '../../posts/posts/posts.module';
import { PostsService } from '../../posts/posts/posts.service';
import { RanksModule } from '../../posts/feeds/ranks.module';
import { RanksService } from '../../posts/feeds/ranks.service';
import { RelationsService, MAX_RELATIONS } from '../relations/relations.service';
import { insertCaller } from '../../../test/insert-caller';
import { BlockingModule } from './blocking.module';
import { BlockingService } from './blocking.service';

describe('BlockingService', () => {
  const domain = useDomain([BlockingModule, PostsModule, MediaModule, RanksModule]);
  let service: BlockingService;
  let follows: FollowsService;

  beforeAll(() => {
    service = domain.get(BlockingService);
    follows = domain.get(FollowsService);
  });
  beforeEach(() =>
    domain.dataSource.query(
      'truncate users, posts, media, tags, feed_deltas, feed_totals, feed_blocks, feed_buckets, rank_changes cascade',
    ),
  );

  const query = <Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(sql, values);
  const createUser = (): Promise<Caller> => insertCaller(domain.dataSource);
  const rankAll = (): Promise<void> =>
    domain.get(Database).transaction((tx) => domain.get(RanksService).rankAll(tx));
  const counts = ({ userId }: Caller) =>
    query('select follower_count, following_count from users where id = $1', [userId]);

  it('ends follows in both directions, with their counts, and changes nothing when repeated', async () => {
    const [ada, bob] = [await createUser(), await createUser()];
    await follows.follow(bob.username, ada);
    await follows.follow(ada.username, bob);
    for (let time = 0; time < 2; time++) await service.add('block', bob.username.toUpperCase(), ada);
    for (const person of [ada, bob]) {
      expect(await counts(person)).toEqual([{ follower_count: 0, following_count: 0 }]);
    }
    const { people, total } = await service.findPage('block', ada, { page: 1, limit: 10 });
    expect([people.map(({ author }) => author.username), total]).toEqual([[bob.username], 1]);
    expect(await service.findPage('block', bob, { page: 1, limit: 10 })).toEqual({ people: [], total: 0 });

    for (let time = 0; time < 2; time++) await service.remove('block', bob.username, ada);
    await follows.follow(ada.username, bob);
    expect(await counts(ada)).toEqual([{ follower_count: 1, following_count: 0 }]);
  });

  it('leaves no follow when both happen at once', async () => {
    const [ada, bob] = [await createUser(), await createUser()];
    for (let round = 0; round < 10; round++) {
      await Promise.allSettled([follows.follow(ada.username, bob), service.add('block', bob.username, ada)]);
      expect(await query('select 1 from follows')).toEqual([]);
      expect(await counts(ada)).toEqual([{ follower_count: 0, following_count: 0 }]);
      await service.remove('block', bob.username, ada);
    }
  });

  it.each(['block', 'mute'] as const)('refuses to %s yourself, unknown users, and too many', async (kind) => {
    const [ada, bob] = [await createUser(), await createUser()];
    await expect(service.add(kind, ada.username, ada)).rejects.toThrow(InvalidFieldsError);
    await expect(service.remove(kind, ada.username, ada)).rejects.toThrow(InvalidFieldsError);
    await expect(service.add(kind, 'nobody_at_all', ada)).rejects.toThrow(NotFoundError);
    await query(`insert into users (username) select 'fan_' || n from generate_series(1, $1::int) n`, [
      MAX_RELATIONS,
    ]);
    const [owner, other] = kind === 'block' ? ['blocker_id', 'blocked_id'] : ['muter_id', 'muted_id'];
    await query(
      `insert into ${kind}s (${owner}, ${other}) select $1, id from users where username like 'fan_%' order by id limit $2`,
      [ada.userId, MAX_RELATIONS - 1],
    );
    await service.add(kind, bob.username, ada);
    await expect(service.add(kind, `fan_${MAX_RELATIONS}`, ada)).rejects.toThrow(InvalidFieldsError);
    await service.add(kind, bob.username, ada);
  });

  it('is erased with an account, in both directions', async () => {
    const [ada, bob, eve] = [await createUser(), await createUser(), await createUser()];
    await service.add('block', bob.username, ada);
    await service.add('mute', ada.username, bob);
    await service.add('block', ada.username, eve);
    await service.add('mute', eve.username, bob);
    const relations = domain.get(RelationsService);
    while ((await relations.eraseRelationsOf(ada.userId, 1)) > 0);
    expect(await query('select 1 from blocks')).toEqual([]);
    expect(await query('select muted_id from mutes')).toEqual([{ muted_id: eve.userId }]);
  });

  describe('feeds of a viewer who blocks, mutes and is blocked', () => {
    const ITEMS = 60;
    let ada: Caller;
    let hidden: ReadonlySet<number>;
    /** The items in the order of their ids. */
    let posts: { readonly id: number; readonly user_id: number; readonly score: number }[];

    beforeEach(async () => {
      ada = await createUser();
      const authors = [];
      for (let index = 0; index < 6; index++) authors.push(await createUser());
      const [blocked, muted, blocker] = authors as [Caller, Caller, Caller];
      await service.add('block', blocked.username, ada);
      await service.add('mute', muted.username, ada);
      await service.add('block', ada.username, blocker);
      hidden = new Set([blocked, muted, blocker].map(({ userId }) => userId));
      await query(`insert into tags (name) values ('sky')`);
      posts = [];
      for (let index = 0; index < ITEMS; index++) {
        const author = authors[((index * index) % 7) % 6]!;
        const [post] = await query<(typeof posts)[number]>(
          `insert into posts (slug, user_id, listing, moderation_status, title, score, created_at)
           values ($1, $2, 'safe', 'approved', 'Heron', $3, now() - $4 * interval '1 hour') returning id, user_id, score`,
          [randomSlug(), author.userId, (index * 5) % 4, (ITEMS - index) * 6],
        );
        posts.push(post!);
        await query(`insert into post_tags (post_id, tag_id, listing) select $1, id, 'safe' from tags`, [
          post!.id,
        ]);
      }
      await rankAll();
    });

    const read = async (asked: Partial<FeedQuery>, viewer: Caller | null): Promise<number[]> => {
      const ids: number[] = [];
      for (let page = 1; ; page++) {
        const { items, total } = await domain
          .get(PostsService)
          .findFeedPage({ limit: 7, page, ...asked }, { viewer });
        ids.push(...items.map(({ post }) => post.id));
        if (items.length === 7) continue;
        expect(total).toBe(ids.length);
        return ids;
      }
    };

    it.each<[string, Partial<FeedQuery>]>([
      ['all', {}],
      ['a tag', { tag: 'sky' }],
      ['words', { q: 'heron' }],
      ['a period', { period: 'week' }],
      ['a tag and words', { tag: 'sky', q: 'heron' }],
    ])('have full pages and exact totals in every order: %s', async (_, filter) => {
      for (const folded of [false, true]) {
        if (folded) {
          await domain.get(RanksService).rankChanges();
          await domain.get(RanksService).ageRanks();
          await domain.get(FeedCountsService).foldAll(3);
        }
        await domain.get(RanksService).rankChanges();
        const seen = posts
          .filter(({ user_id: author }) => !hidden.has(author))
          .filter((_, index, all) => filter.period === undefined || posts.indexOf(all[index]!) >= ITEMS - 28);
        const latest = seen.map(({ id }) => id).reverse();
        const top = [...seen].sort((a, b) => b.score - a.score || b.id - a.id).map(({ id }) => id);
        expect(await read({ ...filter }, ada)).toEqual(latest);
        expect(await read({ ...filter, sort: 'top' }, ada)).toEqual(top);
        const shuffled = await read({ ...filter, sort: 'random', seed: 5 }, ada);
        expect([...shuffled].sort((a, b) => b - a)).toEqual(latest);
      }
      if (filter.period === undefined) expect(await read(filter, null)).toHaveLength(ITEMS);
    });

    it('show a muted user’s posts when the user is asked for, and nobody’s behind a block', async () => {
      const ofUser = async (id: number): Promise<number> => {
        const [user] = await query<{ username: string }>('select username from users where id = $1', [id]);
        return (await read({ username: user!.username }, ada)).length;
      };
      const [blocked, muted, blocker] = [...hidden] as [number, number, number];
      expect(await ofUser(blocked)).toBe(0);
      expect(await ofUser(blocker)).toBe(0);
      expect(await ofUser(muted)).toBe(posts.filter(({ user_id: author }) => author === muted).length);
    });

    it('leave media out too', async () => {
      const [blocked] = hidden;
      await query(
        `insert into media (slug, user_id, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256,
           moderation_status, listing)
         select 'm' || lpad(n::text, 6, '0'), case n % 3 when 0 then $1::bigint else $2 end, 'image', 'jpeg', 'image/jpeg', 'jpg',
                1, 1, 1, sha256('a'), sha256('b'), 'approved', 'safe' from generate_series(1, 9) n`,
        [blocked, ada.userId],
      );
      await rankAll();
      for (const sort of ['latest', 'top', 'random'] as const) {
        const page = await domain
          .get(MediaReading)
          .findFeedPage({ page: 1, limit: 5, sort }, { viewer: ada });
        expect([page.total, page.items.length]).toEqual([6, 5]);
        expect(page.items.every(({ media }) => media.userId === ada.userId)).toBe(true);
      }
    });
  });
});
