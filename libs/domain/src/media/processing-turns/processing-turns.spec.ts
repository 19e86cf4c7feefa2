import { untilBlocked } from '@vitrine/testing';
import { TooManyRequestsError } from '../../base/errors/domain-error';
import type { MediaView } from '../items/media.types';
import { MediaEntity } from '../rows/media.entity';
import type { NewMedia } from '../rows/media-row.types';
import { ImplausibleResultError } from '../rows/processing-result.rules';
import { estimateProcessing } from './processing-turns.rules';
import { useMedia } from '../../../test/media-stage';

const SHARE = 4;
const PHOTO = { format: 'jpeg', mime: 'image/jpeg', ext: 'jpg', width: 4000, height: 3000 };
const SVG = { format: 'svg', mime: 'image/svg+xml', ext: 'svg', width: 100, height: 100 };
const HUGE = { format: 'png', mime: 'image/png', ext: 'png', width: 10_000, height: 10_000 };

type StoredMedia = MediaView['media'];

describe('turns at the media-processors', () => {
  const stage = useMedia();

  const upload = async (
    who: string,
    facts: Partial<NewMedia> = {},
    filesPerDay = 1000,
  ): Promise<StoredMedia> => {
    const media = stage.newMedia(null, { ...PHOTO, ...facts });
    return (await stage.uploads.register(media, stage.quota(`user:${who}`, filesPerDay), null)).media;
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
    const rows: { type: string; slug: string }[] = await stage.dataSource.query(
      `select envelope->>'type' as type, envelope->'data'->>'slug' as slug from outbox
       where envelope->>'type' like '%processing_requested' order by id`,
    );
    await stage.dataSource.query('delete from outbox');
    return rows.map(({ type, slug }) => [type === 'media.processing_requested' ? 'quick' : 'long', slug]);
  };
  const quick = (media: readonly StoredMedia[]) => media.map(({ slug }) => ['quick', slug]);
  const long = (media: readonly StoredMedia[]) => media.map(({ slug }) => ['long', slug]);
  const resultOf = (media: StoredMedia) => stage.processedOf({ media });
  const processed = (media: StoredMedia) => stage.processing.recordProcessed(resultOf(media));
  const failed = ({ id, slug }: StoredMedia, overran = false) =>
    stage.processing.recordFailed({ media_id: id, slug, reason: 'No.', overran }, async () => undefined);
  const overran = ({ id, slug }: StoredMedia) =>
    stage.processing.recordOverrun({ media_id: id, slug, took_ms: 10_000 });

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
    await expect(stage.processing.recordProcessed(wrong)).rejects.toThrow(ImplausibleResultError);
    expect(await requested()).toEqual(quick([media[SHARE]!]));
    await expect(stage.processing.recordProcessed(wrong)).rejects.toThrow(ImplausibleResultError);
    expect(await requested()).toEqual([]);

    await stage.dataSource.query(
      `update processing_turns set requested_at = now() - interval '1 hour' where media_id = $1`,
      [media[1]!.id],
    );
    expect(await stage.turns.requestOverdue('quick', { firstAfterSeconds: 60, atMostSeconds: 3600 })).toBe(1);
    await stage.turns.sweep();
    expect(await requested()).toEqual(quick([media[1]!, media[SHARE + 1]!]));
    await processed(media[1]!);
    expect(await requested()).toEqual([]);
  });

  // Promise [security]: Uploaders take turns, however many files one of them has.
  it('requests another uploader’s photograph at once, however many wait', async () => {
    await uploads(20, 'a');
    await requested();
    const other = await upload('b');
    expect(await requested()).toEqual(quick([other]));
  });

  it('requests no more pixels of one uploader than a share of photographs has, and a larger picture as the only one', async () => {
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
    // No further file of this uploader is requested while one of its files is still in progress.
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
    await stage.turns.sweep();
    expect(await requested()).toEqual([]);
    await stage.dataSource.query(`update processing_turns set queued_at = now() - interval '16 minutes'`);
    await stage.turns.sweep();
    expect(await requested()).toEqual(long([bad]));
  });

  // Promise [security]: A file that takes too long counts as ten uploads.
  it('counts a file that overran as ten uploads of the day, even if the message comes several times', async () => {
    const media = await upload('a', SVG, 12);
    await failed(media, true);
    await failed(media, true);
    expect(await stage.dataSource.query('select files from upload_counts')).toEqual([{ files: 10 }]);
    await upload('a', SVG, 12);
    await upload('a', SVG, 12);
    await expect(upload('a', SVG, 12)).rejects.toThrow(TooManyRequestsError);
  });

  it('forgets an overrun after an hour', async () => {
    await failed(await upload('a', SVG), true);
    await upload('b', SVG);
    const waiting = await upload('a');
    await requested();
    await stage.dataSource.query(`update upload_counts set overran_at = now() - interval '61 minutes'`);
    await stage.turns.sweep();
    expect(await requested()).toEqual(quick([waiting]));
  });

  it('requests the next file when one is deleted', async () => {
    const [user] = await stage.dataSource.query(`insert into users (username) values ('ada') returning id`);
    const media = await Promise.all(
      Array.from({ length: SHARE + 1 }, () => upload('ada', { userId: Number(user.id) })),
    );
    const under = new Set((await requested()).map(([, slug]) => slug));
    const waiting = media.find(({ slug }) => !under.has(slug));
    const first = media.find(({ slug }) => under.has(slug));
    await stage.deletion.remove(first!.slug, { userId: Number(user.id), role: 'user' });
    expect(await requested()).toEqual(quick([waiting!]));
  });

  it('does not lock an uploader’s turns while a deletion waits for a post, so that no deadlock occurs', async () => {
    const [user] = await stage.dataSource.query(`insert into users (username) values ('ada') returning id`);
    const owner = { userId: Number(user.id), role: 'user' as const };
    const media = await upload(user.id, { userId: owner.userId });
    const [post] = await stage.dataSource.query(
      `insert into posts (slug, user_id, media_count) values ('aaaaaa1', $1, 1) returning id`,
      [owner.userId],
    );
    await stage.dataSource.query('insert into post_media (post_id, media_id, position) values ($1, $2, 0)', [
      post.id,
      media.id,
    ]);
    const uploading = stage.dataSource.createQueryRunner();
    await uploading.startTransaction();
    await uploading.query('select from posts where id = $1 for no key update', [post.id]);
    const removed = stage.deletion.remove(media.slug, owner);
    await untilBlocked(stage.dataSource);
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
    const inProgress = new Set<string>();
    let most = 0;
    const collect = async (): Promise<void> => {
      for (const [, slug] of await requested()) {
        seen.set(slug, (seen.get(slug) ?? 0) + 1);
        inProgress.add(slug);
      }
      most = Math.max(most, inProgress.size);
    };
    await Promise.all(Array.from({ length: 30 }, async () => uploaded.push(await upload('a'))));
    await collect();
    while (inProgress.size > 0) {
      const done = uploaded.filter(({ slug }) => inProgress.has(slug));
      await Promise.all([
        ...done.flatMap((media) => [processed(media), processed(media)]),
        stage.turns.sweep(),
      ]);
      done.forEach(({ slug }) => inProgress.delete(slug));
      await collect();
    }
    expect([...seen.values()]).toEqual(uploaded.map(() => 1));
    expect(most).toBe(SHARE);
  });

  it('requests a file at once that staff have processed again, though its uploader has others in progress', async () => {
    const media = await uploads(SHARE + 1, 'a');
    await requested();
    const { id } = media[SHARE]!;
    await stage.connection.transaction(async (tx) => {
      const entity = await tx.repository(MediaEntity).findOneByOrFail({ id });
      await stage.processing.processAgain(tx, entity);
    });
    expect(await requested()).toEqual(quick([media[SHARE]!]));
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
