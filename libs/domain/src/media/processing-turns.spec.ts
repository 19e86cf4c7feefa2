import { randomBytes } from 'node:crypto';
import { type MediaProcessed, VARIANT_NAMES } from '@vitrine/contracts';
import { TransactionRunner } from '@vitrine/database';
import { type DomainContext, eventually, startDomain } from '@vitrine/testing';
import type { DataSource } from 'typeorm';
import { TooManyRequestsError } from '../errors/domain-error';
import { randomSlug } from '../slugs/slug';
import type { MediaView } from './media.presenter';
import { MediaEntity } from './media.entity';
import { MediaModule } from './media.module';
import { MediaProcessingService } from './media-processing.service';
import { MediaService } from './media.service';
import type { NewMedia } from './media.types';
import { ImplausibleResultError } from './processing-result.rules';
import { ProcessingTurns } from './processing-turns.service';
import { estimateProcessing } from './processing-turns.rules';

const SHARE = 4;
const PHOTO = { format: 'jpeg', mime: 'image/jpeg', ext: 'jpg', width: 4000, height: 3000 };
const SVG = { format: 'svg', mime: 'image/svg+xml', ext: 'svg', width: 100, height: 100 };
const HUGE = { format: 'png', mime: 'image/png', ext: 'png', width: 10_000, height: 10_000 };

type StoredMedia = MediaView['media'];

