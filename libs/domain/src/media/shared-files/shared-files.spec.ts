import { randomBytes } from 'node:crypto';
import { eventually } from '@vitrine/testing';
import { newMedia } from '../../../test/new-media';
import { useMedia } from '../../../test/media-stage';
import { UnavailableError } from '../../base/errors/domain-error';
import type { MediaView } from '../items/media.types';
import { originalKeyOf } from '../rows/media-events';
import type { CheckedMedia } from './shared-files.repository';
import { SharedFiles } from './shared-files.service';

const START = { processedAt: '-infinity', mediaId: 0 };

describe('SharedFiles', () => {
  const stage = useMedia();
  let sharedFiles: SharedFiles;
  let owner: number;
  let hash: Buffer;

  beforeAll(() => (sharedFiles = stage.domain.get(SharedFiles)));
  beforeEach(async () => {
    await sql('truncate shared_files, redundant_files cascade');
    await sql(
      `update file_merging set processed_at = '-infinity', media_id = 0, busy_until = now(), holder = null`,
    );
    owner = await stage.createUser();
    hash = randomBytes(32);
  });

  const sql = <Row>(text: string, parameters: unknown[] = []): Promise<Row[]> =>
    stage.dataSource.query(text, parameters);
  /** Registers a processed media item with the bytes of the others, some hours ago. */
  const add = async (hoursAgo: number, storedSha256 = hash): Promise<MediaView> => {
    const view = await stage.uploads.register(newMedia(owner, { storedSha256 }), stage.quota(), null);
    await stage.processing.recordProcessed(stage.processedOf(view));
    await sql(`update media set processed_at = now() - $2 * interval '1 hour' where id = $1`, [
      view.media.id,
      hoursAgo,
    ]);
    return view;
  };
  const checked = async ({ media }: MediaView): Promise<CheckedMedia> => {
    const all = await sharedFiles.findNext(START, 0, 100);
    return all.find(({ mediaId }) => mediaId === media.id)!;
  };
  const merge = async (view: MediaView): Promise<boolean> => {
    const media = await checked(view);
    const [kept] = await sharedFiles.findKept(media);
    return kept !== undefined && sharedFiles.merge(media, kept, 0);
  };
  const remove = ({ media }: MediaView): Promise<void> => stage.deletion.remove(media.slug, stage.as(owner));
  const own = ({ media }: MediaView): string => `f/${media.slug}.jpg`;
  const keysOf = async (...views: MediaView[]): Promise<string[]> =>
    Promise.all(
      views.map(async ({ media }) => {
        const [row] = await sql<{ slug: string; ext: string; sharedKey: string | null }>(
          'select slug, ext, shared_key as "sharedKey" from media where id = $1',
          [media.id],
        );
        return originalKeyOf(row!);
      }),
    );
  const waiting = async (): Promise<number> => {
    const [row] = await sql<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row!.waiting;
  };
  /** Runs `second` while a transaction that has done `first` is open, until `second` waits for it. */
  const during = async <Result>(
    first: Parameters<typeof stage.connection.transaction>[0],
    second: () => Promise<Result>,
  ): Promise<Result> => {
    let result: Promise<Result> | undefined;
    await stage.connection.transaction(async (tx) => {
      await first(tx);
      result = second();
      await eventually(async () => expect(await waiting()).toBe(1));
    });
    return result!;
  };

  it('lets media with equal bytes refer to the oldest object, and names the others for deletion', async () => {
    const [first, second, third, other] = [
      await add(4),
      await add(3),
      await add(2),
      await add(1, randomBytes(32)),
    ];
    expect((await sharedFiles.findNext(START, 0, 10)).map(({ hasEqual }) => hasEqual)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    // The oldest one stays in its place.
    expect(await merge(first)).toBe(false);
    expect([await merge(second), await merge(third), await merge(third)]).toEqual([true, true, false]);
    expect(await keysOf(first, second, third, other)).toEqual([
      own(first),
      own(first),
      own(first),
      own(other),
    ]);
    expect(await sharedFiles.findSavedBytes()).toBe(0);
    const redundant = await sharedFiles.takeRedundant(10);
    expect(redundant.map(({ key }) => key).sort()).toEqual([own(second), own(third)].sort());
    await sharedFiles.endRedundant(redundant);
    expect(await sharedFiles.findSavedBytes()).toBe(2 * second.media.bytes);
  });

  it('searches each media item once, in the order and not before the time of its processing', async () => {
    const [late, early] = [await add(2), await add(3)];
    const claim = (await sharedFiles.claim())!;
    const next = async () =>
      sharedFiles.findNext(
        (
          await sql<typeof START>(
            `select processed_at::text as "processedAt", media_id as "mediaId" from file_merging`,
          )
        )[0]!,
        2.5 * 3600,
        1,
      );
    const [found] = await next();
    expect(found?.mediaId).toBe(early.media.id);
    await sharedFiles.advance({ ...claim, ...found! });
    expect(await next()).toEqual([]);
    expect((await sharedFiles.findNext(found!, 0, 10)).map(({ mediaId }) => mediaId)).toEqual([
      late.media.id,
    ]);
  });

  it('gives the right to merge to one process, and to another one if that has gone', async () => {
    const claim = (await sharedFiles.claim())!;
    expect(await sharedFiles.claim()).toBeNull();
    expect(await sharedFiles.advance(claim)).toBe(true);
    await sql(`update file_merging set busy_until = now() - interval '1 second'`);
    const other = (await sharedFiles.claim())!;
    expect(await sharedFiles.advance(claim)).toBe(false);
    await sharedFiles.endClaim(claim);
    expect(await sharedFiles.claim()).toBeNull();
    await sharedFiles.endClaim(other);
    expect(await sharedFiles.claim()).not.toBeNull();
  });

  it.each([
    ['the first one', [0, 1, 2]],
    ['the last one', [2, 1, 0]],
    ['one in the middle', [1, 2, 0]],
  ])('keeps the object until the last media item is deleted, beginning with %s', async (_, order) => {
    const views = [await add(3), await add(2), await add(1)];
    for (const view of views.slice(1)) await merge(view);
    for (const index of order) {
      expect(await sharedFiles.findUnused(10)).toEqual([]);
      expect(await sharedFiles.findShared([own(views[0]!)])).toEqual(new Set([own(views[0]!)]));
      await remove(views[index]!);
    }
    expect(await sharedFiles.findUnused(10)).toEqual([own(views[0]!)]);
    // The redundant objects have the slugs of deleted media, so they are purged like any others.
    expect(await sql('select from redundant_files')).toEqual([]);
    await sharedFiles.endUnused([own(views[0]!)]);
    expect(await sql('select from shared_files')).toEqual([]);
  });

  it('finds that a file is unused if the last two media are deleted at the same moment', async () => {
    const [first, second] = [await add(2), await add(1)];
    await merge(second);
    await during(
      (tx) => stage.deletion.removeUnplaced(tx, [first.media.id]),
      () => remove(second),
    );
    expect(await sharedFiles.findUnused(10)).toEqual([own(first)]);
  });

  it('does not merge with a media item, or into a file, that is being deleted', async () => {
    const [first, second, third] = [await add(3), await add(2), await add(1)];
    const media = await checked(second);
    const [kept] = await sharedFiles.findKept(media);
    expect(
      await during(
        (tx) => stage.deletion.removeUnplaced(tx, [first.media.id]),
        () => sharedFiles.merge(media, kept!, 0),
      ),
    ).toBe(false);

    // The next copy is merged with the one that is left.
    await merge(third);
    const fourth = await add(0.5);
    const late = await checked(fourth);
    const [shared] = await sharedFiles.findKept(late);
    expect(shared).toEqual({ key: own(second), mediaId: null });
    expect(
      await during(
        (tx) => stage.deletion.removeUnplaced(tx, [second.media.id, third.media.id]),
        () => sharedFiles.merge(late, shared!, 0),
      ),
    ).toBe(false);
    expect(await keysOf(fourth)).toEqual([own(fourth)]);
    expect(await sharedFiles.findKept(late)).toEqual([]);
    expect(await sharedFiles.findUnused(10)).toEqual([own(second)]);
  });

  it('keeps a file whose last media item is deleted while another one is merged into it', async () => {
    const [first, second, third] = [await add(3), await add(2), await add(1)];
    await merge(second);
    const media = await checked(third);
    const [shared] = await sharedFiles.findKept(media);
    let deletion: Promise<unknown> | undefined;
    await stage.connection.transaction(async (tx) => {
      await tx.query('select from media where id = $1 for no key update', [third.media.id]);
      await tx.query('select from shared_files for share');
      deletion = Promise.all([remove(first), remove(second)]);
      await eventually(async () => expect(await waiting()).toBe(2));
      await tx.query('update media set shared_key = $2 where id = $1', [third.media.id, own(first)]);
    });
    await deletion;
    expect(shared).toEqual({ key: own(first), mediaId: null });
    expect(await sharedFiles.findUnused(10)).toEqual([]);
    await remove(third);
    expect(await sharedFiles.findUnused(10)).toEqual([own(first)]);
  });

  it.each([
    [
      'is processed again',
      `insert into processing_turns (media_id, subject, lane, cost) values ($1, 'a', 'quick', 1)`,
    ],
    ['has a size made', `insert into variant_work (media_id, key, work) values ($1, 'f/a_xs.jpg', 'make')`],
    [
      'gets alternatives',
      `insert into alternative_work (media_id, subject, turn, requested_at) values ($1, 'guests', 1, now())`,
    ],
  ])('keeps the second copy while its media item %s', async (_, work) => {
    const [, second] = [await add(2), await add(1)];
    await merge(second);
    await sql(work, [second.media.id]);
    expect(await sharedFiles.takeRedundant(10)).toEqual([]);
    await sql('delete from processing_turns');
    await sql('delete from variant_work');
    await sql('delete from alternative_work');
    expect(await sharedFiles.takeRedundant(10)).toHaveLength(1);
  });

  it('has variants made from the shared object', async () => {
    const [first, second] = [await add(2), await add(1)];
    await merge(second);
    await sql('delete from outbox');
    await stage.connection.transaction(async (tx) => {
      const media = await stage.locks.lockBySlug(tx, second.media.slug);
      await stage.processing.processAgain(tx, media!);
    });
    expect((await stage.outboxEvents())[0]?.data).toMatchObject({ slug: second.media.slug, key: own(first) });
  });

  it('does not separate a media item while the object under its own key is being deleted', async () => {
    const [, second] = [await add(2), await add(1)];
    await merge(second);
    await sql('update redundant_files set remove_after = now()');
    const taken = await sharedFiles.takeRedundant(10);
    const [sharing] = await sharedFiles.findSharing(second.media.id - 1, 1);
    const stored: string[] = [];
    const separate = (): Promise<boolean> =>
      sharedFiles.separate(sharing!, (key) => Promise.resolve(void stored.push(key)));
    await expect(separate()).rejects.toThrow(UnavailableError);
    expect(stored).toEqual([]);
    await sharedFiles.endRedundant(taken);
    expect(await separate()).toBe(true);
    expect(stored).toEqual([own(second)]);
  });

  it('separates media again, and deletes what none of them uses then', async () => {
    const [first, second, third] = [await add(3), await add(2), await add(1)];
    for (const view of [second, third]) await merge(view);
    await remove(second);
    const stored: string[] = [];
    const separate = async (view: MediaView): Promise<boolean> => {
      const all = await sharedFiles.findSharing(0, 10);
      const store = (key: string): Promise<void> => Promise.resolve(void stored.push(key));
      return sharedFiles.separate(
        all.find(({ id }) => id === view.media.id)!,
        store,
      );
    };
    expect(await separate(first)).toBe(false);
    expect(await separate(third)).toBe(true);
    expect(await separate(first)).toBe(true);
    expect(stored).toEqual([own(third)]);
    expect(await keysOf(first, third)).toEqual([own(first), own(third)]);
    expect(await sql('select from shared_files')).toEqual([]);
    expect(await sql('select from redundant_files')).toEqual([]);

    // A file whose first media item is deleted has no other use.
    await merge(third);
    await remove(first);
    expect(await separate(third)).toBe(true);
    expect(await sharedFiles.findUnused(10)).toEqual([own(first)]);
  });
});
