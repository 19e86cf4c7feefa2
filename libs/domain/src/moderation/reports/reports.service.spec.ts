import { randomSlug } from '../../base/identifiers/slug';
import { randomBytes } from 'node:crypto';
import { REPORT_TYPES, type ReportType } from '@vitrine/contracts';
import { Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import type { DataSource } from 'typeorm';
import {
  InvalidFieldsError,
  NotFoundError,
  TooManyRequestsError,
  UnauthenticatedError,
} from '../../base/errors/domain-error';
import { type Complaint, MAX_OPEN_REPORTS, ReportsService } from './reports.service';
import { ReportsModule } from './reports.module';

const KEY = 'k'.repeat(32);
const INVALID = new InvalidFieldsError({ target: ['The selected target is invalid.'] });

describe('ReportsService', () => {
  const domain = useDomain([ReportsModule]);
  let dataSource: DataSource;
  let reports: ReportsService;

  beforeAll(() => {
    dataSource = domain.dataSource;
    reports = domain.get(ReportsService);
  });

  type Person = { userId: number; username: string; role: 'user' | 'moderator' };

  const insert = async (sql: string, values: readonly unknown[]): Promise<number> => {
    const [row]: { id: number }[] = await dataSource.query(`${sql} returning id`, [...values]);
    return row?.id ?? 0;
  };

  async function addPerson(role: Person['role'] = 'user'): Promise<Person> {
    const username = `user_${randomBytes(5).toString('hex')}`;
    const userId = await insert('insert into users (username, role) values ($1, $2)', [username, role]);
    return { userId, username, role };
  }

  /** Creates a media item, a post with a comment, and their author; returns what `target` is for each. */
  async function addThings({ visibility = 'public', status = 'approved' } = {}): Promise<
    Readonly<Record<ReportType, string>> & { author: Person; ids: Readonly<Record<ReportType, number>> }
  > {
    const author = await addPerson();
    const [mediaSlug, postSlug] = [randomSlug(), randomSlug()];
    const media = await insert(
      `insert into media (slug, user_id, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256,
                          moderation_status)
       values ($1, $2, 'image', 'jpeg', 'image/jpeg', 'jpg', 10, 10, 100, $3, $3, $4)`,
      [mediaSlug, author.userId, randomBytes(32), status],
    );
    const post = await insert(
      'insert into posts (slug, user_id, visibility, access_key, moderation_status) values ($1, $2, $3, $4, $5)',
      [postSlug, author.userId, visibility, visibility === 'private' ? KEY : null, status],
    );
    const comment = await insert('insert into comments (post_id, user_id, content) values ($1, $2, $3)', [
      post,
      author.userId,
      'First',
    ]);
    return {
      media: mediaSlug,
      post: postSlug,
      comment: String(comment),
      user: author.username,
      author,
      ids: { media, post, comment, user: author.userId },
    };
  }

  const complaint = (type: ReportType, target: string): Complaint => ({
    type,
    target,
    reason: 'spam',
    details: 'Watches.',
  });
  const rowsOn = (type: ReportType, id: number): Promise<{ reporter_id: number; closed_at: Date | null }[]> =>
    dataSource.query('select * from reports where type = $1 and target_id = $2 order by id', [type, id]);

  // Promise [security]: An account has at most 100 open reports.
  it('are refused beyond 100 open ones of an account, also simultaneous ones, until moderators close some', async () => {
    const [ann, bob] = [await addPerson(), await addPerson()];
    await dataSource.query(
      `with many as (insert into users (username) select 'many_' || $1::bigint || '_' || n from generate_series(1, $2::integer) n returning id)
       insert into reports (reporter_id, type, user_id, reason) select $1::bigint, 'user', id, 'spam' from many`,
      [ann.userId, MAX_OPEN_REPORTS - 2],
    );
    const things = await Promise.all(Array.from({ length: 6 }, () => addThings()));
    const outcomes = await Promise.allSettled(
      things.map(({ media }) => reports.report(complaint('media', media), ann)),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(4);
    expect(refused).toMatchObject(Array(4).fill({ reason: new TooManyRequestsError(3600) }));
    await reports.report(complaint('media', things[0]!.media), bob);
    await dataSource.query(`update reports set closed_at = now() where reporter_id = $1 and type = 'user'`, [
      ann.userId,
    ]);
    for (const { media } of things) await reports.report(complaint('media', media), ann);
  });

  describe.each(REPORT_TYPES)('of a %s', (type) => {
    it('are stored once per reporter, also for simultaneous reports', async () => {
      const things = await addThings();
      const [ann, bob] = [await addPerson(), await addPerson()];
      const ids = await Promise.all(
        Array.from({ length: 8 }, () => reports.report(complaint(type, things[type]), ann)),
      );
      expect(new Set(ids).size).toBe(1);
      expect(await rowsOn(type, things.ids[type])).toMatchObject([
        { reporter_id: ann.userId, type, reason: 'spam', details: 'Watches.', closed_at: null },
      ]);
      const other = await reports.report({ ...complaint(type, things[type]), reason: 'abuse' }, bob);
      expect(ids).not.toContain(other);
      expect(await rowsOn(type, things.ids[type])).toHaveLength(2);
    });

    it('are rejected if the item does not exist', async () => {
      const ann = await addPerson();
      for (const target of ['nothere', '999999999', '0', '-1', 'no such user', '99999999999999999999']) {
        await expect(reports.report(complaint(type, target), ann)).rejects.toEqual(INVALID);
      }
    });

    it('fail only with the same error while the item is being deleted', async () => {
      for (let round = 0; round < 8; round++) {
        const things = await addThings();
        const people = await Promise.all(Array.from({ length: 4 }, () => addPerson()));
        const outcomes = await Promise.allSettled([
          ...people.map((person) => reports.report(complaint(type, things[type]), person)),
          type === 'user'
            ? dataSource.query('update users set deleted_at = now() where id = $1', [things.ids.user])
            : dataSource.query(`delete from ${TABLES[type]} where id = $1`, [things.ids[type]]),
        ]);
        const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
        expect(refusals.map(({ reason }: PromiseRejectedResult) => reason as unknown)).toEqual(
          refusals.map(() => INVALID),
        );
        if (type !== 'user') expect(await rowsOn(type, things.ids[type])).toEqual([]);
      }
    });

    it('are closed by a moderator once, and a repeated report does not reopen them', async () => {
      const things = await addThings();
      const [ann, bob, moderator] = [await addPerson(), await addPerson(), await addPerson('moderator')];
      await reports.report(complaint(type, things[type]), ann);
      await dataSource.query(`update reports set contact = 'ann@example.org'`);
      await reports.dismiss(type, things[type], moderator);
      await expect(reports.dismiss(type, things[type], moderator)).rejects.toThrow(NotFoundError);
      await reports.report(complaint(type, things[type]), ann);
      expect(await rowsOn(type, things.ids[type])).toMatchObject([
        { closed_at: expect.any(Date), closed_by: moderator.userId, contact: null },
      ]);
      await reports.report(complaint(type, things[type]), bob);
      expect((await rowsOn(type, things.ids[type])).map(({ closed_at }) => closed_at)).toEqual([
        expect.any(Date),
        null,
      ]);
    });
  });

  const TABLES = { media: 'media', post: 'posts', comment: 'comments' };

  it('of a private post and its comments require the key or access to the post', async () => {
    const things = await addThings({ visibility: 'private' });
    const [stranger, moderator] = [await addPerson(), await addPerson('moderator')];
    for (const type of ['post', 'comment'] as const) {
      const report = (by: Person, key: string | null): Promise<number> =>
        reports.report(complaint(type, things[type]), by, key);
      await expect(report(stranger, null)).rejects.toEqual(INVALID);
      await expect(report(stranger, 'x'.repeat(32))).rejects.toEqual(INVALID);
      await expect(report(stranger, KEY)).resolves.toEqual(expect.any(Number));
      await expect(report(moderator, null)).resolves.toEqual(expect.any(Number));
      await expect(report(things.author, null)).resolves.toEqual(expect.any(Number));
    }
    await expect(reports.report(complaint('post', String(things.ids.post)), stranger, KEY)).resolves.toEqual(
      expect.any(Number),
    );
    expect(await rowsOn('post', things.ids.post)).toHaveLength(3);
  });

  it('of rejected and deleted items and tombstones are rejected like those of unknown ones', async () => {
    const things = await addThings({ status: 'rejected' });
    const stranger = await addPerson();
    for (const type of ['media', 'post', 'comment'] as const) {
      await expect(reports.report(complaint(type, things[type]), stranger)).rejects.toEqual(INVALID);
    }
    const others = await addThings();
    await dataSource.query('update comments set deleted_at = now() where id = $1', [others.ids.comment]);
    await dataSource.query('update users set deleted_at = now() where id = $1', [others.ids.user]);
    for (const type of ['comment', 'user'] as const) {
      await expect(reports.report(complaint(type, others[type]), stranger)).rejects.toEqual(INVALID);
    }
  });

  it('are rejected from a deleted account, and its reports are erased', async () => {
    const things = await addThings();
    const [ann, bob] = [await addPerson(), await addPerson()];
    await reports.report(complaint('user', things.user), ann);
    await reports.report(complaint('user', ann.username), bob);
    await reports.report(complaint('media', things.media), bob);
    await dataSource.query('update users set deleted_at = now() where id = $1', [ann.userId]);
    await expect(reports.report(complaint('media', things.media), ann)).rejects.toThrow(UnauthenticatedError);
    await domain.get(Database).transaction((tx) => reports.removeOfUser(tx, ann.userId));
    expect(await rowsOn('user', things.ids.user)).toEqual([]);
    expect(await rowsOn('user', ann.userId)).toEqual([]);
    expect(await rowsOn('media', things.ids.media)).toMatchObject([{ reporter_id: bob.userId }]);
  });
});
