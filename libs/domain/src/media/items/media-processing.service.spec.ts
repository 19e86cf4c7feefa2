import { VARIANT_NAMES } from '@vitrine/contracts';
import type { Recorded } from '../rows/media-row.types';
import type { MediaView } from './media.types';
import { useMedia } from '../../../test/media-stage';

describe('MediaProcessingService', () => {
  const stage = useMedia();
  const { createUser, quota, newMedia, register, createPost, postRow, outboxEvents, decide, processedOf } =
    stage;

  const undecided = async (): Promise<void> => undefined;
  const fail = ({ media: { id, slug } }: MediaView): Promise<Recorded> =>
    stage.processing.recordFailed({ media_id: id, slug, reason: 'No.' }, undecided);

  describe('processing', () => {
    it('is recorded for each message', async () => {
      const view = await register(await createUser());
      expect(await stage.processing.recordProcessed(processedOf(view))).toBe('recorded');
      expect(await stage.processing.recordProcessed(processedOf(view))).toBe('recorded');
      const { media } = await stage.reading.findForViewer(view.media.slug, null);
      expect(media).toMatchObject({ processed: true, width: 30, height: 40, thumbhash: 'AAAA' });
      expect(media.variants).toHaveLength(VARIANT_NAMES.length);
    });

    it('that failed stays failed until it is requested again', async () => {
      const user = await createUser();
      const post = await createPost(user);
      const view = await register(user, post.slug);
      const { id, slug } = view.media;
      expect(await fail(view)).toBe('recorded');
      await decide(id, 'rejected');
      expect(await stage.processing.recordProcessed(processedOf(view))).toBe('ignored');
      expect(await postRow(post.id)).toMatchObject({ moderation_status: 'rejected' });
      await stage.connection.transaction(async (tx) => {
        const failed = await stage.locks.lock(tx, id);
        expect(await stage.decisions.awaitDecision(tx, id)).toMatchObject({
          from: 'rejected',
          to: 'pending',
        });
        await stage.processing.processAgain(tx, failed!);
      });
      expect(await postRow(post.id)).toMatchObject({ moderation_status: 'pending' });
      expect((await outboxEvents()).at(-1)).toMatchObject({
        type: 'media.processing_requested',
        data: { slug },
      });
      expect(await stage.processing.recordProcessed(processedOf(view))).toBe('recorded');
    });

    it('that succeeded does not fail by a late message', async () => {
      const view = await register(await createUser());
      await stage.processing.recordProcessed(processedOf(view));
      expect(await fail(view)).toBe('ignored');
    });

    it('is delivered once to the webhooks of the owner, and so is the deletion', async () => {
      const user = await createUser();
      await stage.dataSource.query(
        `insert into webhooks (user_id, url, events, secret)
         values ($1, 'https://hooks.example.org/', '{media.processed,media.failed,media.deleted}', sha256('a'))`,
        [user],
      );
      const [good, bad] = [await register(user), await register(user)];
      await register(await createUser());
      for (let times = 0; times < 2; times++) {
        await stage.processing.recordProcessed(processedOf(good));
        await fail(bad);
      }
      await stage.deletion.remove(good.media.slug, { userId: user, role: 'user' });
      const { slug } = good.media;
      expect(await stage.dataSource.query('select event, data from webhook_deliveries order by id')).toEqual([
        { event: 'media.processed', data: { slug, kind: 'image', width: 30, height: 40, duration: null } },
        { event: 'media.failed', data: { slug: bad.media.slug, reason: 'No.' } },
        { event: 'media.deleted', data: { slug } },
      ]);
    });

    // Promise [webhooks]: Events of a media item name its kind and owner, and are numbered in the order of the changes.
    it('is told once by an event, whose sequence is that of the changes', async () => {
      const user = await createUser();
      const [owner] = await stage.dataSource.query('select username as owner from users');
      const [good, bad] = [await register(user), await register(null)];
      for (let times = 0; times < 2; times++) {
        await stage.processing.recordProcessed(processedOf(good));
        await fail(bad);
      }
      await decide(good.media.id, 'approved');
      await decide(good.media.id, 'rejected');
      await stage.deletion.remove(good.media.slug, { userId: user, role: 'user' });
      const told = (await outboxEvents()).filter(({ data }) => 'sequence' in data);
      const of = ({ media: { id, slug } }: MediaView, sequence: number, facts: object) => ({
        ...{ media_id: id, slug, kind: 'image', sequence },
        ...facts,
      });
      expect(told.map(({ type, data }) => [type, data])).toMatchObject([
        ['media.uploaded', of(good, 1, { ...owner, bytes: good.media.bytes })],
        ['media.uploaded', of(bad, 1, { owner: null })],
        ['media.processed', of(good, 2, { ...owner, width: 30, height: 40, thumbhash: 'AAAA' })],
        ['media.failed', of(bad, 2, { owner: null, reason: 'No.' })],
        ['media.withdrawn', of(good, 5, owner)],
        ['media.deleted', of(good, 7, owner)],
      ]);
      expect(told[2]?.data['variants']).toContainEqual({
        ...{ name: 'md', file_name: `${good.media.slug}_md.jpg`, mime: 'image/jpeg' },
        ...{ width: 1, height: 1, bytes: 1 },
      });
    });

    it('of a deleted media item is reported as unknown', async () => {
      const view = await register(await createUser());
      await stage.dataSource.query('delete from media');
      expect(await stage.processing.recordProcessed(processedOf(view))).toBe('unknown');
      expect(await fail(view)).toBe('unknown');
    });
  });

  describe('announcing again', () => {
    const due = { firstAfterSeconds: 100, atMostSeconds: 300 };
    const age = async (seconds: number) => {
      await stage.dataSource.query(`update media set announced_at = now() - $1 * interval '1 second'`, [
        seconds,
      ]);
      await stage.dataSource.query(
        `update processing_turns set requested_at = requested_at - $1 * interval '1 second'
         where requested_at is not null`,
        [seconds],
      );
    };
    /** Removes the published events, as the relay does. */
    const publish = async (): Promise<string[]> => {
      const types = (await outboxEvents()).map((event) => event.type);
      await stage.dataSource.query('delete from outbox');
      return types;
    };

    it('announces only media that are due, at growing intervals', async () => {
      await register(await createUser());
      await publish();
      for (const wait of [100, 200, 300, 300, 300, 300, 300, 300, 300, 300, 300]) {
        await age(wait - 1);
        expect(await stage.turns.requestOverdue('quick', due)).toBe(0);
        await age(wait + 1);
        expect(await stage.turns.requestOverdue('quick', due)).toBe(1);
        expect(await stage.turns.requestOverdue('quick', due)).toBe(0);
        expect(await publish()).toEqual(['media.processing_requested']);
      }
    });

    it('does not announce media whose event is not published yet', async () => {
      const user = await createUser();
      await register(user);
      await age(101);
      expect(await stage.turns.requestOverdue('quick', due)).toBe(0);
      await publish();
      await register(user);
      await age(101);
      expect(await stage.turns.requestOverdue('quick', due)).toBe(1);
    });

    it('announces each media item once if several processes run at the same time', async () => {
      const user = await createUser();
      for (let i = 0; i < 20; i++) await stage.uploads.register(newMedia(user), quota(`user:${i}`), null);
      await publish();
      await age(101);
      const sweeps = await Promise.all([1, 2, 3, 4].map(() => stage.turns.requestOverdue('quick', due)));
      expect(sweeps.reduce((sum, announced) => sum + announced, 0)).toBe(20);
    });

    it('reports the number of media that wait for variants and the longest wait', async () => {
      const user = await createUser();
      const [done, failed] = [await register(user), await register(user), await register(user)];
      await stage.processing.recordProcessed(processedOf(done));
      await fail(failed);
      await stage.dataSource.query(`update processing_turns set queued_at = now() - interval '1 hour'`);
      const waitingIn = async (line: string) =>
        (await stage.turns.findBacklog()).find((one) => one.line === line);
      expect(await waitingIn('quick')).toEqual({
        line: 'quick',
        count: 1,
        oldestSeconds: expect.closeTo(3_600, -2),
      });

      await stage.dataSource.query('delete from processing_turns');
      expect(await waitingIn('quick')).toEqual({ line: 'quick', count: 0, oldestSeconds: 0 });
      await stage.connection.transaction(async (tx) => {
        await stage.processing.processAgain(tx, (await stage.locks.lockBySlug(tx, failed.media.slug))!);
      });
      const again = await waitingIn('quick');
      expect(again?.count).toBe(1);
      expect(again?.oldestSeconds).toBeLessThan(600);
    });

    it('announces processed media until there is a decision', async () => {
      const view = await register(await createUser());
      const event = processedOf(view, {
        frames: [`frames/${view.media.slug}/0.jpg`],
        hashes: [{ pdq: 'a'.repeat(64), quality: 90, at: 0, turned: 'AAAA', border_cut: true }],
        fully_seen: false,
      });
      await stage.processing.recordProcessed(event);
      await age(101);
      expect(await stage.processing.announceUndecided(due)).toBe(1);
      expect((await outboxEvents()).at(-1)).toMatchObject({
        type: 'media.variants_stored',
        data: { ...event, took_ms: 0 },
      });
      await publish();
      await age(101);
      expect(await stage.processing.announceUndecided(due)).toBe(0);
      await age(201);
      await decide(view.media.id, 'pending');
      expect(await stage.processing.announceUndecided(due)).toBe(0);
    });
  });
});
