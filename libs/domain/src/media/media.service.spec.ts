import { randomBytes } from 'node:crypto';
import { type MediaProcessed, VARIANT_NAMES } from '@vitrine/contracts';
import { TransactionRunner } from '@vitrine/database';
import { type DomainContext, startDomain } from '@vitrine/testing';
import type { DataSource } from 'typeorm';
import {
  ForbiddenError,
  InvalidFieldsError,
  NotFoundError,
  TooManyRequestsError,
} from '../errors/domain-error';
import { randomSlug } from '../slugs/slug';
import type { MediaView } from './media.presenter';
import { MediaModule } from './media.module';
import { MediaProcessingService } from './media-processing.service';
import { MediaService, SlugTakenError } from './media.service';
import type { NewMedia } from './media.types';
import { ProcessingTurns } from './processing-turns.service';

describe('MediaService', () => {
  let domain: DomainContext;
  let dataSource: DataSource;
  let transactions: TransactionRunner;
  let service: MediaService;
  let processing: MediaProcessingService;
  let turns: ProcessingTurns;

  beforeAll(async () => {
    domain = await startDomain([MediaModule]);
    dataSource = domain.dataSource;
    transactions = domain.get(TransactionRunner);
    service = domain.get(MediaService);
    processing = domain.get(MediaProcessingService);
    turns = domain.get(ProcessingTurns);
  });
  beforeEach(() =>
    dataSource.query('truncate media, posts, post_media, outbox, upload_counts, users cascade'),
  );
  afterAll(() => domain.stop());

  const createUser = async (): Promise<number> => {
    const [row] = await dataSource.query('insert into users (username) values ($1) returning id', [
      `u_${randomBytes(5).toString('hex')}`,
    ]);
    return row.id;
  };
  const quota = (subject = 'user:1', filesPerDay = 1000) => ({ subject, filesPerDay });
  const newMedia = (userId: number | null, overrides: Partial<NewMedia> = {}): NewMedia => ({
    slug: randomSlug(),
    userId,
    kind: 'image',
    format: 'jpeg',
    mime: 'image/jpeg',
    ext: 'jpg',
    width: 40,
    height: 30,
    duration: null,
    frames: 1,
    bytes: 123,
    receivedSha256: randomBytes(32),
    storedSha256: randomBytes(32),
    unlisted: false,
    ...overrides,
  });
  const register = async (userId: number | null, post: string | null = null): Promise<MediaView> =>
    service.register(newMedia(userId), quota(), post);
  const createPost = async (userId: number | null): Promise<{ id: number; slug: string }> => {
    const slug = randomSlug();
    const [row] = await dataSource.query('insert into posts (slug, user_id) values ($1, $2) returning id', [
      slug,
      userId,
    ]);
    return { id: row.id, slug };
  };
  const postRow = async (id: number) =>
    (await dataSource.query('select * from posts where id = $1', [id]))[0];
  const outboxEvents = async (): Promise<{ type: string; data: Record<string, unknown> }[]> =>
    (await dataSource.query('select envelope from outbox order by id')).map(
      (row: { envelope: { type: string; data: Record<string, unknown> } }) => row.envelope,
    );
  const decide = (mediaId: number, status: 'approved' | 'nsfw' | 'rejected' | 'pending') =>
    transactions.run((tx) => service.changeModerationStatus(tx, mediaId, status));
  const processedOf = ({ media }: MediaView, overrides: Partial<MediaProcessed> = {}): MediaProcessed => ({
    media_id: media.id,
    slug: media.slug,
    variants: VARIANT_NAMES.map((name) => ({
      name,
      key: `f/${media.slug}_${name}.jpg`,
      ext: 'jpg',
      mime: 'image/jpeg',
      width: 1,
      height: 1,
      bytes: 1,
    })),
    thumbhash: 'AAAA',
    width: 30,
    height: 40,
    duration: null,
    hashes: [],
    frames: [],
    took_ms: 1,
    ...overrides,
  });
  const as = (userId: number) => ({ userId, role: 'user' as const });

  describe('register', () => {
    it('writes row, count and event together', async () => {
      const user = await createUser();
      const { media, owner } = await service.register(newMedia(user), quota(`user:${user}`), null);
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
          data: { media_id: media.id, slug: media.slug, key: `f/${media.slug}.jpg`, bytes: 123, frames: 1 },
        },
        { type: 'media.processing_requested', data: { media_id: media.id, key: `f/${media.slug}.jpg` } },
      ]);
      expect(await dataSource.query('select subject, files from upload_counts')).toEqual([
        { subject: `user:${user}`, files: 1 },
      ]);
    });

    it('takes a guest’s', async () => {
      expect((await register(null)).owner).toBeNull();
    });

    it('writes nothing at all when the day is used up', async () => {
      const user = await createUser();
      await service.register(newMedia(user), quota('user:1', 1), null);
      await expect(service.register(newMedia(user), quota('user:1', 1), null)).rejects.toThrow(
        TooManyRequestsError,
      );
      await expect(service.assertWithinQuota(quota('user:1', 1))).rejects.toThrow(TooManyRequestsError);
      await service.assertWithinQuota(quota('user:2', 1));
      expect(await dataSource.query('select id from media')).toHaveLength(1);
      expect(await outboxEvents()).toHaveLength(2);
    });

    it('admits nobody where the day’s limit is nought', async () => {
      await expect(service.register(newMedia(null), quota('user:1', 0), null)).rejects.toThrow(
        TooManyRequestsError,
      );
    });

    it('forgets the counts of days gone by', async () => {
      await dataSource.query(
        `insert into upload_counts (subject, day, files)
         select 'user:1', (now() at time zone 'utc')::date - n, 1 from generate_series(0, 5) n`,
      );
      expect(await service.forgetUploadCounts(2)).toBe(3);
      expect(await service.forgetUploadCounts(2)).toBe(0);
      await expect(service.assertWithinQuota(quota('user:1', 1))).rejects.toThrow(TooManyRequestsError);
    });

    it('says when the slug is taken', async () => {
      const user = await createUser();
      const { media } = await register(user);
      await expect(service.register(newMedia(user, { slug: media.slug }), quota(), null)).rejects.toThrow(
        SlugTakenError,
      );
      expect(await dataSource.query('select files from upload_counts')).toEqual([{ files: 1 }]);
    });

    it('derives the post anew that it is attached to', async () => {
      const user = await createUser();
      const post = await createPost(user);
      const { media } = await register(user, post.slug);
      await decide(media.id, 'approved');
      expect(await postRow(post.id)).toMatchObject({ media_count: 1, moderation_status: 'approved' });
      await register(user, String(post.id));
      expect(await postRow(post.id)).toMatchObject({ media_count: 2, moderation_status: 'pending' });
    });

    it('writes nothing where the post isn’t the uploader’s', async () => {
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
      expect(await dataSource.query('select id from media')).toEqual([]);
      expect(await outboxEvents()).toEqual([]);
    });
  });

  describe('reading and changing', () => {
    it('finds for everyone, and a rejected one for its owner and moderators', async () => {
      const [user, other] = [await createUser(), await createUser()];
      const { media } = await register(user);
      expect((await service.findForViewer(media.slug, null)).media.id).toBe(media.id);
      await decide(media.id, 'rejected');
      for (const viewer of [null, as(other)]) {
        await expect(service.findForViewer(media.slug, viewer)).rejects.toThrow(NotFoundError);
      }
      for (const viewer of [as(user), { userId: other, role: 'moderator' as const }]) {
        expect((await service.findForViewer(media.slug, viewer)).media.id).toBe(media.id);
      }
      expect(await service.findServed(media.slug)).toBeNull();
      for (const slug of ['AAAAAAA', "'; --", '']) {
        await expect(service.findForViewer(slug, null)).rejects.toThrow(NotFoundError);
      }
    });

    it('changes what is given, clears what is null, keeps the rest', async () => {
      const user = await createUser();
      const { media } = await register(user);
      await service.update(media.slug, as(user), { title: 'T', description: 'D' });
      await service.update(media.slug, as(user), { title: null });
      await service.update(media.slug, as(user), {});
      const found = await service.findForViewer(media.slug, null);
      expect(found.media).toMatchObject({ title: null, description: 'D', altText: null });
    });

    it('gives tags, keeps them where they are absent, and takes them where they are null', async () => {
      const user = await createUser();
      const { media } = await register(user);
      const tagsOf = async () => (await service.findForViewer(media.slug, null)).media.tags;
      await service.update(media.slug, as(user), { tags: ['sea', 'sky'] });
      await service.update(media.slug, as(user), { title: 'T' });
      expect(await tagsOf()).toEqual(['sea', 'sky']);
      await service.update(media.slug, as(user), { tags: null });
      expect(await tagsOf()).toEqual([]);
      expect(await dataSource.query('select from media_tags')).toEqual([]);
    });

    it('keeps tags findable exactly while the media is, whatever comes first', async () => {
      const user = await createUser();
      for (let round = 0; round < 10; round++) {
        const { media } = await register(user);
        const statuses = ['approved', 'nsfw', 'rejected'] as const;
        const status = statuses[round % 3]!;
        await Promise.all([
          service.update(media.slug, as(user), { tags: [`r${round}`, 'all'] }),
          decide(media.id, status),
          service.update(media.slug, as(user), { tags: [`r${round}`] }),
        ]);
        const rows = await dataSource.query(
          `select m.listing, array_agg(distinct mt.listing) as copies
           from media m join media_tags mt on mt.media_id = m.id where m.id = $1 group by 1`,
          [media.id],
        );
        const listing = { approved: 'safe', nsfw: 'nsfw', rejected: 'unlisted' }[status];
        expect(rows).toEqual([{ listing, copies: [listing] }]);
      }
    });

    it('shows several in the order asked for, without those that are gone', async () => {
      const user = await createUser();
      const [first, second, guests] = [await register(user), await register(user), await register(null)];
      const ids = [guests.media.id, second.media.id, -1, first.media.id];
      const views = await service.findViews(ids);
      expect(views.map(({ media }) => media.id)).toEqual(ids.filter((id) => id > 0));
      expect(views.map(({ owner }) => owner?.username ?? null)).toEqual([
        null,
        first.owner?.username,
        first.owner?.username,
      ]);
      expect(views[2]).toEqual(await service.findForViewer(first.media.slug, null));
      await dataSource.query('update users set deleted_at = now() where id = $1', [user]);
      expect((await service.findForViewer(first.media.slug, null)).owner).toBeNull();
      expect(await service.findViews([])).toEqual([]);
    });

    it('lets only the owner change and remove', async () => {
      const [user, other] = [await createUser(), await createUser()];
      const { media } = await register(user);
      const moderator = { userId: other, role: 'moderator' as const };
      for (const caller of [as(other), moderator]) {
        await expect(service.update(media.slug, caller, { title: 'x' })).rejects.toThrow(ForbiddenError);
        await expect(service.remove(media.slug, caller)).rejects.toThrow(ForbiddenError);
      }
      await decide(media.id, 'rejected');
      await expect(service.remove(media.slug, as(other))).rejects.toThrow(NotFoundError);
      const guests = await register(null);
      await expect(service.remove(guests.media.slug, as(user))).rejects.toThrow(ForbiddenError);
    });

    it('removes, tells of it, and derives its posts anew', async () => {
      const user = await createUser();
      const post = await createPost(user);
      const [kept, gone] = [await register(user, post.slug), await register(user, post.slug)];
      await decide(kept.media.id, 'approved');
      await service.remove(gone.media.slug, as(user));
      expect(await postRow(post.id)).toMatchObject({ media_count: 1, moderation_status: 'approved' });
      expect((await outboxEvents()).at(-1)).toMatchObject({
        type: 'media.deleted',
        data: { media_id: gone.media.id, slug: gone.media.slug },
      });
      await service.remove(kept.media.slug, as(user));
      expect(await postRow(post.id)).toMatchObject({ media_count: 0, moderation_status: 'pending' });
      await expect(service.remove(kept.media.slug, as(user))).rejects.toThrow(NotFoundError);
    });
  });

  describe('processing', () => {
    it('is recorded, as often as it is told', async () => {
      const view = await register(await createUser());
      expect(await processing.recordProcessed(processedOf(view))).toBe('recorded');
      expect(await processing.recordProcessed(processedOf(view))).toBe('recorded');
      const { media } = await service.findForViewer(view.media.slug, null);
      expect(media).toMatchObject({ processed: true, width: 30, height: 40, thumbhash: 'AAAA' });
      expect(media.variants).toHaveLength(VARIANT_NAMES.length);
    });

    it('that failed stays failed, until it is begun anew', async () => {
      const user = await createUser();
      const post = await createPost(user);
      const view = await register(user, post.slug);
      const { id, slug } = view.media;
      expect(await processing.recordFailed({ media_id: id, slug, reason: 'No.' })).toBe('recorded');
      await decide(id, 'rejected');
      expect(await processing.recordProcessed(processedOf(view))).toBe('ignored');
      expect(await postRow(post.id)).toMatchObject({ moderation_status: 'rejected' });
      await transactions.run(async (tx) => {
        const failed = await service.lock(tx, id);
        expect(await service.awaitDecision(tx, id)).toMatchObject({ from: 'rejected', to: 'pending' });
        await processing.processAgain(tx, failed!);
      });
      expect(await postRow(post.id)).toMatchObject({ moderation_status: 'pending' });
      expect((await outboxEvents()).at(-1)).toMatchObject({
        type: 'media.processing_requested',
        data: { slug },
      });
      expect(await processing.recordProcessed(processedOf(view))).toBe('recorded');
    });

    it('that is done is not failed by a late report', async () => {
      const view = await register(await createUser());
      await processing.recordProcessed(processedOf(view));
      const { id, slug } = view.media;
      expect(await processing.recordFailed({ media_id: id, slug, reason: 'No.' })).toBe('ignored');
    });

    it('of a media that is gone is unknown', async () => {
      const view = await register(await createUser());
      await dataSource.query('delete from media');
      expect(await processing.recordProcessed(processedOf(view))).toBe('unknown');
      const { id, slug } = view.media;
      expect(await processing.recordFailed({ media_id: id, slug, reason: 'No.' })).toBe('unknown');
    });
  });

  describe('decisions', () => {
    it('reach every post of the media', async () => {
      const user = await createUser();
      const posts = [await createPost(user), await createPost(user)];
      const { media } = await register(user, posts[0]!.slug);
      await dataSource.query('insert into post_media values ($1, $2, 0)', [posts[1]!.id, media.id]);
      expect(await decide(media.id, 'nsfw')).toEqual({
        mediaId: media.id,
        slug: media.slug,
        from: 'pending',
        to: 'nsfw',
      });
      for (const post of posts) expect(await postRow(post.id)).toMatchObject({ moderation_status: 'nsfw' });
      expect(await decide(-1, 'nsfw')).toBeNull();
    });

    it('on two media of one post at once are both seen', async () => {
      const user = await createUser();
      for (let round = 0; round < 10; round++) {
        const post = await createPost(user);
        const [first, second] = [await register(user, post.slug), await register(user, post.slug)];
        await Promise.all([decide(first.media.id, 'approved'), decide(second.media.id, 'nsfw')]);
        expect(await postRow(post.id)).toMatchObject({ moderation_status: 'nsfw' });
      }
    });
  });

  describe('announcing again', () => {
    const due = { firstAfterSeconds: 100, atMostSeconds: 300 };
    const age = async (seconds: number) => {
      await dataSource.query(`update media set announced_at = now() - $1 * interval '1 second'`, [seconds]);
      await dataSource.query(
        `update processing_turns set requested_at = requested_at - $1 * interval '1 second'
         where requested_at is not null`,
        [seconds],
      );
    };
    /** Plays the relay. */
    const publish = async (): Promise<string[]> => {
      const types = (await outboxEvents()).map((event) => event.type);
      await dataSource.query('delete from outbox');
      return types;
    };

    it('takes what is due and nothing else, more and more rarely, without end', async () => {
      await register(await createUser());
      await publish();
      for (const wait of [100, 200, 300, 300, 300, 300, 300, 300, 300, 300, 300]) {
        await age(wait - 1);
        expect(await turns.requestOverdue('quick', due)).toBe(0);
        await age(wait + 1);
        expect(await turns.requestOverdue('quick', due)).toBe(1);
        expect(await turns.requestOverdue('quick', due)).toBe(0);
        expect(await publish()).toEqual(['media.processing_requested']);
      }
    });

    it('makes no copy of what is still to be published', async () => {
      const user = await createUser();
      await register(user);
      await age(101);
      expect(await turns.requestOverdue('quick', due)).toBe(0);
      await publish();
      await register(user);
      await age(101);
      expect(await turns.requestOverdue('quick', due)).toBe(1);
    });

    it('asks for the rejection of what failed, until there is a decision', async () => {
      const { media } = await register(await createUser());
      const failure = { media_id: media.id, slug: media.slug, reason: 'No.' };
      await age(9999);
      await processing.recordFailed(failure);
      await publish();
      expect(await processing.announceFailed(due)).toBe(0);
      await age(101);
      expect(await processing.announceFailed(due)).toBe(1);
      expect(await outboxEvents()).toMatchObject([{ type: 'media.failed', data: failure }]);
      await publish();
      await decide(media.id, 'rejected');
      await age(9999);
      expect(await processing.announceFailed(due)).toBe(0);
      expect(await turns.requestOverdue('quick', due)).toBe(0);
    });

    it('announces each once, in however many processes it runs', async () => {
      const user = await createUser();
      for (let i = 0; i < 20; i++) await service.register(newMedia(user), quota(`user:${i}`), null);
      await publish();
      await age(101);
      const sweeps = await Promise.all([1, 2, 3, 4].map(() => turns.requestOverdue('quick', due)));
      expect(sweeps.reduce((sum, announced) => sum + announced, 0)).toBe(20);
    });

    it('counts what waits for variants, and from when it was last asked for them', async () => {
      const user = await createUser();
      const [done, failed] = [await register(user), await register(user), await register(user)];
      await processing.recordProcessed(processedOf(done));
      await processing.recordFailed({ media_id: failed.media.id, slug: failed.media.slug, reason: 'No.' });
      await dataSource.query(`update processing_turns set queued_at = now() - interval '1 hour'`);
      const waitingIn = async (line: string) => (await turns.findBacklog()).find((one) => one.line === line);
      expect(await waitingIn('quick')).toEqual({
        line: 'quick',
        count: 1,
        oldestSeconds: expect.closeTo(3_600, -2),
      });

      await dataSource.query('delete from processing_turns');
      expect(await waitingIn('quick')).toEqual({ line: 'quick', count: 0, oldestSeconds: 0 });
      await transactions.run(async (tx) => {
        await processing.processAgain(tx, (await service.lockBySlug(tx, failed.media.slug))!);
      });
      const again = await waitingIn('quick');
      expect(again?.count).toBe(1);
      expect(again?.oldestSeconds).toBeLessThan(600);
    });

    it('asks for decisions with what was processed, until there is one', async () => {
      const view = await register(await createUser());
      const event = processedOf(view, {
        frames: [`frames/${view.media.slug}/0.jpg`],
        hashes: [{ pdq: 'a'.repeat(64), quality: 90, at: 0, turned: 'AAAA', border_cut: true }],
        fully_seen: false,
      });
      await processing.recordProcessed(event);
      await age(101);
      expect(await processing.announceUndecided(due)).toBe(1);
      expect((await outboxEvents()).at(-1)).toMatchObject({
        type: 'media.processed',
        data: { ...event, took_ms: 0 },
      });
      await publish();
      await age(101);
      expect(await processing.announceUndecided(due)).toBe(0);
      await age(201);
      await decide(view.media.id, 'pending');
      expect(await processing.announceUndecided(due)).toBe(0);
    });
  });
});
