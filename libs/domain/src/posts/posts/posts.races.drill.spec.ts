import type { ModerationStatus, Visibility } from '@vitrine/contracts';
import { Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import fc from 'fast-check';
import type { Caller } from '../../base/access/caller';
import { DomainError } from '../../base/errors/domain-error';
import { randomSlug } from '../../base/identifiers/slug';
import { castVote, type VoteState, type VoteValue } from '../../community/votes/vote.rules';
import { PostEditingService } from './post-editing.service';
import type { OwnPost } from './post.types';
import { MediaDecisions } from '../../media/items/media-decisions.service';
import { MediaDeletion } from '../../media/items/media-deletion.service';
import { MediaUploads } from '../../media/items/media-uploads.service';
import { PostsModule } from './posts.module';
import { PostsService } from './posts.service';
import { PostWorld, type SomeMedia } from '../../../test/post-world';

describe('posts under races', () => {
  const domain = useDomain([PostsModule]);
  const world = new PostWorld(domain);
  let posts: PostsService;
  let editing: PostEditingService;
  let connection: Database;

  beforeAll(() => {
    posts = domain.get(PostsService);
    editing = domain.get(PostEditingService);
    connection = domain.get(Database);
  });
  beforeEach(() => world.clear());

  /**
   * Waits for all. Simultaneous actions may fail with domain errors, and with no others. Returns the number of
   * errors.
   */
  const settle = async (work: readonly Promise<unknown>[]): Promise<number> => {
    const refusals = (await Promise.allSettled(work)).filter((result) => result.status === 'rejected');
    const bugs = refusals
      .map(({ reason }) => reason as unknown)
      .filter((why) => !(why instanceof DomainError));
    expect(bugs).toEqual([]);
    return refusals.length;
  };
  const decide = (media: SomeMedia, status: ModerationStatus) =>
    connection.transaction((tx) => domain.get(MediaDecisions).changeModerationStatus(tx, media.id, status));

  describe('a few posts that share media', () => {
    /** The owner, media and posts of one run. */
    interface Stage {
      readonly owner: Caller;
      readonly media: readonly SomeMedia[];
      readonly slugs: readonly string[];
    }
    const act = <Value>(
      name: string,
      values: fc.Arbitrary<Value>,
      perform: (stage: Stage, value: Value) => Promise<unknown>,
    ) => values.map((value) => ({ name, value, perform: (stage: Stage) => perform(stage, value) }));
    const anyPost = fc.nat({ max: 2 });
    const anyMedia = fc.nat({ max: 4 });
    const anyPair = fc.record({ post: anyPost, media: anyMedia });
    const anyVisibility = fc.constantFrom<Visibility>('public', 'hidden', 'private');
    const anyStatus = fc.constantFrom<ModerationStatus>('approved', 'pending', 'nsfw', 'rejected');
    const mediaAt = ({ media }: Stage, place: number) => media[place] as SomeMedia;
    const slugAt = ({ slugs }: Stage, place: number) => slugs[place] ?? '';
    const anyAct = fc.oneof(
      act('show', fc.record({ post: anyPost, visibility: anyVisibility }), (at, { post, visibility }) =>
        editing.update(slugAt(at, post), at.owner, { visibility }),
      ),
      act('add', anyPair, (at, { post, media }) =>
        editing.addMedia(slugAt(at, post), at.owner, [mediaAt(at, media).id]),
      ),
      act('take', anyPair, (at, { post, media }) =>
        editing.removeMedia(slugAt(at, post), at.owner, mediaAt(at, media).slug),
      ),
      act('decide', fc.record({ media: anyMedia, status: anyStatus }), (at, { media, status }) =>
        decide(mediaAt(at, media), status),
      ),
      act('mark', fc.record({ post: anyPost, isNsfw: fc.boolean() }), (at, { post, isNsfw }) =>
        editing.update(slugAt(at, post), at.owner, { isNsfw }),
      ),
      act('tag', anyPair, (at, { post, media }) =>
        editing.update(slugAt(at, post), at.owner, { tags: [`tag ${media}`, 'shared'] }),
      ),
      act('vote', anyPost, (at, post) =>
        posts.vote(slugAt(at, post), at.owner, { accessKey: null, value: 1 }),
      ),
      act('upload', anyPost, (at, post) =>
        domain
          .get(MediaUploads)
          .register(newFile(at.owner), { subject: 'user:1', filesPerDay: 1e6 }, slugAt(at, post)),
      ),
      act('make', fc.record({ media: anyMedia, visibility: anyVisibility }), (at, { media, visibility }) =>
        editing.create(at.owner, { mediaIds: [mediaAt(at, media).id], visibility }),
      ),
      act('delete', fc.record({ post: anyPost, along: fc.boolean() }), (at, { post, along }) =>
        editing.remove(slugAt(at, post), at.owner, along),
      ),
      act('destroy', anyMedia, (at, media) =>
        domain.get(MediaDeletion).remove(mediaAt(at, media).slug, at.owner),
      ),
    );

    it('leave a file to the post that gets it while its other post is deleted with its files', async () => {
      const owner = await world.createUser();
      for (const { id } of await world.createManyMedia(owner, 12)) {
        const old = await editing.create(owner, { mediaIds: [id] });
        const [made] = await Promise.allSettled([
          editing.create(owner, { mediaIds: [id] }),
          editing.remove(old.slug, owner, true),
        ]);
        const [{ media = 0 } = {}] = await domain.dataSource.query<{ media: number }[]>(
          'select count(*)::int as media from media where id = $1',
          [id],
        );
        expect(media).toBe(made.status === 'fulfilled' ? 1 : 0);
        if (made.status === 'fulfilled')
          expect(await world.post(made.value.id)).toMatchObject({ media_count: 1 });
      }
    });

    it('have right derived columns, and throw only domain errors', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyAct, { minLength: 20, maxLength: 60 }), async (acts) => {
          const owner = await world.createUser();
          const media = await world.createManyMedia(owner, 5);
          const slugs: string[] = [];
          for (const count of [1, 3, 5]) {
            const mediaIds = media.slice(0, count).map(({ id }) => id);
            slugs.push((await editing.create(owner, { mediaIds, tags: ['shared'] })).slug);
          }
          await settle(acts.map(({ perform }) => perform({ owner, media, slugs })));
          expect(await world.findWrongDerivations()).toEqual([]);
        }),
        { numRuns: 12 },
      );
    });

    const newFile = (owner: Caller) => ({
      slug: randomSlug(),
      userId: owner.userId,
      kind: 'image' as const,
      format: 'jpeg',
      mime: 'image/jpeg',
      ext: 'jpg',
      width: 4,
      height: 3,
      duration: null,
      frames: 1,
      bytes: 5,
      receivedSha256: Buffer.alloc(32),
      storedSha256: Buffer.alloc(32),
      unlisted: false,
    });
  });

  it('contain at most fifty media after many simultaneous additions', async () => {
    const owner = await world.createUser();
    const ids = (await world.createManyMedia(owner, 60)).map(({ id }) => id);
    const post = await editing.create(owner, { mediaIds: ids.slice(0, 45) });
    const additions = ids.slice(45).map((id) => editing.addMedia(post.slug, owner, [id]));
    expect(await settle(additions)).toBe(10);
    expect(await world.post(post.id)).toMatchObject({ media_count: 50 });
    expect(new Set(await world.mediaOf(post.id)).size).toBe(50);
  });

  it('contain at least one media item after many simultaneous removals', async () => {
    const owner = await world.createUser();
    const media = await world.createManyMedia(owner, 8);
    const post = await editing.create(owner, { mediaIds: media.map(({ id }) => id) });
    expect(await settle(media.map(({ slug }) => editing.removeMedia(post.slug, owner, slug)))).toBe(1);
    expect(await world.post(post.id)).toMatchObject({ media_count: 1 });
    expect(await world.findWrongDerivations()).toEqual([]);
  });

  it('have one of the requested orders after simultaneous changes', async () => {
    const owner = await world.createUser();
    const media = await world.createManyMedia(owner, 6);
    const post = await editing.create(owner, { mediaIds: media.map(({ id }) => id) });
    const orders = media.map((_, turn) => [...media.slice(turn), ...media.slice(0, turn)]);
    const refused = await settle(
      orders.map((order) => editing.update(post.slug, owner, { mediaOrder: order.map(({ slug }) => slug) })),
    );
    expect(refused).toBe(0);
    expect(orders.map((order) => order.map(({ id }) => id))).toContainEqual(await world.mediaOf(post.id));
  });

  it('have one key after becoming private several times at the same time', async () => {
    const owner = await world.createUser();
    const [media] = (await world.createManyMedia(owner, 1)) as [SomeMedia];
    const post = await editing.create(owner, { mediaIds: [media.id] });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => editing.update(post.slug, owner, { visibility: 'private' })),
    );
    const keys = new Set(answers.map(({ accessKey }) => accessKey));
    expect([...keys]).toEqual([(await world.post(post.id))['access_key']]);
  });

  it('can be deleted while others act on them', async () => {
    const owner = await world.createUser();
    const voters = await Promise.all(Array.from({ length: 10 }, () => world.createUser()));
    for (let round = 0; round < 5; round++) {
      const media = await world.createManyMedia(owner, 4);
      const ids = media.map(({ id }) => id) as [number, number, number, number];
      const { slug, id } = await editing.create(owner, { mediaIds: ids.slice(0, 3), tags: ['going'] });
      const viewer = (who: Caller) =>
        posts.findForViewer(slug, { viewer: who }, { mediaPage: 1, perPage: 10 });
      await settle([
        ...voters.map((voter) => posts.vote(slug, voter, { accessKey: null, value: 1 })),
        editing.update(slug, owner, { visibility: 'hidden' }),
        editing.addMedia(slug, owner, [ids[3]]),
        ...voters.map(viewer),
        editing.remove(slug, owner),
        editing.remove(String(id), owner),
        editing.removeMedia(slug, owner, media[0]?.slug ?? ''),
        domain.get(MediaDeletion).remove(media[1]?.slug ?? '', owner),
        editing.update(slug, owner, { tags: ['gone'], isNsfw: true }),
        ...voters.map((voter) => posts.vote(slug, voter, { accessKey: null, value: -1 })),
      ]);
      expect(await world.post(id)).toBeUndefined();
      expect(await world.findWrongDerivations()).toEqual([]);
    }
    for (const table of ['post_media', 'post_votes', 'post_tags']) {
      expect(await domain.dataSource.query(`select from ${table}`)).toEqual([]);
    }
  });

  describe('votes', () => {
    const VOTERS = 50;
    const anyCast = fc.record({
      voter: fc.nat({ max: VOTERS - 1 }),
      post: fc.nat({ max: 1 }),
      value: fc.constantFrom<VoteValue>(1, -1),
    });

    it('at the same time give the same scores as one after the other', async () => {
      const owner = await world.createUser();
      const voters: Caller[] = [];
      while (voters.length < VOTERS) voters.push(await world.createUser());
      await fc.assert(
        fc.asyncProperty(fc.array(anyCast, { minLength: 200, maxLength: 400 }), async (casts) => {
          const made: OwnPost[] = [];
          for (const { id } of await world.createManyMedia(owner, 2)) {
            made.push(await editing.create(owner, { mediaIds: [id] }));
          }
          const slugOf = (post: number) => made[post]?.slug ?? '';
          const model = new Map<string, VoteState>();
          for (const { voter, post, value } of casts) {
            const key = `${voter} on ${post}`;
            model.set(key, castVote(model.get(key) ?? 0, { value }).to);
          }
          // Each voter votes step by step; the voters act at the same time.
          await Promise.all(
            voters.map(async (voter, place) => {
              for (const { post, value } of casts.filter((cast) => cast.voter === place)) {
                await posts.vote(slugOf(post), voter, { accessKey: null, value });
              }
            }),
          );
          for (const [place, { id }] of made.entries()) {
            const states = [...model]
              .filter(([key]) => key.endsWith(` on ${place}`))
              .map(([, state]) => state);
            expect(await world.post(id)).toMatchObject({
              score: states.reduce((sum: number, state) => sum + state, 0),
            });
          }
          expect(await world.findWrongDerivations()).toEqual([]);
        }),
        { numRuns: 4 },
      );
    });

    it('of one user at the same time count one after the other', async () => {
      const owner = await world.createUser();
      const [media] = (await world.createManyMedia(owner, 1)) as [SomeMedia];
      const { id, slug } = await editing.create(owner, { mediaIds: [media.id] });
      const cast = (count: number, value: VoteValue) =>
        Promise.all(Array.from({ length: count }, () => posts.vote(slug, owner, { accessKey: null, value })));
      await cast(11, 1);
      expect(await world.post(id)).toMatchObject({ score: 1 });
      await cast(10, -1);
      expect(await world.post(id)).toMatchObject({ score: 0 });
      expect(await world.findWrongDerivations()).toEqual([]);
    });

    it('of an erased account are removed while the votes of others stay', async () => {
      const owner = await world.createUser();
      const leaving = await world.createUser();
      const made: OwnPost[] = [];
      for (const { id } of await world.createManyMedia(owner, 5)) {
        made.push(await editing.create(owner, { mediaIds: [id] }));
      }
      for (const { slug } of made) {
        await posts.vote(slug, owner, { accessKey: null, value: 1 });
        await posts.vote(slug, leaving, { accessKey: null, value: -1 });
      }
      const others = made.map(({ slug }) => posts.vote(slug, owner, { accessKey: null, value: -1 }));
      const withdrawn = [
        await posts.withdrawVotes(leaving.userId, 3),
        await posts.withdrawVotes(leaving.userId, 3),
      ];
      await Promise.all(others);
      expect([...withdrawn, await posts.withdrawVotes(leaving.userId, 3)]).toEqual([3, 2, 0]);
      for (const { id } of made) expect(await world.post(id)).toMatchObject({ score: -1 });
      expect(await world.findWrongDerivations()).toEqual([]);
    });
  });
});
