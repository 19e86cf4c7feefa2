import { Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import type { Caller } from '../../base/access/caller';
import type { Viewer } from '../../base/access/viewer';
import { ForbiddenError, NotFoundError } from '../../base/errors/domain-error';

import { PostEditingService } from './post-editing.service';
import { MediaDecisions } from '../../media/items/media-decisions.service';
import { MediaDeletion } from '../../media/items/media-deletion.service';
import { PostsModule } from './posts.module';
import { PostsService } from './posts.service';
import { countStatements } from '../../../test/count-statements';
import { PostWorld } from '../../../test/post-world';

describe('PostsService', () => {
  const domain = useDomain([PostsModule]);
  const world = new PostWorld(domain);
  let service: PostsService;
  let editing: PostEditingService;
  let owner: Caller;

  beforeAll(() => {
    service = domain.get(PostsService);
    editing = domain.get(PostEditingService);
  });
  beforeEach(async () => {
    await world.clear();
    owner = await world.createUser();
  });

  const createPost = async (media = 1, fields: object = {}) => {
    const own = await world.createManyMedia(owner, media);
    const post = await editing.create(owner, { mediaIds: own.map(({ id }) => id), ...fields });
    return { ...post, media: own };
  };
  const first = { mediaPage: 1, perPage: 10 };

  it('names no hidden person’s post as a neighbour, however many they have', async () => {
    const viewer = await world.createUser();
    const publish = (count: number, user: Caller, prefix: string) =>
      domain.dataSource.query(
        `insert into posts (slug, user_id, title, listing, moderation_status)
         select $1 || lpad(to_hex(number), 6, '0'), $2, 'Heron', 'safe', 'approved' from generate_series(1, $3) as number`,
        [prefix, user.userId, count],
      );
    await publish(1, viewer, 'a');
    await publish(10_001, owner, 'b');
    await domain.dataSource.query('insert into mutes (muter_id, muted_id) values ($1, $2)', [
      viewer.userId,
      owner.userId,
    ]);
    const none = { previous: null, next: null };
    for (const query of [{}, { q: 'heron' }]) {
      expect(await service.findNeighbours('a000001', query, { viewer: null })).toMatchObject({
        previous: { post: { slug: 'b000001' } },
      });
      expect(await service.findNeighbours('a000001', query, { viewer })).toEqual(none);
    }
    expect(await service.findNeighbours('a000001', { q: 'crane' }, { viewer: null })).toEqual(none);
  });

  // Promise [content]: `pending_on` says whether a post waits for automation or a moderator.
  it('says what a pending post waits for: the automatic check while any of its media does, else a moderator', async () => {
    const media = [
      await world.createMedia(owner, 'pending'),
      await world.createMedia(owner, 'pending'),
    ] as const;
    const { slug, id } = await editing.create(owner, { mediaIds: media.map((one) => one.id) });
    const change = (one: { id: number }, assignments: string) =>
      domain.dataSource.query(`update media set ${assignments} where id = $1`, [one.id]);
    const shown = async () => [
      (await service.findForViewer(slug, { viewer: null }, first)).pendingOn,
      (await service.findListed([id], { viewer: owner }))[0]!.pendingOn,
    ];
    expect(await shown()).toEqual(['machine', 'machine']);
    await change(media[0], 'decided_at = now()');
    expect(await shown()).toEqual(['machine', 'machine']);
    await change(media[1], 'decided_at = now()');
    expect(await shown()).toEqual(['person', 'person']);
    await change(media[0], `moderation_status = 'approved'`);
    expect(await shown()).toEqual(['person', 'person']);
    await domain.dataSource.query(`update posts set moderation_status = 'approved' where id = $1`, [id]);
    expect(await shown()).toEqual([null, null]);
  });

  it('reads a post in one statement, independent of its content', async () => {
    const small = await createPost(1);
    const large = await createPost(50);
    for (const { slug, id } of [small, large]) {
      for (const reference of [slug, String(id)]) {
        const read = () =>
          service.findForViewer(reference, { viewer: owner }, { mediaPage: 1, perPage: 250 });
        expect(await countStatements(read)).toBe(1);
      }
    }
  });

  it('takes the same number of statements for one post and for thirty in a feed', async () => {
    for (let made = 0; made < 30; made++) await createPost(1 + (made % 3));
    const statements = [];
    for (const limit of [1, 30]) {
      const read = async () => {
        const { items } = await service.findFeedPage({ page: 1, limit }, { viewer: owner });
        expect(items).toHaveLength(limit);
      };
      statements.push(await countStatements(read));
    }
    expect(statements[1]).toBe(statements[0]);
    expect(statements[0]).toBeLessThanOrEqual(4);
  });

  it('returns the same to simultaneous requests of different viewers as to single ones', async () => {
    const stranger = await world.createUser();
    const moderator = await world.createUser('moderator');
    const viewers: readonly Viewer[] = [null, owner, stranger, moderator];
    const made = [await createPost(3), await createPost(2, { visibility: 'private' }), await createPost(1)];
    const rejected = await world.createMedia(owner, 'rejected');
    await editing.addMedia(made[0]!.slug, owner, [rejected.id]);
    await service.vote(made[0]!.slug, stranger, { accessKey: null, value: 1 });
    await service.vote(made[2]!.slug, owner, { accessKey: null, value: -1 });
    const asks = viewers.flatMap((viewer) =>
      [...made.flatMap(({ slug, id }) => [slug, String(id)]), 'nosuch1', '999999'].flatMap((reference) =>
        [1, 2].map((mediaPage) => ({ viewer, reference, mediaPage })),
      ),
    );
    const ask = ({ viewer, reference, mediaPage }: (typeof asks)[number]) =>
      service
        .findForViewer(reference, { viewer }, { mediaPage, perPage: 2 })
        .then(({ post, vote, own, mediaCount, media }) => ({
          ...{ id: post.id, vote, own, mediaCount },
          media: media.map(({ slug }) => slug),
        }))
        .catch((error: Error) => error.constructor.name);
    const alone: Awaited<ReturnType<typeof ask>>[] = [];
    for (const one of asks) alone.push(await ask(one));
    expect(await Promise.all(asks.map(ask))).toEqual(alone);
    const answerTo = (viewer: Viewer, reference: string, mediaPage: number) =>
      alone[
        asks.findIndex(
          (one) => one.viewer === viewer && one.reference === reference && one.mediaPage === mediaPage,
        )
      ];
    const [open, closed, third] = made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]];
    expect(answerTo(null, open.slug, 2)).toMatchObject({
      own: false,
      vote: 0,
      mediaCount: 3,
      media: [open.media[2]!.slug],
    });
    expect(answerTo(stranger, open.slug, 1)).toMatchObject({ own: false, vote: 1 });
    expect(answerTo(owner, open.slug, 2)).toMatchObject({
      own: true,
      mediaCount: 4,
      media: [open.media[2]!.slug, rejected.slug],
    });
    expect(answerTo(moderator, open.slug, 2)).toMatchObject({ own: false, mediaCount: 4 });
    expect(answerTo(owner, String(third.id), 1)).toMatchObject({ vote: -1 });
    expect(answerTo(null, closed.slug, 1)).toBe('NotFoundError');
    expect(answerTo(stranger, String(closed.id), 1)).toBe('NotFoundError');
    expect(answerTo(moderator, closed.slug, 1)).toMatchObject({ id: closed.id });
  });

  it('shows no author after the account is deleted', async () => {
    const { slug } = await createPost();
    await domain.dataSource.query('update users set deleted_at = now() where id = $1', [owner.userId]);
    expect((await service.findForViewer(slug, { viewer: null }, first)).author).toBeNull();
  });

  it('returns a locked post to those who may see it', async () => {
    const { slug, id, accessKey } = await createPost(1, { visibility: 'private', title: 'Mine' });
    const moderator = await world.createUser('moderator');
    const stranger = await world.createUser();
    const run = domain.get(Database);
    const visible = {
      id,
      slug,
      userId: owner.userId,
      title: 'Mine',
      visibility: 'private',
      moderationStatus: 'approved',
    };
    for (const [viewer, key] of [
      [owner, null],
      [moderator, null],
      [null, accessKey],
    ] as const) {
      expect(await service.requireVisible(slug, { viewer, accessKey: key })).toMatchObject(visible);
      expect(
        await run.transaction((tx) => service.lockVisible(tx, String(id), { viewer, accessKey: key })),
      ).toMatchObject(visible);
    }
    await expect(service.requireVisible(slug, { viewer: stranger, accessKey: 'wrong' })).rejects.toThrow(
      NotFoundError,
    );
    await expect(
      run.transaction((tx) => service.lockVisible(tx, slug, { viewer: stranger })),
    ).rejects.toThrow(NotFoundError);
    await expect(service.vote(slug, moderator, { accessKey: null, value: 1 })).rejects.toThrow(
      ForbiddenError,
    );
    expect(await service.vote(slug, moderator, { accessKey, value: 1 })).toEqual({
      from: 0,
      to: 1,
      score: 1,
    });
    expect((await world.events()).at(-1)).toEqual({
      type: 'vote.changed',
      data: { target: 'post', target_id: id, user_id: moderator.userId, from: 0, to: 1, score: 1 },
    });
  });

  it('writes nothing for a vote that is set again', async () => {
    const { slug } = await createPost();
    const vote = () => service.vote(slug, owner, { accessKey: null, value: 1, action: 'set' });
    const written = () =>
      domain.dataSource.query(`
        select xmin, (select count(*) from rank_changes), (select count(*) as events from outbox) from posts`);
    expect(await vote()).toEqual({ from: 0, to: 1, score: 1 });
    const before = await written();
    expect(await vote()).toEqual({ from: 1, to: 1, score: 1 });
    expect(await written()).toEqual(before);
  });

  it('publishes a change of a post by a decision on a media item or its deletion', async () => {
    const { id, slug, media } = await createPost(2);
    const told = async () =>
      (await world.events()).filter(({ type }) => type === 'post.updated').map(({ data }) => data);
    await domain
      .get(Database)
      .transaction((tx) => domain.get(MediaDecisions).changeModerationStatus(tx, media[0]!.id, 'nsfw'));
    await domain.get(MediaDeletion).remove(media[0]!.slug, owner);
    expect(await told()).toEqual([
      { post_id: id, slug, changed: ['moderation_status'], visibility: 'public', moderation_status: 'nsfw' },
      {
        post_id: id,
        slug,
        changed: ['media', 'moderation_status'],
        visibility: 'public',
        moderation_status: 'approved',
      },
    ]);
  });
});
