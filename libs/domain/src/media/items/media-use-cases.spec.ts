import {
  ForbiddenError,
  InvalidFieldsError,
  NotFoundError,
  TooManyRequestsError,
} from '../../base/errors/domain-error';
import { SlugTakenError } from '../../base/identifiers/fresh-slug';
import { useMedia } from '../../../test/media-stage';

describe('media use cases', () => {
  const stage = useMedia();
  const { createUser, quota, newMedia, register, createPost, postRow, outboxEvents, decide, as } = stage;

  describe('register', () => {
    it('writes row, count and event in one transaction', async () => {
      const user = await createUser();
      const { media, owner } = await stage.uploads.register(newMedia(user), quota(`user:${user}`), null);
      expect(typeof media.id).toBe('number');
      expect(media).toMatchObject({
        moderationStatus: 'pending',
        processed: false,
        variants: [],
        bytes: 123,
      });
      expect(media.createdAt).toBeInstanceOf(Date);
      expect(owner).toMatchObject({ avatar: null });
      expect(await outboxEvents()).toMatchObject([
        {
          type: 'media.uploaded',
          data: { media_id: media.id, slug: media.slug, bytes: 123, frames: 1 },
        },
        { type: 'media.processing_requested', data: { media_id: media.id, key: `f/${media.slug}.jpg` } },
      ]);
      expect(await stage.dataSource.query('select subject, files from upload_counts')).toEqual([
        { subject: `user:${user}`, files: 1 },
      ]);
    });

    it('accepts media without an owner', async () => {
      expect((await register(null)).owner).toBeNull();
    });

    it('writes nothing if the daily limit is reached', async () => {
      const user = await createUser();
      await stage.uploads.register(newMedia(user), quota('user:1', 1), null);
      await expect(stage.uploads.register(newMedia(user), quota('user:1', 1), null)).rejects.toThrow(
        TooManyRequestsError,
      );
      await expect(stage.uploads.assertWithinQuota(quota('user:1', 1))).rejects.toThrow(TooManyRequestsError);
      await stage.uploads.assertWithinQuota(quota('user:2', 1));
      expect(await stage.dataSource.query('select id from media')).toHaveLength(1);
      expect(await outboxEvents()).toHaveLength(2);
    });

    it('rejects every upload if the daily limit is 0', async () => {
      await expect(stage.uploads.register(newMedia(null), quota('user:1', 0), null)).rejects.toThrow(
        TooManyRequestsError,
      );
    });

    it('removes the counts of past days', async () => {
      await stage.dataSource.query(
        `insert into upload_counts (subject, day, files)
         select 'user:1', (now() at time zone 'utc')::date - n, 1 from generate_series(0, 5) n`,
      );
      expect(await stage.uploads.forgetUploadCounts(2)).toBe(3);
      expect(await stage.uploads.forgetUploadCounts(2)).toBe(0);
      await expect(stage.uploads.assertWithinQuota(quota('user:1', 1))).rejects.toThrow(TooManyRequestsError);
    });

    it('throws SlugTakenError if the slug is taken', async () => {
      const user = await createUser();
      const { media } = await register(user);
      await expect(
        stage.uploads.register(newMedia(user, { slug: media.slug }), quota(), null),
      ).rejects.toThrow(SlugTakenError);
      expect(await stage.dataSource.query('select files from upload_counts')).toEqual([{ files: 1 }]);
    });

    it('derives the columns of the post to which it is added', async () => {
      const user = await createUser();
      const post = await createPost(user);
      const { media } = await register(user, post.slug);
      await decide(media.id, 'approved');
      expect(await postRow(post.id)).toMatchObject({ media_count: 1, moderation_status: 'approved' });
      await register(user, String(post.id));
      expect(await postRow(post.id)).toMatchObject({ media_count: 2, moderation_status: 'pending' });
    });

    it('writes nothing if the post is not the uploader’s', async () => {
      const [user, other] = [await createUser(), await createUser()];
      const [theirs, guests] = [await createPost(other), await createPost(null)];
      for (const [by, post] of [
        [user, theirs.slug],
        [user, guests.slug],
        [null, guests.slug],
        [user, 'nonsense!'],
        [user, '99999999999999999999'],
      ] as const) {
        await expect(register(by, post)).rejects.toThrow(InvalidFieldsError);
      }
      expect(await stage.dataSource.query('select id from media')).toEqual([]);
      expect(await outboxEvents()).toEqual([]);
    });
  });

  describe('reading and changing', () => {
    // Promise [visibility]: Unlisted media are found by numeric id only by the owner and moderators.
    it('finds listed media by id for everyone, and unlisted ones for the owner and moderators only', async () => {
      const [user, other] = [await createUser(), await createUser()];
      const { media } = await register(user);
      const id = String(media.id);
      const changing = (viewer: { userId: number; role: 'user' }) =>
        stage.editing.update(id, viewer, { title: 'New' });
      for (const viewer of [null, as(other)]) {
        await expect(stage.reading.findForViewer(id, viewer)).rejects.toThrow(NotFoundError);
      }
      await expect(changing(as(other))).rejects.toThrow(NotFoundError);
      for (const viewer of [as(user), { userId: other, role: 'moderator' as const }]) {
        expect((await stage.reading.findForViewer(id, viewer)).media.id).toBe(media.id);
      }
      await decide(media.id, 'approved');
      expect((await stage.reading.findForViewer(id, null)).media.slug).toBe(media.slug);
      await expect(changing(as(other))).rejects.toThrow(ForbiddenError);
      await changing(as(user));
      await stage.deletion.remove(id, as(user));
      await expect(stage.reading.findForViewer(id, as(user))).rejects.toThrow(NotFoundError);
    });

    it('returns media to everyone, and rejected ones only to the owner and moderators', async () => {
      const [user, other] = [await createUser(), await createUser()];
      const { media } = await register(user);
      expect((await stage.reading.findForViewer(media.slug, null)).media.id).toBe(media.id);
      await decide(media.id, 'rejected');
      for (const viewer of [null, as(other)]) {
        await expect(stage.reading.findForViewer(media.slug, viewer)).rejects.toThrow(NotFoundError);
      }
      for (const viewer of [as(user), { userId: other, role: 'moderator' as const }]) {
        expect((await stage.reading.findForViewer(media.slug, viewer)).media.id).toBe(media.id);
      }
      expect(await stage.reading.findServed(media.slug)).toBeNull();
      for (const slug of ['AAAAAAA', "'; --", '']) {
        await expect(stage.reading.findForViewer(slug, null)).rejects.toThrow(NotFoundError);
      }
    });

    it('changes given fields, clears null ones and keeps the others', async () => {
      const user = await createUser();
      const { media } = await register(user);
      await stage.editing.update(media.slug, as(user), { title: 'T', description: 'D' });
      await stage.editing.update(media.slug, as(user), { title: null });
      await stage.editing.update(media.slug, as(user), {});
      const found = await stage.reading.findForViewer(media.slug, null);
      expect(found.media).toMatchObject({ title: null, description: 'D', altText: null });
    });

    it('sets tags, keeps them if they are omitted, and removes them if they are null', async () => {
      const user = await createUser();
      const { media } = await register(user);
      const tagsOf = async () => (await stage.reading.findForViewer(media.slug, null)).media.tags;
      await stage.editing.update(media.slug, as(user), { tags: ['sea', 'sky'] });
      await stage.editing.update(media.slug, as(user), { title: 'T' });
      expect(await tagsOf()).toEqual(['sea', 'sky']);
      const written = () => stage.dataSource.query('select count(*) from rank_changes');
      const before = await written();
      await stage.editing.update(media.slug, as(user), { tags: ['sea', 'sky'] });
      expect(await written()).toEqual(before);
      await stage.editing.update(media.slug, as(user), { tags: null });
      expect(await tagsOf()).toEqual([]);
      expect(await stage.dataSource.query('select from media_tags')).toEqual([]);
    });

    it('lists media by tag exactly while they are listed, in any order of changes', async () => {
      const user = await createUser();
      for (let round = 0; round < 10; round++) {
        const { media } = await register(user);
        const statuses = ['approved', 'nsfw', 'rejected'] as const;
        const status = statuses[round % 3]!;
        await Promise.all([
          stage.editing.update(media.slug, as(user), { tags: [`r${round}`, 'all'] }),
          decide(media.id, status),
          stage.editing.update(media.slug, as(user), { tags: [`r${round}`] }),
        ]);
        const rows = await stage.dataSource.query(
          `select m.listing, array_agg(distinct mt.listing) as copies
           from media m join media_tags mt on mt.media_id = m.id where m.id = $1 group by 1`,
          [media.id],
        );
        const listing = { approved: 'safe', nsfw: 'nsfw', rejected: 'unlisted' }[status];
        expect(rows).toEqual([{ listing, copies: [listing] }]);
      }
    });

    it('returns several in the requested order, without deleted ones', async () => {
      const user = await createUser();
      const [first, second, guests] = [await register(user), await register(user), await register(null)];
      const ids = [guests.media.id, second.media.id, -1, first.media.id];
      const views = await stage.reading.findViews(ids);
      expect(views.map(({ media }) => media.id)).toEqual(ids.filter((id) => id > 0));
      expect(views.map(({ owner }) => owner?.username ?? null)).toEqual([
        null,
        first.owner?.username,
        first.owner?.username,
      ]);
      expect(await stage.reading.findForViewer(first.media.slug, null)).toMatchObject(views[2]!);
      await stage.dataSource.query('update users set deleted_at = now() where id = $1', [user]);
      expect((await stage.reading.findForViewer(first.media.slug, null)).owner).toBeNull();
      expect(await stage.reading.findViews([])).toEqual([]);
    });

    it('allows only the owner to change and delete', async () => {
      const [user, other] = [await createUser(), await createUser()];
      const { media } = await register(user);
      const moderator = { userId: other, role: 'moderator' as const };
      for (const caller of [as(other), moderator]) {
        await expect(stage.editing.update(media.slug, caller, { title: 'x' })).rejects.toThrow(
          ForbiddenError,
        );
        await expect(stage.deletion.remove(media.slug, caller)).rejects.toThrow(ForbiddenError);
      }
      await decide(media.id, 'rejected');
      await expect(stage.deletion.remove(media.slug, as(other))).rejects.toThrow(NotFoundError);
      const guests = await register(null);
      await expect(stage.deletion.remove(guests.media.slug, as(user))).rejects.toThrow(ForbiddenError);
    });

    it('deletes a media item, publishes that and derives its posts', async () => {
      const user = await createUser();
      const post = await createPost(user);
      const [kept, gone] = [await register(user, post.slug), await register(user, post.slug)];
      await decide(kept.media.id, 'approved');
      await stage.deletion.remove(gone.media.slug, as(user));
      expect(await postRow(post.id)).toMatchObject({ media_count: 1, moderation_status: 'approved' });
      expect((await outboxEvents()).at(-1)).toMatchObject({
        type: 'media.deleted',
        data: { media_id: gone.media.id, slug: gone.media.slug },
      });
      await stage.deletion.remove(kept.media.slug, as(user));
      expect(await postRow(post.id)).toMatchObject({ media_count: 0, moderation_status: 'pending' });
      await expect(stage.deletion.remove(kept.media.slug, as(user))).rejects.toThrow(NotFoundError);
    });
  });

  describe('decisions', () => {
    it('change every post of the media item', async () => {
      const user = await createUser();
      const posts = [await createPost(user), await createPost(user)];
      const { media } = await register(user, posts[0]!.slug);
      await stage.dataSource.query('insert into post_media values ($1, $2, 0)', [posts[1]!.id, media.id]);
      expect(await decide(media.id, 'nsfw')).toMatchObject({
        event: { media_id: media.id, slug: media.slug },
        from: 'pending',
        to: 'nsfw',
      });
      for (const post of posts) expect(await postRow(post.id)).toMatchObject({ moderation_status: 'nsfw' });
      expect(await decide(-1, 'nsfw')).toBeNull();
    });

    it('on two media of one post at the same time both count', async () => {
      const user = await createUser();
      for (let round = 0; round < 10; round++) {
        const post = await createPost(user);
        const [first, second] = [await register(user, post.slug), await register(user, post.slug)];
        await Promise.all([decide(first.media.id, 'approved'), decide(second.media.id, 'nsfw')]);
        expect(await postRow(post.id)).toMatchObject({ moderation_status: 'nsfw' });
      }
    });
  });
});
