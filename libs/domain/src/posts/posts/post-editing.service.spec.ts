import { useDomain } from '@vitrine/testing';
import type { Caller } from '../../base/access/caller';
import { ForbiddenError, InvalidFieldsError, NotFoundError } from '../../base/errors/domain-error';
import { MediaDecisions } from '../../media/items/media-decisions.service';
import { Database } from '@vitrine/database';
import { PostEditingService } from './post-editing.service';
import { PostsModule } from './posts.module';
import { PostWorld } from '../../../test/post-world';

describe('PostEditingService', () => {
  const domain = useDomain([PostsModule]);
  const world = new PostWorld(domain);
  let service: PostEditingService;
  let owner: Caller;
  let stranger: Caller;

  beforeAll(() => {
    service = domain.get(PostEditingService);
  });
  beforeEach(async () => {
    await world.clear();
    owner = await world.createUser();
    stranger = await world.createUser();
  });
  afterEach(async () => expect(await world.findWrongDerivations()).toEqual([]));

  const createPost = async (media = 2, fields: object = {}) => {
    const own = await world.createManyMedia(owner, media);
    return {
      post: await service.create(owner, { mediaIds: own.map(({ id }) => id), ...fields }),
      media: own,
    };
  };
  const decisions = (): Promise<Record<string, unknown>[]> =>
    domain.dataSource.query('select * from moderation_decisions order by id desc limit 1');
  const decideOnMedia = (mediaId: number, status: 'approved' | 'nsfw' | 'pending' | 'rejected') =>
    domain
      .get(Database)
      .transaction((tx) => domain.get(MediaDecisions).changeModerationStatus(tx, mediaId, status));

  describe('create', () => {
    it('creates a post in one transaction: media in order, status, listing, tags, event', async () => {
      const own = await world.createManyMedia(owner, 3);
      const mediaIds = own.map(({ id }) => id).reverse();
      const post = await service.create(owner, { mediaIds, title: 'Harbour', tags: ['sea', 'fog'] });
      expect(post).toMatchObject({
        slug: expect.stringMatching(/^[A-Za-z0-9]{7}$/),
        visibility: 'public',
        accessKey: null,
      });
      expect(await world.mediaOf(post.id)).toEqual(mediaIds);
      expect(await world.post(post.id)).toMatchObject({
        user_id: owner.userId,
        title: 'Harbour',
        description: null,
        moderation_status: 'approved',
        listing: 'safe',
        media_count: 3,
        tags: ['sea', 'fog'],
      });
      expect(await world.events()).toEqual([
        {
          type: 'post.created',
          data: {
            post_id: post.id,
            slug: post.slug,
            user_id: owner.userId,
            visibility: 'public',
            moderation_status: 'approved',
            media_ids: mediaIds,
          },
        },
      ]);
    });

    it('names every media item that is unknown or of another user, and writes nothing', async () => {
      const own = await world.createMedia(owner);
      const foreign = await world.createMedia(stranger);
      const guests = await world.createMedia(null);
      const mediaIds = [own.id, foreign.id, 999_999, guests.id, -1, Number.MAX_SAFE_INTEGER];
      const refused = await service.create(owner, { mediaIds }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(InvalidFieldsError);
      expect((refused as InvalidFieldsError).errors).toEqual(
        Object.fromEntries(
          [1, 2, 3, 4, 5].map((place) => [
            `media_ids.${place}`,
            [`The selected media_ids.${place} is invalid.`],
          ]),
        ),
      );
      expect(await domain.dataSource.query('select from posts')).toEqual([]);
    });

    it('removes media that are only in hidden and private posts from the feeds of media', async () => {
      for (const visibility of ['hidden', 'private'] as const) {
        const { post, media } = await createPost(1, { visibility });
        expect(await world.post(post.id)).toMatchObject({ visibility, listing: 'unlisted' });
        expect(await world.mediaListing(media[0]!)).toBe('unlisted');
        await service.create(owner, { mediaIds: [media[0]!.id] });
        expect(await world.mediaListing(media[0]!)).toBe('safe');
      }
    });

    // Promise [content]: `media_ids` and `media_order` accept ids and slugs, each item once.
    it('takes ids and slugs of media, each item once', async () => {
      const { post, media } = await createPost(2);
      const [one, two] = [media[0]!, media[1]!];
      await service.update(post.slug, owner, { mediaOrder: [two.slug, one.id] });
      const mixed = await service.create(owner, { mediaIds: [two.slug, one.id] });
      for (const { id } of [post, mixed]) expect(await world.mediaOf(id)).toEqual([two.id, one.id]);
      for (const mediaIds of [
        [one.id, one.slug],
        [one.id, 'nosuch1'],
      ]) {
        await expect(service.create(owner, { mediaIds })).rejects.toHaveProperty(['errors', 'media_ids.1']);
      }
    });

    it('sets a key for a private post', async () => {
      const { post } = await createPost(1, { visibility: 'private' });
      expect(post.accessKey).toMatch(/^[A-Za-z0-9]{32}$/);
    });

    it('accepts rejected and pending media; rejected ones do not count for the status', async () => {
      const media = [
        await world.createMedia(owner, 'rejected'),
        await world.createMedia(owner, 'nsfw'),
        await world.createMedia(owner, 'pending'),
      ];
      const statusOf = async (...ids: number[]) =>
        (await world.post((await service.create(owner, { mediaIds: ids })).id))['moderation_status'];
      const [rejected, nsfw, pending] = media.map(({ id }) => id) as [number, number, number];
      expect(await statusOf(rejected)).toBe('rejected');
      expect(await statusOf(rejected, nsfw)).toBe('nsfw');
      expect(await statusOf(rejected, nsfw, pending)).toBe('pending');
    });

    it('logs the owner’s is_nsfw as a decision', async () => {
      const { post } = await createPost(1, { isNsfw: true });
      expect(await world.post(post.id)).toMatchObject({
        moderation_status: 'nsfw',
        listing: 'nsfw',
        owner_nsfw: true,
      });
      expect(await decisions()).toMatchObject([
        {
          subject: 'post',
          subject_id: post.id,
          slug: post.slug,
          decided_by: 'owner',
          decided_by_user_id: owner.userId,
          from_status: 'approved',
          to_status: 'nsfw',
          reason: 'owner',
        },
      ]);
    });
  });

  describe('update', () => {
    it('keeps omitted fields, clears null ones and publishes what has changed', async () => {
      const { post } = await createPost(1, { title: 'One', description: 'Two', tags: ['sea'] });
      const eventsBefore = (await world.events()).length;
      const changed = async () =>
        (await world.events()).slice(eventsBefore).map(({ data }) => data['changed']);
      await service.update(post.slug, owner, {});
      await service.update(post.slug, owner, {
        title: 'One',
        tags: ['sea'],
        visibility: 'public',
        isNsfw: false,
      });
      expect(await changed()).toEqual([]);
      await service.update(String(post.id), owner, { title: null, tags: ['fog', 'sea'] });
      expect(await world.post(post.id)).toMatchObject({
        title: null,
        description: 'Two',
        tags: ['fog', 'sea'],
      });
      await service.update(post.slug, owner, { description: null, tags: null, isNsfw: true });
      expect(await world.post(post.id)).toMatchObject({ title: null, description: null, tags: [] });
      expect(await changed()).toEqual([
        ['title', 'tags'],
        ['description', 'is_nsfw', 'tags', 'moderation_status'],
      ]);
    });

    // Promise [visibility]: A post gets a new key each time it becomes private.
    it('creates a new key each time the post becomes private, and keeps it while it is private', async () => {
      const { post } = await createPost(1);
      const set = async (visibility: 'public' | 'hidden' | 'private') =>
        (await service.update(post.slug, owner, { visibility })).accessKey;
      const first = await set('private');
      expect(first).toMatch(/^[A-Za-z0-9]{32}$/);
      expect(await set('private')).toBe(first);
      expect((await service.update(post.slug, owner, { title: 'x' })).accessKey).toBe(first);
      expect(await set('hidden')).toBeNull();
      const second = await set('private');
      expect(second).toMatch(/^[A-Za-z0-9]{32}$/);
      expect(second).not.toBe(first);
      expect(await set('public')).toBeNull();
    });

    it('removes the post and the media that are only in it from the feeds, and brings them back', async () => {
      const { post, media } = await createPost(1);
      for (const visibility of ['hidden', 'private'] as const) {
        await service.update(post.slug, owner, { visibility });
        expect(await world.post(post.id)).toMatchObject({ listing: 'unlisted' });
        expect(await world.mediaListing(media[0]!)).toBe('unlisted');
      }
      await service.update(post.slug, owner, { visibility: 'public' });
      expect(await world.post(post.id)).toMatchObject({ listing: 'safe' });
      expect(await world.mediaListing(media[0]!)).toBe('safe');
    });

    it('accepts only a permutation as the new order', async () => {
      const { post, media } = await createPost(3);
      const [a, b, c] = media.map(({ slug }) => slug) as [string, string, string];
      await service.update(post.slug, owner, { mediaOrder: [c, a, b] });
      expect(await world.mediaOf(post.id)).toEqual([media[2]!.id, media[0]!.id, media[1]!.id]);
      const foreign = await world.createMedia(owner);
      for (const mediaOrder of [[], [a, b], [a, b, c, foreign.slug], [a, b, foreign.slug], [a, a, b]]) {
        const refused = service.update(post.slug, owner, { mediaOrder, title: 'not kept' });
        await expect(refused).rejects.toMatchObject({ errors: { media_order: [expect.any(String)] } });
      }
      expect(await world.post(post.id)).toMatchObject({ title: null });
    });

    it('removes the owner’s is_nsfw again and logs that too', async () => {
      const { post, media } = await createPost(1, { isNsfw: true });
      await service.update(post.slug, owner, { isNsfw: false });
      expect(await world.post(post.id)).toMatchObject({ moderation_status: 'approved', listing: 'safe' });
      expect(await decisions()).toMatchObject([
        { from_status: 'nsfw', to_status: 'approved', decided_by: 'owner' },
      ]);
      await service.update(post.slug, owner, { isNsfw: true });
      await decideOnMedia(media[0]!.id, 'pending');
      expect(await world.post(post.id)).toMatchObject({ moderation_status: 'nsfw', listing: 'unlisted' });
      await decideOnMedia(media[0]!.id, 'approved');
      expect(await world.post(post.id)).toMatchObject({ moderation_status: 'nsfw', listing: 'nsfw' });
    });

    // Promise [moderation]: An owner can raise a moderator’s decision, but never lower it.
    it('raises a moderator’s decision but never lowers it', async () => {
      const { post } = await createPost(1);
      await world.rule(post.id, 'nsfw');
      await service.update(post.slug, owner, { isNsfw: true });
      await service.update(post.slug, owner, { isNsfw: false });
      expect(await world.post(post.id)).toMatchObject({ moderation_status: 'nsfw' });
      await world.rule(post.id, 'approved');
      await service.update(post.slug, owner, { isNsfw: true });
      expect(await world.post(post.id)).toMatchObject({ moderation_status: 'nsfw' });
    });

    it('rejects a change with is_nsfw as a whole if a moderator rejected the post', async () => {
      const { post } = await createPost(1, { title: 'kept' });
      await world.rule(post.id, 'rejected');
      await service.update(post.slug, owner, {});
      for (const isNsfw of [true, false]) {
        await expect(service.update(post.slug, owner, { isNsfw, title: 'x' })).rejects.toThrow(
          ForbiddenError,
        );
      }
      await service.update(post.slug, owner, { description: 'still mine' });
      expect(await world.post(post.id)).toMatchObject({
        title: 'kept',
        description: 'still mine',
        moderation_status: 'rejected',
        listing: 'unlisted',
      });
    });
  });

  describe('who may', () => {
    // Promise [visibility]: A change without the right gives 403, or 404 if the caller can’t see the post.
    it('throws ForbiddenError if the caller may see the post, else NotFoundError', async () => {
      const moderator = await world.createUser('moderator');
      const attempts = (reference: string, who: Caller): (() => Promise<unknown>)[] => [
        () => service.update(reference, who, { title: 'x' }),
        () => service.update(reference, who, { visibility: 'public' }),
        () => service.remove(reference, who),
        () => service.addMedia(reference, who, [1]),
        () => service.removeMedia(reference, who, 'aaaaaaa'),
      ];
      const { post: open } = await createPost(2);
      const { post: closed } = await createPost(2, { visibility: 'private' });
      for (const attempt of [
        ...attempts(open.slug, stranger),
        ...attempts(closed.slug, moderator),
        ...attempts(String(open.id), moderator),
      ]) {
        await expect(attempt()).rejects.toThrow(ForbiddenError);
      }
      for (const attempt of [
        ...attempts(closed.slug, stranger),
        ...attempts('aaaaaaa', owner),
        ...attempts('999999', owner),
        ...attempts('../etc', owner),
        ...attempts('0', owner),
      ]) {
        await expect(attempt()).rejects.toThrow(NotFoundError);
      }
    });
  });

  describe('addMedia, removeMedia', () => {
    it('adds media at the end in the given order', async () => {
      const { post, media } = await createPost(2);
      const more = await world.createManyMedia(owner, 2);
      const added = [more[1]!.id, more[0]!.id];
      await service.addMedia(post.slug, owner, added);
      expect(await world.mediaOf(post.id)).toEqual([...media.map(({ id }) => id), ...added]);
      expect((await world.events()).at(-1)).toMatchObject({
        type: 'post.updated',
        data: { changed: ['media'] },
      });
    });

    it('rejects media of others, media that are in the post already, and more than 50', async () => {
      const { post, media } = await createPost(49);
      const foreign = await world.createMedia(stranger);
      const [one, two] = (await world.createManyMedia(owner, 2)).map(({ id }) => id) as [number, number];
      const refusal = (ids: number[]) =>
        service.addMedia(post.slug, owner, ids).catch((error: unknown) => error);
      expect(await refusal([one, foreign.id])).toMatchObject({
        errors: { 'media_ids.1': ['The selected media_ids.1 is invalid.'] },
      });
      expect(await refusal([one, media[0]!.id])).toMatchObject({
        errors: { 'media_ids.1': ['The media_ids.1 field has a duplicate value.'] },
      });
      expect(await refusal([one, two])).toMatchObject({ errors: { media_ids: [expect.any(String)] } });
      await service.addMedia(post.slug, owner, [one]);
      expect(await world.post(post.id)).toMatchObject({ media_count: 50 });
    });

    it('removes a media item from the post, but not the last one, and keeps the media item itself', async () => {
      const { post, media } = await createPost(2, { visibility: 'hidden' });
      expect(await world.mediaListing(media[0]!)).toBe('unlisted');
      await service.removeMedia(post.slug, owner, media[0]!.slug);
      expect(await world.mediaListing(media[0]!)).toBe('safe');
      await expect(service.removeMedia(post.slug, owner, media[0]!.slug)).rejects.toThrow(NotFoundError);
      await expect(service.removeMedia(post.slug, owner, media[1]!.slug)).rejects.toMatchObject({
        errors: { media: [expect.any(String)] },
      });
      expect(await world.mediaOf(post.id)).toEqual([media[1]!.id]);
    });

    it('derives a better status when the rejected media are removed', async () => {
      const bad = await world.createMedia(owner, 'nsfw');
      const good = await world.createMedia(owner);
      const post = await service.create(owner, { mediaIds: [bad.id, good.id] });
      expect(await world.post(post.id)).toMatchObject({ moderation_status: 'nsfw' });
      await service.removeMedia(post.slug, owner, bad.slug);
      expect(await world.post(post.id)).toMatchObject({ moderation_status: 'approved', listing: 'safe' });
      expect((await world.events()).at(-1)).toMatchObject({
        data: { changed: ['media', 'moderation_status'] },
      });
    });
  });

  describe('remove', () => {
    it('deletes the post, its votes and tags, and keeps its media in the feeds', async () => {
      const { post, media } = await createPost(2, { visibility: 'private', tags: ['sea'] });
      await domain.dataSource.query('insert into post_votes (post_id, user_id, value) values ($1, $2, 1)', [
        post.id,
        stranger.userId,
      ]);
      await service.remove(post.slug, owner);
      expect(await world.post(post.id)).toBeUndefined();
      for (const one of media) expect(await world.mediaListing(one)).toBe('safe');
      for (const table of ['post_media', 'post_votes', 'post_tags']) {
        expect(await domain.dataSource.query(`select from ${table}`)).toEqual([]);
      }
      expect((await world.events()).at(-1)).toEqual({
        type: 'post.deleted',
        data: { post_id: post.id, slug: post.slug, user_id: owner.userId },
      });
      await expect(service.remove(post.slug, owner)).rejects.toThrow(NotFoundError);
    });

    // Promise [content]: `DELETE /posts/<post>?media=1` also deletes the media that are in no other post.
    it('deletes the media along that are in no other post', async () => {
      const { post, media } = await createPost(2);
      await service.create(owner, { mediaIds: [media[1]!.id] });
      await service.remove(post.slug, owner, true);
      expect(await domain.dataSource.query('select id from media')).toEqual([{ id: media[1]!.id }]);
      const deleted = `select from outbox where envelope ->> 'type' = 'media.deleted'`;
      expect(await domain.dataSource.query(deleted)).toHaveLength(1);
    });

    it('deletes posts of one account in batches, and no other posts', async () => {
      for (let made = 0; made < 3; made++) await createPost(1);
      const foreign = await world.createMedia(stranger);
      const kept = await service.create(stranger, { mediaIds: [foreign.id] });
      expect(await service.removeAllOf(owner.userId, 2)).toBe(2);
      expect(await service.removeAllOf(owner.userId, 2)).toBe(1);
      expect(await service.removeAllOf(owner.userId, 2)).toBe(0);
      expect(await world.post(kept.id)).toBeDefined();
    });
  });
});
