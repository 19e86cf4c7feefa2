import { randomSlug } from '../../base/identifiers/slug';
import { randomBytes } from 'node:crypto';
import { REPORT_REASONS, type ReportReason, type ReportType } from '@vitrine/contracts';
import { PublicUrlsModule } from '@vitrine/runtime';
import { useDomain } from '@vitrine/testing';
import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { ReportsService } from '../reports/reports.service';
import type { Evidence } from './moderation.rules';
import { ModerationService } from './moderation.service';
import { countStatements } from '../../../test/count-statements';
import { ReviewModule } from './review.module';
import { type QueueItem, type QueueItemPage, QueueService } from './queue.service';
import { RulingsService } from './rulings.service';

const UNSURE: Evidence = {
  ban: null,
  pictures: [{ drawing: 0, hentai: 0, neutral: 0.5, porn: 0.5, sexy: 0 }],
};

describe('QueueService', () => {
  const domain = useDomain([PublicUrlsModule, ReviewModule]);
  let dataSource: DataSource;
  let queue: QueueService;
  let moderator: { userId: number; username: string; role: 'moderator' };

  beforeAll(() => {
    dataSource = domain.dataSource;
    queue = domain.get(QueueService);
  });
  beforeEach(async () => {
    await dataSource.query('truncate users, media, posts, comments, reports, moderation_queue cascade');
    moderator = { ...(await addPerson('moderator')), role: 'moderator' };
  });

  const insert = async (sql: string, values: readonly unknown[]): Promise<number> => {
    const [row]: { id: number }[] = await dataSource.query(`${sql} returning id`, [...values]);
    return row?.id ?? 0;
  };

  async function addPerson(role = 'user'): Promise<{ userId: number; username: string; role: 'user' }> {
    const username = `user_${randomBytes(5).toString('hex')}`;
    const userId = await insert('insert into users (username, role) values ($1, $2)', [username, role]);
    return { userId, username, role: 'user' };
  }

  /** As `ReportsService` names it, and its id. */
  interface Target {
    readonly type: ReportType;
    readonly target: string;
    readonly id: number;
  }

  async function addMedia(): Promise<Target> {
    const target = randomSlug();
    const id = await insert(
      `insert into media (slug, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256, processed)
       values ($1, 'image', 'jpeg', 'image/jpeg', 'jpg', 10, 10, 100, $2, $2, true)`,
      [target, randomBytes(32)],
    );
    return { type: 'media', target, id };
  }

  async function addPost(visibility = 'public'): Promise<Target> {
    const target = randomSlug();
    const values = [target, visibility, visibility === 'private' ? 'k'.repeat(32) : null];
    const id = await insert(
      `insert into posts (slug, visibility, access_key, moderation_status) values ($1, $2, $3, 'approved')`,
      values,
    );
    return { type: 'post', target, id };
  }

  async function addComment(): Promise<Target> {
    const { id: postId } = await addPost();
    const { userId } = await addPerson();
    const id = await insert(`insert into comments (post_id, user_id, content) values ($1, $2, 'Buy!')`, [
      postId,
      userId,
    ]);
    return { type: 'comment', target: String(id), id };
  }

  async function addUser(): Promise<Target> {
    const { userId, username } = await addPerson();
    return { type: 'user', target: username, id: userId };
  }

  const report = async (
    { type, target }: Target,
    reason: ReportReason = 'spam',
    details = '',
  ): Promise<void> => {
    await domain
      .get(ReportsService)
      .report({ type, target, reason, details }, await addPerson(), 'k'.repeat(32));
  };
  const leaveToModerators = (media: Target): Promise<unknown> =>
    domain.get(ModerationService).decideAutomatically(media.id, UNSURE);
  const readPage = (page = 1, limit = 250): Promise<QueueItemPage> => queue.findPage(page, limit, moderator);
  const nameOf = ({ entry, thing }: QueueItem): string => {
    switch (thing.type) {
      case 'media':
        return `media ${thing.view.media.slug}`;
      case 'post':
        return `post ${thing.view.post.slug}`;
      case 'comment':
        return `comment ${entry.id}`;
      case 'user':
        return `user ${thing.view.username}`;
    }
  };
  const waiting = async (): Promise<string[]> => (await readPage()).items.map(nameOf);

  // Promise [moderation]: The queue contains each item once, the longest wait first.
  it('contains each item once, the longest wait first', async () => {
    const things = [await addMedia(), await addPost('private'), await addComment(), await addUser()];
    await leaveToModerators(things[0] as Target);
    for (const thing of things.slice(1)) await report(thing);
    for (const thing of [...things].reverse()) await report(thing, 'abuse', 'Look!');
    const { items, total } = await readPage();
    expect(total).toBe(4);
    expect(items.map(nameOf)).toEqual(things.map(({ type, target }) => `${type} ${target}`));
    expect(items).toMatchObject([
      {
        entry: {
          scores: { unsafe: 0.5, frames: 1 },
          reasons: ['classifier_unsure', 'abuse'],
          reports: 1,
          latestReports: [{ reason: 'abuse', details: 'Look!', reporter: expect.stringMatching(/^user_/) }],
        },
        thing: { view: { media: { slug: things[0]?.target, moderationStatus: 'pending' } } },
      },
      {
        entry: { scores: null, reasons: ['abuse', 'spam'], reports: 2 },
        thing: { view: { firstMedia: null } },
      },
      { entry: { reports: 2 }, thing: { view: { comment: { content: 'Buy!' } } } },
      { entry: { reports: 2 }, thing: { view: { username: things[3]?.target, avatar: null } } },
    ]);
    const moments = items.map(({ entry }) => entry.waitingSince.getTime());
    expect(moments).toEqual([...moments].sort((a, b) => a - b));
  });

  it('shows the ten latest reports and counts all of them', async () => {
    const post = await addPost();
    for (let index = 0; index < 12; index++) {
      await report(post, REPORT_REASONS[index % REPORT_REASONS.length] ?? 'other', `No. ${index}`);
    }
    const [item] = (await readPage()).items;
    expect(item?.entry).toMatchObject({ reports: 12, reasons: [...REPORT_REASONS].sort() });
    expect(item?.entry.latestReports.map(({ details }) => details)).toEqual(
      Array.from({ length: 10 }, (_, index) => `No. ${11 - index}`),
    );
  });

  it('loses an item by a ruling, a dismissal or a deletion, and contains it again after a new report', async () => {
    const [media, post, comment, user] = [
      await addMedia(),
      await addPost(),
      await addComment(),
      await addUser(),
    ];
    // Only a post with visible media can be reported again.
    await dataSource.query('insert into post_media (post_id, media_id, position) values ($1, $2, 0)', [
      post.id,
      (await addMedia()).id,
    ]);
    for (const thing of [media, post, comment, user]) await report(thing);
    const ruling = { status: 'approved', note: 'fine', ban: false, moderator } as const;
    await domain.get(RulingsService).ruleOnMedia(media.target, ruling);
    await domain.get(RulingsService).ruleOnPost(post.target, ruling);
    expect(await waiting()).toEqual([`comment ${comment.id}`, `user ${user.target}`]);
    await dataSource.query('update comments set deleted_at = now() where id = $1', [comment.id]);
    await domain.get(ReportsService).dismiss('user', user.target, moderator);
    expect(await readPage()).toEqual({ items: [], total: 0 });
    await report(post);
    await report(user);
    expect(await waiting()).toEqual([`post ${post.target}`, `user ${user.target}`]);
    await dataSource.query('delete from posts where id = $1', [post.id]);
    await dataSource.query('update users set deleted_at = now() where id = $1', [user.id]);
    expect(await readPage()).toEqual({ items: [], total: 0 });
  });

  it('keeps a reported media item after its automated approval, and an unsure one after its reports are closed', async () => {
    const [reported, unsure] = [await addMedia(), await addMedia()];
    await report(reported);
    await domain.get(ModerationService).decideAutomatically(reported.id, {
      ban: null,
      pictures: [{ drawing: 0, hentai: 0, neutral: 1, porn: 0, sexy: 0 }],
    });
    await report(unsure);
    await leaveToModerators(unsure);
    await domain.get(ReportsService).dismiss('media', unsure.target, moderator);
    const { items } = await readPage();
    expect(items).toMatchObject([
      {
        entry: { reasons: ['spam'], reports: 1 },
        thing: { view: { media: { slug: reported.target, moderationStatus: 'approved' } } },
      },
      {
        entry: { reasons: ['classifier_unsure'], reports: 0, latestReports: [] },
        thing: { view: { media: { slug: unsure.target } } },
      },
    ]);
  });

  it('has pages that contain every item once, in one order, with the exact total', async () => {
    const things: Target[] = [];
    for (const add of [addMedia, addPost, addComment, addUser, addMedia, addPost, addUser]) {
      things.push(await add());
    }
    for (const thing of things) await report(thing);
    // Several have the same time; the order must be total nevertheless.
    await dataSource.query(`update reports set created_at = '2026-01-01'`);
    const whole = await waiting();
    expect(whole).toHaveLength(things.length);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), async (limit) => {
        const pages: string[] = [];
        for (let page = 1; page <= Math.ceil(things.length / limit) + 1; page++) {
          const { items, total } = await readPage(page, limit);
          expect(total).toBe(things.length);
          pages.push(...items.map(nameOf));
        }
        expect(pages).toEqual(whole);
      }),
      { numRuns: 9 },
    );
    expect(await readPage(2_147_483_647, 250)).toEqual({ items: [], total: things.length });
  });

  it('takes as many statements for a long page as for a short one', async () => {
    const addAll = async (): Promise<void> => {
      for (const add of [addMedia, addPost, addComment, addUser]) await report(await add());
    };
    await addAll();
    const few = await countStatements(() => readPage());
    for (let round = 0; round < 5; round++) await addAll();
    expect((await readPage()).total).toBe(24);
    expect(await countStatements(() => readPage())).toBe(few);
    expect(few).toBeGreaterThan(0);
    expect(few).toBeLessThan(10);
  });
});
