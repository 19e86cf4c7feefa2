import {
  type AlternativeRecord,
  type MediaAlternativesMade,
  type MediaAlternativesRequested,
  VARIANT_NAMES,
} from '@vitrine/contracts';
import { useMedia } from '../../../test/media-stage';
import { newMedia } from '../../../test/new-media';
import { Alternatives } from './alternatives.service';
import type { MediaView } from '../items/media.types';
import { ImplausibleResultError } from '../rows/processing-result.rules';
import { VariantRetention } from './variant-retention.service';

describe('Alternatives', () => {
  const stage = useMedia();
  let alternatives: Alternatives;

  beforeAll(() => (alternatives = stage.domain.get(Alternatives)));
  beforeEach(() => stage.dataSource.query('truncate storage_deltas'));

  const sql = (text: string, values: readonly unknown[] = []) => stage.dataSource.query(text, [...values]);
  /** Records that a photograph is processed, perhaps again. */
  const recordProcessed = async (view: MediaView): Promise<void> => {
    const variants = VARIANT_NAMES.map((name) => {
      const shown = name === 'thumb' ? 'xs' : name;
      const key = `f/${view.media.slug}_${shown}.jpg`;
      return { name, key, ...{ ext: 'jpg', mime: 'image/jpeg', width: 1, height: 1, bytes: 100 } };
    });
    await stage.processing.recordProcessed(stage.processedOf(view, { variants }));
    await alternatives.enqueue(view.media.slug);
  };
  /** A processed and approved photograph that waits for its alternatives. */
  const create = async (userId: number | null): Promise<MediaView> => {
    const view = await stage.uploads.register(newMedia(userId), stage.quota(), null);
    await recordProcessed(view);
    await stage.decide(view.media.id, 'approved');
    return view;
  };
  const createGuest = async (): Promise<number> => {
    const id = await stage.createUser();
    const name = `'~' || substr(md5(id::text), 1, 20)`;
    await sql(`update users set kind = 'guest', username = ${name}, review_after = now() where id = $1`, [
      id,
    ]);
    return id;
  };
  const slugOf = (view: MediaView | undefined): string | undefined => view?.media.slug;
  /** The numbers of the last requests, by media item. */
  const numbers = new Map<number, number>();
  const take = async (): Promise<readonly MediaAlternativesRequested[]> => {
    const requests = await alternatives.takeRequests();
    for (const { media_id, attempt } of requests) numbers.set(media_id, attempt);
    return requests;
  };
  const copy = (
    { media }: MediaView,
    name: string,
    ext: 'webp' | 'avif',
    bytes: number,
  ): AlternativeRecord => {
    const stem = `f/${media.slug}_${name}`;
    return { of: `${stem}.jpg`, key: `${stem}.${ext}`, ext, bytes };
  };
  const made = (
    { media }: MediaView,
    changes: Partial<MediaAlternativesMade> = {},
  ): MediaAlternativesMade => ({
    ...{ media_id: media.id, slug: media.slug, attempt: numbers.get(media.id) ?? 0, outcome: 'made' },
    ...{ alternatives: [], took_ms: 1000, ...changes },
  });
  const recordedOf = async ({ media }: MediaView): Promise<readonly AlternativeRecord[]> =>
    (await sql('select alternatives from media where id = $1', [media.id]))[0].alternatives;
  const storedBytes = async (): Promise<number> =>
    (await sql('select coalesce(sum(variant_bytes), 0)::int as bytes from storage_deltas'))[0].bytes;
  const endLeases = () =>
    sql(`update alternative_work set requested_at = requested_at - interval '21 minutes'`);
  /** Plays the sweep that deletes objects a minute later; returns their keys. */
  const removeStale = async (): Promise<readonly string[]> => {
    const retention = stage.domain.get(VariantRetention);
    await sql(`update variant_work set since = now() - interval '61 seconds'`);
    const keys = await retention.takeOverRemovals(20);
    await retention.endRemovals(keys);
    return [...keys].sort();
  };
  const waiting = async (): Promise<number> => (await alternatives.findBacklog()).media;

  it('requests a photograph once, and records what was made with its bytes', async () => {
    const view = await create(await stage.createUser());
    const [[request], second] = await Promise.all([take(), take()]).then((all) =>
      all.sort((a, b) => b.length - a.length),
    );
    expect(second).toEqual([]);
    expect(request).toMatchObject({ slug: view.media.slug, key: `f/${view.media.slug}.jpg` });
    expect(request!.variants.map(({ key }) => key)).toEqual(
      ['xs', 'sm', 'md', 'lg', 'xl'].map((name) => `f/${view.media.slug}_${name}.jpg`),
    );
    await sql('truncate storage_deltas');

    const copies = [copy(view, 'md', 'avif', 60), copy(view, 'md', 'webp', 90)];
    const event = made(view, { alternatives: copies });
    expect(await alternatives.record(event)).toEqual({ outcome: 'recorded', savedBytes: 50 });

    expect(await recordedOf(view)).toEqual(copies);
    expect(await storedBytes()).toBe(150);
    expect(await waiting()).toBe(0);
    expect(await alternatives.record(event)).toEqual({ outcome: 'ignored', savedBytes: 0 });
    const served = await stage.reading.findServed(view.media.slug);
    expect([served?.alternatives, served?.alternativesDue]).toEqual([copies, false]);
    await stage.deletion.remove(view.media.slug, stage.as(view.media.userId!));
    expect(await storedBytes()).toBe(150 - 500 - 150);
  });

  it('replaces alternatives that are made again, and keeps the others', async () => {
    const view = await create(await stage.createUser());
    await take();
    const [old, kept] = [copy(view, 'md', 'avif', 60), copy(view, 'lg', 'webp', 80)];
    await alternatives.record(made(view, { alternatives: [old, kept] }));
    await alternatives.enqueue(view.media.slug);
    await take();
    const again = copy(view, 'md', 'avif', 50);
    await alternatives.record(made(view, { alternatives: [again] }));
    expect(await recordedOf(view)).toEqual([again, kept]);
  });

  it('lets uploaders alternate, whatever one of them has uploaded before; all guests count as one', async () => {
    const uploader = await stage.createUser();
    const busy: MediaView[] = [];
    for (let count = 0; count < 5; count++) busy.push(await create(uploader));
    const other = await create(await stage.createUser());
    const guests = [await create(await createGuest()), await create(await createGuest()), await create(null)];
    const order = async (): Promise<readonly string[]> =>
      (
        await sql('select slug from alternative_work join media on id = media_id order by turn, media_id')
      ).map(({ slug }: { slug: string }) => slug);
    expect(await order()).toEqual(
      [busy[0], other, guests[0], busy[1], guests[1], busy[2], guests[2], busy[3], busy[4]].map(slugOf),
    );
    // An uploader who comes later has the turn of those who are next.
    await sql('delete from alternative_work where turn < 2');
    const late = await create(await stage.createUser());
    expect(await order()).toEqual([busy[2], guests[2], late, busy[3], busy[4]].map(slugOf));
    expect(new Set((await take()).map(({ slug }) => slug))).toEqual(
      new Set([busy[2], guests[2], late, busy[3]].map(slugOf)),
    );
  });

  it('requests four at a time, and again when their leases end', async () => {
    const user = await stage.createUser();
    const views: Awaited<ReturnType<typeof create>>[] = [];
    for (let count = 0; count < 6; count++) views.push(await create(user));
    await sql(`update alternative_work set queued_at = now() - interval '1 hour' where media_id = $1`, [
      views[5]!.media.id,
    ]);
    expect(await alternatives.findBacklog()).toEqual({
      ...{ media: 6, requested: 0, oldestSeconds: expect.closeTo(3600, -1) },
    });
    expect(await take()).toHaveLength(4);
    await alternatives.record(made(views[0]!));
    expect((await take()).map(({ slug }) => slug)).toEqual([4, 5].map((at) => slugOf(views[at])));
    expect(await take()).toEqual([]);
    await endLeases();
    const late = made(views[1]!);
    expect((await take()).map(({ slug }) => slug)).toEqual([1, 2, 3, 4].map((at) => slugOf(views[at])));
    expect(await alternatives.record(late)).toMatchObject({ outcome: 'ignored' });
  });

  it('makes a media item wait whose media-processor was busy, without counting an attempt', async () => {
    const view = await create(await stage.createUser());
    for (let times = 0; times < 4; times++) {
      expect(await take()).toHaveLength(1);
      await alternatives.record(made(view, { outcome: 'busy' }));
      expect(await take()).toEqual([]);
      await sql('update alternative_work set not_before = now()');
    }
    expect(await take()).toHaveLength(1);
  });

  it('ignores the answer to a request from before the media item was processed again', async () => {
    const view = await create(await stage.createUser());
    const [abandoned] = await take();
    const late = made(view, { alternatives: [copy(view, 'md', 'avif', 60)] });
    await recordProcessed(view);
    expect(await alternatives.record(late)).toMatchObject({ outcome: 'ignored' });
    await alternatives.abandon(abandoned!);
    // The old work may still be in progress.
    expect(await take()).toEqual([]);
    await sql(`update alternative_work set not_before = not_before - interval '20 minutes'`);
    expect(await take()).toEqual([]);
    expect(await removeStale()).toHaveLength(10);
    expect(await take()).toHaveLength(1);
    expect(await alternatives.record(late)).toMatchObject({ outcome: 'ignored' });
    expect(await alternatives.record(made(view))).toMatchObject({ outcome: 'recorded' });
    await alternatives.enqueue(view.media.slug);
    await take();
    expect(await alternatives.record(late)).toMatchObject({ outcome: 'ignored' });
    expect(await recordedOf(view)).toEqual([]);
  });

  it('waits for the decision, and never begins for what is withdrawn', async () => {
    const user = await stage.createUser();
    const [undecided, rejected, suspended] = [
      await create(user),
      await create(user),
      await create(await stage.createUser()),
    ];
    await sql('update media set decided_at = null where id = $1', [undecided!.media.id]);
    await stage.decide(rejected!.media.id, 'rejected');
    await sql(`insert into account_restrictions (user_id, state, reason) values ($1, 'suspended', 'spam')`, [
      suspended!.media.userId,
    ]);
    expect(await take()).toEqual([]);
    expect(await waiting()).toBe(1);
    expect(await alternatives.enqueueAll()).toBe(0);
    await stage.decide(undecided!.media.id, 'nsfw');
    expect((await take()).map(({ slug }) => slug)).toEqual([undecided!.media.slug]);

    await sql('delete from account_restrictions');
    expect(await alternatives.enqueueAll()).toBe(1);
    expect((await take()).map(({ slug }) => slug)).toEqual([suspended!.media.slug]);
  });

  it('passes media that are not decided yet, however many are in front', async () => {
    const view = await create(await stage.createUser());
    await sql(
      `with undecided as (
         insert into media (slug, kind, format, mime, ext, width, height, frames, bytes, received_sha256, stored_sha256)
         select 'wait' || lpad(n::text, 3, '0'), kind, format, mime, ext, width, height, frames, bytes, received_sha256,
                stored_sha256
         from media, generate_series(1, 200) n where id = $1 returning id
       ) insert into alternative_work (media_id, subject, turn) select id, 'guests', -1 from undecided`,
      [view.media.id],
    );
    expect(await take()).toEqual([]);
    expect((await take()).map(({ slug }) => slug)).toEqual([view.media.slug]);
    expect(await waiting()).toBe(201);
  });

  it('gives up a media item after three requests without an answer, and deletes what may be stored', async () => {
    const view = await create(await stage.createUser());
    for (let times = 0; times < 3; times++) {
      expect(await take()).toHaveLength(1);
      await endLeases();
    }
    expect(await take()).toEqual([]);
    const recorded = copy(view, 'md', 'avif', 60);
    await sql('update media set alternatives = $1 where id = $2', [
      JSON.stringify([recorded]),
      view.media.id,
    ]);
    expect(await alternatives.giveUp(10)).toBe(1);
    await sql(`update variant_work set since = now() - interval '61 seconds'`);
    const deleted = await stage.domain.get(VariantRetention).takeOverRemovals(20);
    expect(deleted).toHaveLength(9);
    expect(deleted).not.toContain(recorded.key);
    expect(await waiting()).toBe(0);
  });

  it('makes older photographs wait that have none, and forgets all of them if none are to be made', async () => {
    const view = await create(await stage.createUser());
    const done = await create(view.media.userId);
    await sql('delete from alternative_work');
    await sql('update media set alternatives = $1 where id = $2', [
      JSON.stringify([copy(done, 'md', 'avif', 60)]),
      done.media.id,
    ]);
    expect(await alternatives.enqueueAll()).toBe(1);
    expect((await stage.reading.findServed(view.media.slug))?.alternativesDue).toBe(true);
    expect(await alternatives.forgetWaiting()).toBe(1);
    expect(await waiting()).toBe(0);
  });

  it('removes alternatives with the variants that nobody requests', async () => {
    const retention = stage.domain.get(VariantRetention);
    const view = await create(await stage.createUser());
    await take();
    await sql(`update media set processed_at = now() - interval '31 days'`);
    // While they are made, their variants stay.
    expect((await retention.removeUnused(30, 10)).keys).toEqual([]);
    const copies = [copy(view, 'md', 'avif', 60), copy(view, 'lg', 'webp', 80)];
    await alternatives.record(made(view, { alternatives: copies }));
    await retention.recordUses([{ slug: view.media.slug, name: 'lg' }]);
    await sql('truncate storage_deltas');
    const { keys } = await retention.removeUnused(30, 10);
    expect(keys).toContain(copies[0]!.key);
    expect(keys).not.toContain(copies[1]!.key);
    expect(await recordedOf(view)).toEqual([copies[1]]);
    expect(await storedBytes()).toBe(-400 - 60);
    await sql(`update variant_work set since = now() - interval '61 seconds'`);
    expect([...(await retention.takeOverRemovals(10))].sort()).toEqual([...keys].sort());
  });

  it('discards alternatives of a media item that is processed again, and makes new ones after their removal', async () => {
    const view = await create(await stage.createUser());
    await take();
    const copies = [copy(view, 'lg', 'webp', 80), copy(view, 'md', 'avif', 60)];
    await alternatives.record(made(view, { alternatives: copies }));
    await sql('truncate storage_deltas');
    await recordProcessed(view);
    expect(await recordedOf(view)).toEqual([]);
    expect(await storedBytes()).toBe(-80 - 60);
    expect(await take()).toEqual([]);
    expect(await removeStale()).toEqual(copies.map(({ key }) => key));
    expect(await take()).toHaveLength(1);
  });

  it('keeps the object of an alternative whose key a new variant has', async () => {
    const view = await create(await stage.createUser());
    await take();
    const copies = [copy(view, 'lg', 'webp', 80), copy(view, 'md', 'webp', 60)];
    await alternatives.record(made(view, { alternatives: copies }));
    const variants = VARIANT_NAMES.map((name) => {
      const key = `f/${view.media.slug}_md.webp`;
      return { name, key, ...{ ext: 'webp', mime: 'image/webp', width: 1, height: 1, bytes: 100 } };
    });
    await stage.processing.recordProcessed(stage.processedOf(view, { variants }));
    expect(await removeStale()).toEqual([copies[0]!.key]);
  });

  it('waits while variants are removed, whose keys the work would use', async () => {
    const view = await create(await stage.createUser());
    await sql(`insert into variant_work (key, media_id, work) values ('f/x', $1, 'removal')`, [
      view.media.id,
    ]);
    expect(await take()).toEqual([]);
    await sql('delete from variant_work');
    expect(await take()).toHaveLength(1);
  });

  it.each<[string, (view: MediaView) => Partial<MediaAlternativesMade>]>([
    ['another media item', () => ({ slug: 'Another' })],
    ['no slug', () => ({ slug: '../../x' })],
    [
      'an unknown variant',
      (view) => ({ alternatives: [{ ...copy(view, 'md', 'avif', 60), of: 'f/x.jpg' }] }),
    ],
    ['another object', (view) => ({ alternatives: [{ ...copy(view, 'md', 'avif', 60), key: 'f/x.avif' }] })],
    [
      'an object twice',
      (view) => ({ alternatives: [copy(view, 'md', 'avif', 1), copy(view, 'md', 'avif', 2)] }),
    ],
    ['a copy that saves too little', (view) => ({ alternatives: [copy(view, 'md', 'avif', 91)] })],
    ['an impossible size', (view) => ({ alternatives: [copy(view, 'md', 'avif', -1)] })],
    ['an impossible time', () => ({ took_ms: -1 })],
    ['copies and other work', (view) => ({ outcome: 'busy', alternatives: [copy(view, 'md', 'avif', 60)] })],
  ])('refuses a message about %s', async (_, changes) => {
    const view = await create(await stage.createUser());
    await take();
    await expect(alternatives.record(made(view, changes(view)))).rejects.toThrow(ImplausibleResultError);
    expect(await recordedOf(view)).toEqual([]);
  });

  it('reports a deleted media item as unknown', async () => {
    const view = await create(await stage.createUser());
    await take();
    await sql('delete from media');
    expect(await alternatives.record(made(view))).toMatchObject({ outcome: 'unknown' });
  });
});
