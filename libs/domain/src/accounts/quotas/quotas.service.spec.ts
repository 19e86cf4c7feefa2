import { Database } from '@vitrine/database';
import { InsufficientStorageError, NotFoundError } from '../../base/errors/domain-error';
import { MediaDeletion } from '../../media/items/media-deletion.service';
import type { MediaView } from '../../media/items/media.types';
import { useMedia } from '../../../test/media-stage';
import { QuotasConfig } from './quotas.config';
import { QuotasService } from './quotas.service';

const UNLIMITED = {
  bytesPerAccount: null,
  filesPerAccount: null,
  bytesPerGuest: null,
  filesPerGuest: null,
  bytesTotal: null,
};
const GB = 2 ** 30;

describe('QuotasService', () => {
  const stage = useMedia();
  const { createUser, newMedia, processedOf, as } = stage;
  let quotas: QuotasService;
  let config: QuotasConfig;

  beforeAll(() => {
    quotas = stage.domain.get(QuotasService);
    config = stage.domain.get(QuotasConfig);
  });
  beforeEach(async () => {
    Object.assign(config, UNLIMITED);
    // The stage truncates media, which runs no triggers.
    await quotas.recountAll();
  });

  const upload = (
    userId: number | null,
    bytes = 100,
    kind: 'image' | 'video' = 'image',
  ): Promise<MediaView> =>
    stage.uploads.register(
      newMedia(userId, { bytes, kind }),
      { subject: `user:${userId}`, filesPerDay: 1e6 },
      null,
    );
  const used = async (userId: number) => (await quotas.findUse(userId)).used;
  const differences = () => stage.domain.get(Database).snapshot((tx) => quotas.countDifferences(tx));
  const reasonsOf = (outcomes: readonly PromiseSettledResult<unknown>[]): unknown[] =>
    outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as InsufficientStorageError).because] : [],
    );
  const largeAccount = (username: string, files: number, bytes: number, limits: object) => ({
    username,
    isGuest: false,
    files,
    bytes,
    variantBytes: 0,
    limits,
  });
  const createGuest = async (): Promise<number> => {
    const [row] = await stage.dataSource.query(
      `insert into users (kind, username, review_after) values ('guest', '~' || left(md5(random()::text), 20), now()) returning id`,
    );
    return row.id;
  };
  const nameOf = async (id: number): Promise<string> =>
    (await stage.dataSource.query('select username from users where id = $1', [id]))[0].username;

  // Promise [files]: Simultaneous uploads can’t exceed the bytes or files of an account.
  it('never lets simultaneous uploads exceed the bytes or the files of an account', async () => {
    for (const [limits, because] of [
      [{ bytesPerAccount: 750 }, 'quota_bytes'],
      [{ filesPerAccount: 7 }, 'quota_files'],
    ] as const) {
      Object.assign(config, UNLIMITED, limits);
      const user = await createUser();
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => upload(user)));
      expect(reasonsOf(outcomes)).toEqual(Array.from({ length: 13 }, () => because));
      expect(await used(user)).toEqual({ files: 7, bytes: 700 });
      expect(await stage.dataSource.query('select from media where user_id = $1', [user])).toHaveLength(7);
      // Uploads of another account don't count.
      await upload(await createUser());
    }
    expect(await differences()).toEqual({ accounts: 0, kinds: 0, total: 0 });
  });

  it('never lets simultaneous uploads of all accounts exceed the total, which counts variants too', async () => {
    config.bytesTotal = 1000;
    const first = await upload(null, 300);
    await stage.processing.recordProcessed(processedOf(first));
    // Seven variants of one byte are seven files.
    const { variantBytes } = await quotas.findTotal();
    expect(variantBytes).toBeGreaterThan(0);
    const users = await Promise.all(Array.from({ length: 20 }, () => createUser()));
    const outcomes = await Promise.allSettled(users.map((user) => upload(user)));
    expect(reasonsOf(outcomes)).toEqual(Array.from({ length: 14 }, () => 'storage_full'));
    expect(await quotas.findTotal()).toMatchObject({ files: 7, bytes: 900, variantBytes });
    await expect(quotas.assertRoom(null, { files: 1, bytes: 100 })).rejects.toThrow(InsufficientStorageError);
    config.bytesTotal = 100 * GB;
    await upload(users[0]!, GB);
    expect(await differences()).toEqual({ accounts: 0, kinds: 0, total: 0 });
  });

  it('gives back what is deleted, with and without folded counts', async () => {
    config.bytesPerAccount = 250;
    const user = await createUser();
    const views = [await upload(user), await upload(user)];
    await expect(upload(user)).rejects.toMatchObject({ because: 'quota_bytes' });
    for (const { media } of views) {
      await stage.deletion.remove(media.slug, as(user));
      await upload(user);
      await quotas.foldAll();
      expect(await used(user)).toEqual({ files: 2, bytes: 200 });
    }
    expect(await stage.dataSource.query('select from storage_deltas')).toEqual([]);
    expect(await stage.domain.get(MediaDeletion).eraseMediaOf(user, 10)).toBe(2);
    await Promise.all([quotas.foldAll(), quotas.foldAll()]);
    expect(await stage.dataSource.query('select from storage_usage')).toEqual([]);
    expect(await quotas.findTotal()).toMatchObject({ files: 0, bytes: 0, variantBytes: 0 });
  });

  it('counts originals for the account, not variants', async () => {
    config.bytesPerAccount = 100;
    const user = await createUser();
    await stage.processing.recordProcessed(processedOf(await upload(user)));
    expect(await used(user)).toEqual({ files: 1, bytes: 100 });
    expect(await differences()).toEqual({ accounts: 0, kinds: 0, total: 0 });
  });

  it('refuses before the upload what cannot fit', async () => {
    Object.assign(config, { bytesPerAccount: 300, filesPerAccount: 3 });
    const user = await createUser();
    await quotas.assertRoom(user, { files: 1, bytes: 300 });
    await expect(quotas.assertRoom(user, { files: 1, bytes: 301 })).rejects.toMatchObject({
      because: 'quota_bytes',
    });
    await expect(quotas.assertRoom(user, { files: 4, bytes: 0 })).rejects.toMatchObject({
      because: 'quota_files',
    });
    await upload(user, 300);
    await expect(quotas.assertRoom(user, { files: 1, bytes: 0 })).rejects.toMatchObject({
      because: 'quota_bytes',
    });
  });

  it('gives guests their own quota', async () => {
    Object.assign(config, {
      bytesPerAccount: 1000,
      filesPerAccount: 1,
      bytesPerGuest: 150,
      filesPerGuest: 5,
    });
    const guest = await createGuest();
    await upload(guest);
    await expect(upload(guest)).rejects.toMatchObject({ because: 'quota_bytes' });
    expect(await quotas.findUse(guest)).toEqual({
      used: { files: 1, bytes: 100 },
      limits: { bytes: 150, files: 5 },
    });
    expect(quotas.useOfNewGuest()).toEqual({
      used: { files: 0, bytes: 0 },
      limits: { bytes: 150, files: 5 },
    });
  });

  it('prefers the quota that staff have set', async () => {
    Object.assign(config, { bytesPerAccount: 150, filesPerAccount: 1 });
    const user = await createUser();
    const name = await nameOf(user);
    expect(await quotas.changeQuota(name.toUpperCase(), { bytes: 250, files: 9 })).toEqual({
      username: name,
      used: { files: 0, bytes: 0 },
      limits: { bytes: 250, files: 9 },
      own: { bytes: 250, files: 9 },
    });
    const uses = [await createUser(), user].map((one) => quotas.findUse(one));
    expect((await Promise.all(uses)).map(({ limits }) => limits.bytes)).toEqual([150, 250]);
    await upload(user);
    await upload(user);
    await expect(upload(user)).rejects.toMatchObject({ because: 'quota_bytes' });
    // An omitted field stays, null restores the default; what is stored stays.
    expect(await quotas.changeQuota(name, { bytes: null })).toMatchObject({
      own: { bytes: null, files: 9 },
      limits: { bytes: 150, files: 9 },
      used: { bytes: 200 },
    });
    await expect(upload(user)).rejects.toMatchObject({ because: 'quota_bytes' });
    expect((await quotas.changeQuota(name, { bytes: 0 })).limits.bytes).toBe(0);
    const guestName = await nameOf(await createGuest());
    for (const unknown of ['nobody_here', '~', guestName]) {
      await expect(quotas.changeQuota(unknown, { bytes: 1 })).rejects.toThrow(NotFoundError);
      await expect(quotas.findQuota(unknown)).rejects.toThrow(NotFoundError);
    }
  });

  // Promise [administration]: The growth of the storage is recorded each day, and the largest accounts are
  // listed.
  it('records the growth of each day, also what a recount finds, and lists the largest accounts', async () => {
    Object.assign(config, { bytesPerAccount: 500, bytesPerGuest: 900, bytesTotal: 5000 });
    await stage.dataSource.query('delete from storage_days');
    const [small, large, guest] = [await createUser(), await createUser(), await createGuest()];
    await upload(small);
    const doomed = await upload(large, 300);
    await upload(guest, 200);
    await quotas.changeQuota(await nameOf(small), { files: 9 });
    await quotas.foldAll();
    await upload(guest, 50);
    await quotas.foldAll();
    const overview = await quotas.findOverview();
    expect(overview.total).toEqual({ files: 4, bytes: 650, variantBytes: 0 });
    expect(overview.bytesLimit).toBe(5000);
    expect(overview.largest).toEqual([
      largeAccount(await nameOf(large), 1, 300, { bytes: 500, files: null }),
      { ...largeAccount(await nameOf(guest), 2, 250, { bytes: 900, files: null }), isGuest: true },
      largeAccount(await nameOf(small), 1, 100, { bytes: 500, files: 9 }),
    ]);
    const today = new Date().toISOString().slice(0, 10);
    expect(overview.days).toHaveLength(90);
    expect(overview.days[0]).toMatchObject({ files: 0, bytes: 0, variantBytes: 0 });
    expect(overview.days.at(-1)).toEqual({ day: today, files: 4, bytes: 650, variantBytes: 0 });
    await stage.dataSource.query(`update storage_days set day = day - 3`);
    await stage.deletion.remove(doomed.media.slug, as(large));
    await quotas.foldAll();
    expect((await quotas.findOverview()).days.slice(-4).map(({ bytes }) => bytes)).toEqual([650, 0, 0, -300]);
    // As a bulk load without triggers.
    await stage.dataSource.query(
      `set session_replication_role = replica; update media set bytes = bytes + 10; reset session_replication_role`,
    );
    await quotas.recountAll();
    expect((await quotas.findOverview()).days.at(-1)).toMatchObject({ files: -1, bytes: -270 });
  });

  it('tells images and videos apart, before and after their changes are folded', async () => {
    const user = await createUser();
    const image = await upload(user, 70);
    await upload(user, 500, 'video');
    await stage.dataSource.query(
      `update media set variants = '[{"key": "a", "bytes": 30}]' where kind = 'video' and user_id = $1`,
      [user],
    );
    const kinds = async () => (await quotas.findOverview()).kinds;
    const expected = [
      { kind: 'image', files: 1, bytes: 70, variantBytes: 0 },
      { kind: 'video', files: 1, bytes: 500, variantBytes: 30 },
    ];
    expect(await kinds()).toEqual(expected);
    await quotas.foldAll();
    expect(await kinds()).toEqual(expected);
    expect(await differences()).toEqual({ accounts: 0, kinds: 0, total: 0 });
    await stage.deletion.remove(image.media.slug, as(user));
    expect((await kinds())[0]).toEqual({ kind: 'image', files: 0, bytes: 0, variantBytes: 0 });
    await quotas.recountAll();
    expect((await kinds())[1]).toEqual(expected[1]);
  });

  it('finds wrong counts and repairs them', async () => {
    const user = await createUser();
    await upload(user);
    await stage.dataSource.query('update storage_deltas set bytes = bytes + 1 where user_id = $1', [user]);
    expect(await differences()).toEqual({ accounts: 1, kinds: 1, total: 1 });
    await quotas.recountAll();
    expect(await differences()).toEqual({ accounts: 0, kinds: 0, total: 0 });
    expect(await used(user)).toEqual({ files: 1, bytes: 100 });
  });
});