describe('turns at the media-processors', () => {
  let domain: DomainContext;
  let dataSource: DataSource;
  let service: MediaService;
  let processing: MediaProcessingService;
  let turns: ProcessingTurns;

  beforeAll(async () => {
    domain = await startDomain([MediaModule]);
    dataSource = domain.dataSource;
    service = domain.get(MediaService);
    processing = domain.get(MediaProcessingService);
    turns = domain.get(ProcessingTurns);
  });
  beforeEach(() => dataSource.query('truncate media, outbox, upload_counts, users cascade'));
  afterAll(() => domain.stop());

  const upload = async (
    who: string,
    facts: Partial<NewMedia> = {},
    filesPerDay = 1000,
  ): Promise<StoredMedia> => {
    const media: NewMedia = {
      ...{ slug: randomSlug(), userId: null, kind: 'image', duration: null, frames: 1, bytes: 123, ...PHOTO },
      ...{ receivedSha256: randomBytes(32), storedSha256: randomBytes(32), unlisted: false },
      ...facts,
    };
    return (await service.register(media, { subject: `user:${who}`, filesPerDay }, null)).media;
  };
  const uploads = async (
    count: number,
    who: string,
    facts: Partial<NewMedia> = {},
  ): Promise<StoredMedia[]> => {
    const made: StoredMedia[] = [];
    for (let n = 0; n < count; n++) made.push(await upload(who, facts));
    return made;
  };
  /** Acts as the relay: returns what was requested since the last call, in order, as lane and slug. */
  const requested = async (): Promise<[lane: string, slug: string][]> => {
    const rows: { type: string; slug: string }[] = await dataSource.query(
      `select envelope->>'type' as type, envelope->'data'->>'slug' as slug from outbox
       where envelope->>'type' like '%processing_requested' order by id`,
    );
    await dataSource.query('delete from outbox');
    return rows.map(({ type, slug }) => [type === 'media.processing_requested' ? 'quick' : 'long', slug]);
  };
  const quick = (media: readonly StoredMedia[]) => media.map(({ slug }) => ['quick', slug]);
  const long = (media: readonly StoredMedia[]) => media.map(({ slug }) => ['long', slug]);
  const resultOf = ({ id, slug }: StoredMedia): MediaProcessed => ({
    ...{ media_id: id, slug, thumbhash: 'AAAA', width: 1, height: 1, duration: null, took_ms: 1 },
    ...{ hashes: [], frames: [] },
    variants: VARIANT_NAMES.map((name) => ({
      ...{
        name,
        key: `f/${slug}_${name}.jpg`,
        ext: 'jpg',
        mime: 'image/jpeg',
        width: 1,
        height: 1,
        bytes: 1,
      },
    })),
  });
  const processed = (media: StoredMedia) => processing.recordProcessed(resultOf(media));
  const failed = ({ id, slug }: StoredMedia, overran = false) =>
    processing.recordFailed({ media_id: id, slug, reason: 'No.', overran });
  const overran = ({ id, slug }: StoredMedia) =>
    processing.recordOverrun({ media_id: id, slug, took_ms: 10_000 });

  it('requests a share of one uploader’s photographs, and the next one whenever one ends', async () => {
    const media = await uploads(SHARE + 3, 'a');
    expect(await requested()).toEqual(quick(media.slice(0, SHARE)));
    await processed(media[2]!);
    expect(await requested()).toEqual(quick([media[SHARE]!]));
    await failed(media[0]!);
    expect(await requested()).toEqual(quick([media[SHARE + 1]!]));
  });

  it('requests the next file if the answer for one can not be recorded, or if its request was repeated', async () => {
    const media = await uploads(SHARE + 3, 'a');
    await requested();
    const wrong = { ...resultOf(media[0]!), variants: [] };
    await expect(processing.recordProcessed(wrong)).rejects.toThrow(ImplausibleResultError);
    expect(await requested()).toEqual(quick([media[SHARE]!]));
    await expect(processing.recordProcessed(wrong)).rejects.toThrow(ImplausibleResultError);
    expect(await requested()).toEqual([]);

    await dataSource.query(
      `update processing_turns set requested_at = now() - interval '1 hour' where media_id = $1`,
      [media[1]!.id],
    );
    expect(await turns.requestOverdue('quick', { firstAfterSeconds: 60, atMostSeconds: 3600 })).toBe(1);
    await turns.sweep();
    expect(await requested()).toEqual(quick([media[1]!, media[SHARE + 1]!]));
    await processed(media[1]!);
    expect(await requested()).toEqual([]);
  });

  it('requests another uploader’s photograph at once, however many wait', async () => {
    await uploads(20, 'a');
    await requested();
    const other = await upload('b');
    expect(await requested()).toEqual(quick([other]));
  });

  it('requests no more pixels of one uploader than a share of photographs has, and one larger picture alone', async () => {
    const media = await uploads(3, 'a', { width: 8000, height: 6000 });
    expect(await requested()).toEqual(quick(media.slice(0, 1)));
    await processed(media[0]!);
    expect(await requested()).toEqual(quick(media.slice(1, 2)));
  });

  it('requests long work one by one, beside the quick work', async () => {
    const bombs = await uploads(3, 'a', SVG);
    const photo = await upload('a');
    expect(await requested()).toEqual([...long(bombs.slice(0, 1)), ...quick([photo])]);
    await processed(bombs[0]!);
    expect(await requested()).toEqual(long([bombs[1]!]));
  });

  it('requests a file that was too slow for quick work as long work, and puts its uploader behind the others', async () => {
    const [slow, next] = await uploads(2, 'a');
    await requested();
    expect(await overran(slow!)).toBe('recorded');
    // No further file of this uploader is requested while one of its files is still under way.
    expect(await requested()).toEqual([]);
    await processed(next!);
    expect(await requested()).toEqual(long([slow!]));
    expect(await overran(slow!)).toBe('ignored');
    await processed(slow!);
    const after = await upload('a');
    expect(await requested()).toEqual(long([after]));
  });

  it('makes uploaders whose files overran wait for long work of others, and requests one of their files at a time', async () => {
    const first = await upload('bad', SVG);
    await failed(first, true);
    const second = await upload('worse', SVG);
    await failed(second, true);
    await requested();
    const honest = await upload('good', { ...SVG });
    const bad = await uploads(2, 'bad', SVG);
    const worse = await upload('worse', SVG);
    expect(await requested()).toEqual(long([honest]));
    await processed(honest);
    // The uploader whose overrun is longest ago comes first.
    expect(await requested()).toEqual(long([bad[0]!]));
    await failed(bad[0]!, true);
    expect(await requested()).toEqual(long([worse]));
    await processed(worse);
    expect(await requested()).toEqual(long([bad[1]!]));
  });

  it('requests a file that has waited behind the others for a quarter of an hour', async () => {
    await failed(await upload('bad', SVG), true);
    await upload('good', SVG);
    const bad = await upload('bad', SVG);
    await requested();
    await turns.sweep();
    expect(await requested()).toEqual([]);
    await dataSource.query(`update processing_turns set queued_at = now() - interval '16 minutes'`);
    await turns.sweep();
    expect(await requested()).toEqual(long([bad]));
  });

  it('counts a file that overran as ten uploads of the day, even if the message comes several times', async () => {
    const media = await upload('a', SVG, 12);
    await failed(media, true);
    await failed(media, true);
    expect(await dataSource.query('select files from upload_counts')).toEqual([{ files: 10 }]);
    await upload('a', SVG, 12);
    await upload('a', SVG, 12);
    await expect(upload('a', SVG, 12)).rejects.toThrow(TooManyRequestsError);
  });

  it('forgets an overrun after an hour', async () => {
    await failed(await upload('a', SVG), true);
    await upload('b', SVG);
    const waiting = await upload('a');
    await requested();
    await dataSource.query(`update upload_counts set overran_at = now() - interval '61 minutes'`);
    await turns.sweep();
    expect(await requested()).toEqual(quick([waiting]));
  });

  it('requests the next file when one is deleted', async () => {
    const [user] = await dataSource.query(`insert into users (username) values ('ada') returning id`);
    const media = await Promise.all(
      Array.from({ length: SHARE + 1 }, () => upload('ada', { userId: Number(user.id) })),
    );
    const under = new Set((await requested()).map(([, slug]) => slug));
    const waiting = media.find(({ slug }) => !under.has(slug));
    const first = media.find(({ slug }) => under.has(slug));
    await service.remove(first!.slug, { userId: Number(user.id), role: 'user' });
    expect(await requested()).toEqual(quick([waiting!]));
  });

  it('gives no uploader’s turns out while a deletion waits for a post, for which an upload may wait with the turns', async () => {
    const [user] = await dataSource.query(`insert into users (username) values ('ada') returning id`);
    const owner = { userId: Number(user.id), role: 'user' as const };
    const media = await upload(user.id, { userId: owner.userId });
    const [post] = await dataSource.query(
      `insert into posts (slug, user_id, media_count) values ('aaaaaa1', $1, 1) returning id`,
      [owner.userId],
    );
    await dataSource.query('insert into post_media (post_id, media_id, position) values ($1, $2, 0)', [
      post.id,
      media.id,
    ]);
    const uploading = dataSource.createQueryRunner();
    await uploading.startTransaction();
    await uploading.query('select from posts where id = $1 for no key update', [post.id]);
    const removed = service.remove(media.slug, owner);
    await eventually(async () =>
      expect(
        await dataSource.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      ).toHaveLength(1),
    );
    const [lock] = await uploading.query(
      `select pg_try_advisory_xact_lock(x'7475726e'::int, hashtext($1)) as free`,
      [`user:${user.id}`],
    );
    await uploading.commitTransaction();
    await uploading.release();
    await removed;
    expect(lock).toEqual({ free: true });
  });

  it('requests each file once and never more than a share, with uploads and answers in many processes at once', async () => {
    const uploaded: StoredMedia[] = [];
    const seen = new Map<string, number>();
    const underWay = new Set<string>();
    let most = 0;
    const collect = async (): Promise<void> => {
      for (const [, slug] of await requested()) {
        seen.set(slug, (seen.get(slug) ?? 0) + 1);
        underWay.add(slug);
      }
      most = Math.max(most, underWay.size);
    };
    await Promise.all(Array.from({ length: 30 }, async () => uploaded.push(await upload('a'))));
    await collect();
    while (underWay.size > 0) {
      const done = uploaded.filter(({ slug }) => underWay.has(slug));
      await Promise.all([...done.flatMap((media) => [processed(media), processed(media)]), turns.sweep()]);
      done.forEach(({ slug }) => underWay.delete(slug));
      await collect();
    }
    expect([...seen.values()]).toEqual(uploaded.map(() => 1));
    expect(most).toBe(SHARE);
  });

  it('requests a file at once that staff have processed again, though its uploader has others under way', async () => {
    const media = await uploads(SHARE + 1, 'a');
    await requested();
    const { id } = media[SHARE]!;
    await domain.get(TransactionRunner).run(async (tx) => {
      const entity = await tx.repository(MediaEntity).findOneByOrFail({ id });
      await processing.processAgain(tx, entity);
    });
    expect(await requested()).toEqual(quick([media[SHARE]!]));
  });

  it('takes up media that a replica of the previous release registered', async () => {
    const media = await uploads(2, 'a');
    await requested();
    await dataSource.query('delete from processing_turns');
    expect(await turns.sweep()).toBe(2);
    expect(await requested()).toEqual(quick(media));
    expect(await turns.sweep()).toBe(0);
  });

  it.each([
    ['a photograph of 12 megapixels', PHOTO, 'quick'],
    ['a phone’s photograph of 48 megapixels', { ...PHOTO, width: 8064, height: 6048 }, 'quick'],
    ['a PNG of 100 megapixels', HUGE, 'long'],
    ['an SVG of any size', SVG, 'long'],
    ['a small animation', { ...PHOTO, format: 'gif', width: 320, height: 240, frames: 30 }, 'quick'],
    ['a large animation', { ...PHOTO, format: 'gif', width: 800, height: 600, frames: 100 }, 'long'],
    ['a video', { ...PHOTO, kind: 'video' as const, format: 'mp4' }, 'long'],
  ])('puts %s into its lane', (_, facts, lane) => {
    expect(estimateProcessing({ kind: 'image', frames: 1, ...facts })).toMatchObject({ lane });
  });
});
