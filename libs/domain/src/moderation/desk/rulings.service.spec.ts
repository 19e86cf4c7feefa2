import { randomSlug } from '../../slugs/slug';
import { randomBytes } from 'node:crypto';
import type { EventEnvelope, ModerationStatus } from '@vitrine/contracts';
import { TransactionRunner } from '@vitrine/database';
import { type DomainContext, eventually, startDomain } from '@vitrine/testing';
import type { DataSource } from 'typeorm';
import { DomainError, ForbiddenError, InvalidFieldsError, NotFoundError } from '../../errors/domain-error';
import { MediaService } from '../../media/media.service';
import { PostEditingService } from '../../posts/post-editing.service';
import { PostMediaService } from '../../posts/post-media.service';
import { ReportsService } from '../../reports/reports.service';
import { BannedHashesService } from '../banned-hashes.service';
import { DecisionLog } from '../decision-log.service';
import type { Evidence } from '../moderation.rules';
import type { DecisionView } from '../moderation-decision.repository';
import { ModerationService } from '../moderation.service';
import type { ModeratorRuling } from '../moderator-ruling';
import { ModerationDeskModule } from './moderation-desk.module';
import type { QueueEntry } from './queue.repository';
import { QueueService } from './queue.service';
import { RulingsService } from './rulings.service';

const UNSURE: Evidence = {
  ban: null,
  pictures: [{ drawing: 0, hentai: 0, neutral: 0.5, porn: 0.5, sexy: 0 }],
};
const SAFE: Evidence = {
  ban: null,
  pictures: [{ drawing: 0, hentai: 0, neutral: 1, porn: 0, sexy: 0 }],
};

/** All but `pending`, which takes rulings back. */
const OUTRANKING = ['approved', 'nsfw', 'rejected'] as const;

/** Least first. */
const SEVERITY: readonly ModerationStatus[] = ['approved', 'nsfw', 'rejected'];

describe('RulingsService', () => {
  let domain: DomainContext;
  let dataSource: DataSource;
  let rulings: RulingsService;
  let owner: number;
  let moderator: { userId: number; username: string; role: 'moderator' };

  beforeAll(async () => {
    domain = await startDomain([ModerationDeskModule]);
    dataSource = domain.dataSource;
    rulings = domain.get(RulingsService);
    owner = await insert(`insert into users (username) values ('owner')`, []);
    const userId = await insert(`insert into users (username, role) values ('mia', 'moderator')`, []);
    moderator = { userId, username: 'mia', role: 'moderator' };
  });
  afterAll(() => domain.stop());

  interface Item {
    readonly id: number;
    readonly slug: string;
  }

  const insert = async (sql: string, values: readonly unknown[]): Promise<number> => {
    const [row]: { id: number }[] = await dataSource.query(`${sql} returning id`, [...values]);
    return row?.id ?? 0;
  };

  async function addMedia(status: ModerationStatus = 'approved', sha256 = randomBytes(32)): Promise<Item> {
    const slug = randomSlug();
    const id = await insert(
      `insert into media (slug, user_id, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256,
                          processed, moderation_status, decided_at)
       values ($1, $2, 'image', 'jpeg', 'image/jpeg', 'jpg', 10, 10, 100, $3, $3, true, $4,
               case when $4 <> 'pending' then now() end)`,
      [slug, owner, sha256, status],
    );
    return { id, slug };
  }

  async function addPost(media: readonly Item[], columns = { owner_nsfw: false }): Promise<Item> {
    const slug = randomSlug();
    const id = await insert('insert into posts (slug, user_id, owner_nsfw) values ($1, $2, $3)', [
      slug,
      owner,
      columns.owner_nsfw,
    ]);
    for (const [position, { id: mediaId }] of media.entries()) {
      await dataSource.query('insert into post_media (post_id, media_id, position) values ($1, $2, $3)', [
        id,
        mediaId,
        position,
      ]);
    }
    await derive(id);
    return { id, slug };
  }

  const derive = (postId: number): Promise<unknown> =>
    domain.get(TransactionRunner).run((tx) => domain.get(PostMediaService).derive(tx, postId));
  const ruling = (
    status: ModeratorRuling['status'],
    ban = false,
    by: ModeratorRuling['moderator'] = moderator,
  ): ModeratorRuling => ({ status, note: `as ${status}`, ban, moderator: by });
  const statusOf = async (table: 'media' | 'posts', { id }: Item): Promise<ModerationStatus | undefined> => {
    const [row]: { status: ModerationStatus }[] = await dataSource.query(
      `select moderation_status as status from ${table} where id = $1`,
      [id],
    );
    return row?.status;
  };
  const listingOf = async (table: 'media' | 'posts', { id }: Item): Promise<string | undefined> => {
    const [row]: { listing: string }[] = await dataSource.query(
      `select listing from ${table} where id = $1`,
      [id],
    );
    return row?.listing;
  };
  /** Oldest first. */
  const decisionsOn = async (subject: 'media' | 'post', { slug }: Item): Promise<DecisionView[]> =>
    [...(await domain.get(DecisionLog).findPage({ subject, slug }, 1, 250)).items].reverse();
  const eventsOn = async ({ slug }: Item): Promise<{ type: string; data: unknown }[]> => {
    const rows: { envelope: EventEnvelope }[] = await dataSource.query(
      `select envelope from outbox where envelope->'data'->>'slug' = $1 order by id`,
      [slug],
    );
    return rows.map(({ envelope: { type, data } }) => ({ type, data }));
  };
  const openReports = async (type: string, { id }: Item): Promise<number> => {
    const rows: unknown[] = await dataSource.query(
      'select 1 from reports where type = $1 and target_id = $2 and closed_at is null',
      [type, id],
    );
    return rows.length;
  };
  const report = async (type: 'media' | 'post', { slug }: Item, userId = owner): Promise<void> => {
    const complaint = { type, target: slug, reason: 'spam', details: null } as const;
    await domain.get(ReportsService).report(complaint, { userId, role: 'user' });
  };
  const addPerson = (): Promise<number> =>
    insert('insert into users (username) values ($1)', [`user_${randomBytes(5).toString('hex')}`]);
  const addModerator = async (): Promise<ModeratorRuling['moderator']> => {
    const username = `mod_${randomBytes(5).toString('hex')}`;
    const userId = await insert(`insert into users (username, role) values ($1, 'moderator')`, [username]);
    return { userId, username, role: 'moderator' };
  };
  const queueEntryOf = async (type: string, { id }: Item): Promise<QueueEntry | undefined> => {
    const { items } = await domain.get(QueueService).findPage(1, 250, moderator);
    return items.map(({ entry }) => entry).find((entry) => entry.type === type && entry.id === id);
  };

  /** Each decision begins where the one before ended, and the last one is what holds. */
  const expectUnbroken = async (subject: 'media' | 'post', item: Item): Promise<void> => {
    const decisions = await decisionsOn(subject, item);
    decisions.slice(1).forEach(({ from }, index) => expect(from).toBe(decisions[index]?.to));
    expect(await statusOf(subject === 'media' ? 'media' : 'posts', item)).toBe(decisions.at(-1)?.to);
  };

  describe('on a media', () => {
    it('outrank what was decided before, close its reports and take it off feeds and back', async () => {
      const media = await addMedia();
      const post = await addPost([media]);
      await report('media', media);
      await rulings.ruleOnMedia(media.slug, ruling('rejected'));
      expect(await openReports('media', media)).toBe(0);
      expect(await statusOf('posts', post)).toBe('rejected');
      expect([await listingOf('media', media), await listingOf('posts', post)]).toEqual([
        'unlisted',
        'unlisted',
      ]);
      await rulings.ruleOnMedia(media.slug, ruling('approved'));
      expect(await statusOf('posts', post)).toBe('approved');
      expect([await listingOf('media', media), await listingOf('posts', post)]).toEqual(['safe', 'safe']);
      expect(await decisionsOn('media', media)).toMatchObject([
        { from: 'approved', to: 'rejected', reason: 'moderator', note: 'as rejected', username: 'mia' },
        { from: 'rejected', to: 'approved', reason: 'moderator', note: 'as approved', username: 'mia' },
      ]);
      expect((await eventsOn(media)).map(({ type }) => type)).toEqual(['media.moderated', 'media.moderated']);
    });

    it('leave one that could not be processed rejected', async () => {
      const media = await addMedia('rejected');
      await dataSource.query(
        `update media set processed = false, processing_error = 'Unreadable.' where id = $1`,
        [media.id],
      );
      for (const status of ['approved', 'nsfw', 'pending'] as const) {
        await expect(rulings.ruleOnMedia(media.slug, ruling(status))).rejects.toEqual(
          new InvalidFieldsError({ status: ['The selected status is invalid.'] }),
        );
      }
      await rulings.ruleOnMedia(media.slug, ruling('rejected', true));
      expect(await decisionsOn('media', media)).toMatchObject([{ from: 'rejected', to: 'rejected' }]);
    });

    it('know no other', async () => {
      for (const slug of ['nothere', '17', '', 'a\0b', 'x'.repeat(5000)]) {
        await expect(rulings.ruleOnMedia(slug, ruling('nsfw'))).rejects.toThrow(NotFoundError);
      }
    });

    it('end in one status, with an unbroken log, whoever decides at once', async () => {
      for (let round = 0; round < 10; round++) {
        const media = await addMedia('pending');
        await Promise.all([
          domain.get(ModerationService).decideAutomatically(media.id, SAFE),
          rulings.ruleOnMedia(media.slug, ruling('rejected')),
          rulings.ruleOnMedia(media.slug, ruling('nsfw')),
          domain.get(ModerationService).decideAutomatically(media.id, SAFE),
        ]);
        await expectUnbroken('media', media);
        const decisions = await decisionsOn('media', media);
        expect(decisions.filter(({ decidedBy }) => decidedBy === 'moderator')).toHaveLength(2);
        expect(decisions.at(-1)?.decidedBy).toBe('moderator');
      }
    });
  });

  describe('on a post', () => {
    it.each(OUTRANKING)('%s outranks its media and what the owner has said', async (status) => {
      for (const mediaStatus of ['approved', 'nsfw'] as const) {
        const media = await addMedia(mediaStatus);
        const post = await addPost([media], { owner_nsfw: true });
        await report('post', post);
        expect(await rulings.ruleOnPost(post.slug, ruling(status))).toMatchObject({
          post: { id: post.id, moderationStatus: status },
        });
        expect(await statusOf('posts', post)).toBe(status);
        expect(await statusOf('media', media)).toBe(mediaStatus);
        expect(await openReports('post', post)).toBe(0);
        expect(await decisionsOn('post', post)).toMatchObject([
          { from: 'nsfw', to: status, reason: 'moderator', note: `as ${status}`, username: 'mia' },
        ]);
      }
    });

    it('tell the bus of a change, and of nothing else', async () => {
      const post = await addPost([await addMedia()]);
      await rulings.ruleOnPost(String(post.id), ruling('rejected'));
      await rulings.ruleOnPost(post.slug, ruling('rejected'));
      expect(await eventsOn(post)).toEqual([
        {
          type: 'post.updated',
          data: {
            post_id: post.id,
            slug: post.slug,
            changed: ['moderation_status'],
            visibility: 'public',
            moderation_status: 'rejected',
          },
        },
      ]);
      expect(await decisionsOn('post', post)).toHaveLength(2);
    });

    it('hold whatever becomes of its media', async () => {
      const media = await addMedia('pending');
      const post = await addPost([media]);
      await rulings.ruleOnPost(post.slug, ruling('rejected'));
      await domain.get(ModerationService).decideAutomatically(media.id, SAFE);
      expect(await statusOf('posts', post)).toBe('rejected');
      expect(await listingOf('posts', post)).toBe('unlisted');
      await rulings.ruleOnPost(post.slug, ruling('approved'));
      expect([await statusOf('posts', post), await listingOf('posts', post)]).toEqual(['approved', 'safe']);
    });

    it('with a ban reject all its media, each with a decision, and ban their files; it is undone one by one', async () => {
      const [hash, other] = [randomBytes(32), randomBytes(32)];
      const media = [await addMedia('approved', hash), await addMedia('rejected', other)] as const;
      const elsewhere = await addPost([media[0]]);
      const post = await addPost(media);
      await report('media', media[0]);
      await rulings.ruleOnPost(post.slug, ruling('rejected', true));
      for (const sha256 of [hash, other]) {
        expect(await domain.get(BannedHashesService).isBannedSha256(sha256.toString('hex'))).toBe(true);
      }
      expect(await Promise.all(media.map((one) => statusOf('media', one)))).toEqual(['rejected', 'rejected']);
      expect(await decisionsOn('media', media[0])).toMatchObject([{ from: 'approved', to: 'rejected' }]);
      expect(await decisionsOn('media', media[1])).toMatchObject([{ from: 'rejected', to: 'rejected' }]);
      expect(await decisionsOn('post', post)).toMatchObject([{ from: 'approved', to: 'rejected' }]);
      expect(await statusOf('posts', elsewhere)).toBe('rejected');
      expect(await openReports('media', media[0])).toBe(0);
      await rulings.ruleOnMedia(media[0].slug, ruling('approved'));
      expect(await statusOf('posts', elsewhere)).toBe('approved');
      expect(await statusOf('posts', post)).toBe('rejected');
    });

    it('take no ban but with a rejection', async () => {
      const [media, post] = [await addMedia(), await addPost([])];
      const refusal = new InvalidFieldsError({
        ban: ['The ban field must be false unless status is rejected.'],
      });
      for (const status of ['approved', 'nsfw', 'pending'] as const) {
        await expect(rulings.ruleOnMedia(media.slug, ruling(status, true))).rejects.toEqual(refusal);
        await expect(rulings.ruleOnPost(post.slug, ruling(status, true))).rejects.toEqual(refusal);
      }
      expect(await decisionsOn('media', media)).toEqual([]);
    });

    it('know no other', async () => {
      for (const reference of ['nothere', '999999999', '0', '', 'a\0b', '9'.repeat(40)]) {
        await expect(rulings.ruleOnPost(reference, ruling('nsfw'))).rejects.toThrow(NotFoundError);
        await expect(rulings.ruleOnPost(reference, ruling('rejected', true))).rejects.toThrow(NotFoundError);
      }
    });

    it('end in one status with an unbroken log, whatever is ruled at once on posts that share media', async () => {
      for (let round = 0; round < 6; round++) {
        const media = await Promise.all([addMedia(), addMedia(), addMedia()]);
        const posts = [await addPost(media), await addPost([...media].reverse())] as const;
        await Promise.all([
          rulings.ruleOnPost(posts[0].slug, ruling('rejected', true)),
          rulings.ruleOnPost(posts[1].slug, ruling('rejected', true)),
          rulings.ruleOnPost(posts[0].slug, ruling('nsfw')),
          rulings.ruleOnMedia(media[1].slug, ruling('approved')),
          rulings.ruleOnMedia(media[2].slug, ruling('rejected', true)),
        ]);
        for (const one of media) await expectUnbroken('media', one);
        for (const post of posts) {
          expect((await decisionsOn('post', post)).at(-1)?.to).toBe(await statusOf('posts', post));
        }
      }
    });

    it('end in one status with an unbroken log while the owner speaks too, who raises and never lowers', async () => {
      const own = { userId: owner, username: 'owner', role: 'user' } as const;
      for (let round = 0; round < 10; round++) {
        const post = await addPost([await addMedia()]);
        const mark = (isNsfw: boolean): Promise<unknown> =>
          domain.get(PostEditingService).update(post.slug, own, { isNsfw });
        const outcomes = await Promise.allSettled([
          mark(true),
          rulings.ruleOnPost(post.slug, ruling('approved')),
          mark(false),
          rulings.ruleOnPost(post.slug, ruling(round % 2 ? 'rejected' : 'nsfw')),
          mark(true),
        ]);
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(ForbiddenError);
        }
        await expectUnbroken('post', post);
        const decisions = await decisionsOn('post', post);
        const ruled = decisions.filter(({ decidedBy }) => decidedBy === 'moderator');
        expect(ruled).toHaveLength(2);
        expect(SEVERITY.indexOf(decisions.at(-1)?.to ?? 'pending')).toBeGreaterThanOrEqual(
          SEVERITY.indexOf(ruled.at(-1)?.to ?? 'pending'),
        );
      }
    });

    it('with a ban take in the media that is added while they wait for the post', async () => {
      const [kept, added] = [await addMedia(), await addMedia()];
      const post = await addPost([kept]);
      const ruled = await domain.get(TransactionRunner).run(async (tx) => {
        await domain.get(PostMediaService).attach(tx, post.slug, added.id, owner);
        const waiting = rulings.ruleOnPost(post.slug, ruling('rejected', true));
        await eventually(async () => {
          const waiters: unknown[] = await dataSource.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          expect(waiters).toHaveLength(1);
        });
        return { waiting };
      });
      await ruled.waiting;
      expect(await statusOf('media', added)).toBe('rejected');
      await expectUnbroken('media', kept);
      expect(await decisionsOn('media', kept)).toHaveLength(1);
      expect(await decisionsOn('post', post)).toHaveLength(1);
    });

    it('with a ban bear the deletion of media and post', async () => {
      for (let round = 0; round < 10; round++) {
        const [kept, doomed] = [await addMedia(), await addMedia()];
        const post = await addPost([kept, doomed]);
        const [outcome] = await Promise.allSettled([
          rulings.ruleOnPost(post.slug, ruling('rejected', true)),
          dataSource.query('delete from media where id = $1', [doomed.id]),
          ...(round % 2 ? [dataSource.query('delete from posts where id = $1', [post.id])] : []),
        ]);
        if (outcome?.status === 'rejected') expect(outcome.reason).toBeInstanceOf(NotFoundError);
        else expect(await statusOf('media', kept)).toBe('rejected');
      }
    });
  });

  describe('of pending', () => {
    it.each(['media', 'post'] as const)('open the reports again that one closed on a %s', async (type) => {
      const media = await addMedia();
      const item = type === 'media' ? media : await addPost([media]);
      const rule = (given: ModeratorRuling): Promise<unknown> =>
        type === 'media' ? rulings.ruleOnMedia(item.slug, given) : rulings.ruleOnPost(item.slug, given);
      const other = await addModerator();
      const closedBefore = await addPerson();
      await report(type, item, closedBefore);
      await domain.get(ReportsService).dismiss(type, item.slug, moderator);
      await report(type, item);
      await rule(ruling('nsfw'));
      const [late, open] = [await addPerson(), await addPerson()];
      await report(type, item, late);
      await rule(ruling('approved', false, other));
      await report(type, item, open);

      await rule(ruling('pending'));

      const rows: unknown[] = await dataSource.query(
        `select reporter_id, closed_by, closed_at is null as open from reports
         where type = $1 and target_id = $2 order by id`,
        [type, item.id],
      );
      expect(rows).toEqual([
        { reporter_id: closedBefore, closed_by: moderator.userId, open: false },
        { reporter_id: owner, closed_by: null, open: true },
        { reporter_id: late, closed_by: other.userId, open: false },
        { reporter_id: open, closed_by: null, open: true },
      ]);
      expect(await queueEntryOf(type, item)).toMatchObject({ reports: 2 });
      await rule(ruling('pending'));
      expect(await openReports(type, item)).toBe(2);
      await rule(ruling('approved'));
      expect(await openReports(type, item)).toBe(0);
    });

    it('open nothing again that an earlier ruling closed, or that is of something else', async () => {
      const [media, beside] = [await addMedia(), await addMedia()];
      const post = await addPost([media]);
      for (const one of [media, beside]) await report('media', one);
      await report('post', post);
      await rulings.ruleOnMedia(beside.slug, ruling('nsfw'));
      await rulings.ruleOnPost(post.slug, ruling('rejected', true));
      await rulings.ruleOnMedia(media.slug, ruling('nsfw'));
      await rulings.ruleOnMedia(media.slug, ruling('pending'));
      expect(await openReports('media', media)).toBe(0);
      await rulings.ruleOnPost(post.slug, ruling('pending'));
      expect(await openReports('post', post)).toBe(1);
      expect([await openReports('media', media), await openReports('media', beside)]).toEqual([0, 0]);
    });

    it('put a media back as automation left it: status, queue, place, listings, log and event', async () => {
      const media = await addMedia('pending');
      await dataSource.query('update media set decided_at = null where id = $1', [media.id]);
      const post = await addPost([media]);
      await domain.get(ModerationService).decideAutomatically(media.id, UNSURE);
      const waiting = await queueEntryOf('media', media);
      expect(waiting).toMatchObject({ reasons: ['classifier_unsure'], scores: { unsafe: 0.5 } });

      for (const status of OUTRANKING) {
        await rulings.ruleOnMedia(media.slug, ruling(status));
        expect(await queueEntryOf('media', media)).toBeUndefined();
        const { media: ruled, bannedHashes } = await rulings.ruleOnMedia(media.slug, ruling('pending'));
        expect([ruled.moderationStatus, bannedHashes]).toEqual(['pending', []]);
        expect(await queueEntryOf('media', media)).toEqual(waiting);
        expect([await statusOf('media', media), await statusOf('posts', post)]).toEqual([
          'pending',
          'pending',
        ]);
        expect([await listingOf('media', media), await listingOf('posts', post)]).toEqual([
          'unlisted',
          'unlisted',
        ]);
      }

      await expectUnbroken('media', media);
      expect((await decisionsOn('media', media)).at(-1)).toMatchObject({
        from: 'rejected',
        to: 'pending',
        reason: 'moderator',
        note: 'as pending',
        username: 'mia',
        scores: null,
      });
      expect((await eventsOn(media)).at(-1)).toMatchObject({
        type: 'media.moderated',
        data: { media_id: media.id, from: 'rejected', to: 'pending', reason: 'moderator', decided_by: 'mia' },
      });
    });

    it('make a media wait from now on where automation was sure, or had not looked', async () => {
      const [sure, unseen] = [await addMedia('pending'), await addMedia('pending')];
      await dataSource.query('update media set decided_at = null where id = $1', [sure.id]);
      await domain.get(ModerationService).decideAutomatically(sure.id, SAFE);
      const longest = await addMedia('pending');
      await rulings.ruleOnMedia(longest.slug, ruling('pending'));
      for (const media of [sure, unseen]) await rulings.ruleOnMedia(media.slug, ruling('pending'));
      const [first, second, third] = [
        await queueEntryOf('media', longest),
        await queueEntryOf('media', sure),
        await queueEntryOf('media', unseen),
      ];
      expect(second).toMatchObject({ reasons: ['classifier_safe'], scores: { unsafe: 0 } });
      expect(third).toMatchObject({ reasons: ['moderator'], scores: null });
      expect(second?.waitingSince.getTime()).toBeGreaterThanOrEqual(
        first?.waitingSince.getTime() ?? Infinity,
      );
      // One that waits keeps its place, and automation its peace.
      await rulings.ruleOnMedia(sure.slug, ruling('pending'));
      expect(await queueEntryOf('media', sure)).toEqual(second);
      expect(await domain.get(ModerationService).decideAutomatically(unseen.id, SAFE)).toBeNull();
      expect(await statusOf('media', unseen)).toBe('pending');
    });

    it('leave bans, which are lifted by themselves', async () => {
      const hash = randomBytes(32);
      const media = await addMedia('approved', hash);
      await rulings.ruleOnMedia(media.slug, ruling('rejected', true));
      await rulings.ruleOnMedia(media.slug, ruling('pending'));
      expect(await domain.get(BannedHashesService).isBannedSha256(hash.toString('hex'))).toBe(true);
      expect(await statusOf('media', media)).toBe('pending');
    });

    it.each(OUTRANKING)(
      'forget a ruling of %s on a post, and bring the owner’s word back',
      async (status) => {
        for (const mediaStatus of ['approved', 'nsfw', 'pending', 'rejected'] as const) {
          for (const ownerNsfw of [false, true]) {
            const post = await addPost([await addMedia(mediaStatus)], { owner_nsfw: ownerNsfw });
            const [before, listed] = [await statusOf('posts', post), await listingOf('posts', post)];
            await rulings.ruleOnPost(post.slug, ruling('nsfw'));
            await rulings.ruleOnPost(post.slug, ruling(status));
            await rulings.ruleOnPost(String(post.id), ruling('pending'));
            expect([await statusOf('posts', post), await listingOf('posts', post)]).toEqual([before, listed]);
            await expectUnbroken('post', post);
            expect((await decisionsOn('post', post)).at(-1)).toMatchObject({
              from: status,
              to: before,
              reason: 'moderator',
              note: 'as pending',
              username: 'mia',
            });
          }
        }
      },
    );

    it('bring back of the owner’s word what was said last', async () => {
      const own = { userId: owner, username: 'owner', role: 'user' } as const;
      const mark = (post: Item, isNsfw: boolean): Promise<unknown> =>
        domain.get(PostEditingService).update(post.slug, own, { isNsfw });
      const [raised, lowered] = [
        await addPost([await addMedia()]),
        await addPost([await addMedia()], { owner_nsfw: true }),
      ];
      for (const post of [raised, lowered]) await rulings.ruleOnPost(post.slug, ruling('approved'));
      await mark(raised, true);
      await mark(lowered, false);
      for (const post of [raised, lowered]) await rulings.ruleOnPost(post.slug, ruling('pending'));
      expect([await statusOf('posts', raised), await statusOf('posts', lowered)]).toEqual([
        'nsfw',
        'approved',
      ]);
      await rulings.ruleOnPost(raised.slug, ruling('rejected'));
      await expect(mark(raised, false)).rejects.toThrow(ForbiddenError);
      await rulings.ruleOnPost(raised.slug, ruling('pending'));
      await mark(raised, false);
      expect([await statusOf('posts', raised), await listingOf('posts', raised)]).toEqual([
        'approved',
        'safe',
      ]);
    });

    it('end with all of it or nothing, whoever rules, reports, dismisses and edits at once', async () => {
      const own = { userId: owner, username: 'owner', role: 'user' } as const;
      const other = await addModerator();
      for (let round = 0; round < 8; round++) {
        const media = [await addMedia('pending'), await addMedia()] as const;
        const post = await addPost(media);
        const [early, late] = [await addPerson(), await addPerson()];
        await report('media', media[0], early);
        await report('post', post, early);
        await rulings.ruleOnMedia(media[0].slug, ruling('nsfw'));
        await rulings.ruleOnPost(post.slug, ruling('approved'));
        const outcomes = await Promise.allSettled([
          rulings.ruleOnPost(post.slug, ruling('rejected', true, other)),
          rulings.ruleOnMedia(media[0].slug, ruling('pending')),
          rulings.ruleOnPost(post.slug, ruling('pending')),
          report('media', media[0], late),
          domain.get(ReportsService).dismiss('media', media[0].slug, other),
          domain.get(PostEditingService).update(post.slug, own, { isNsfw: true }),
          rulings.ruleOnMedia(media[0].slug, ruling('pending', false, other)),
          domain.get(ModerationService).decideAutomatically(media[0].id, SAFE),
        ]);
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(DomainError);
        }
        const decisions = await decisionsOn('media', media[0]);
        await expectUnbroken('media', media[0]);
        expect(decisions.every(({ decidedBy }) => decidedBy === 'moderator')).toBe(true);
        const rows: unknown[] = await dataSource.query('select 1 from moderation_queue where media_id = $1', [
          media[0].id,
        ]);
        expect(rows).toHaveLength(decisions.at(-1)?.to === 'pending' ? 1 : 0);
        for (const [table, item] of [
          ['posts', post],
          ['media', media[0]],
          ['media', media[1]],
        ] as const) {
          const held = [await statusOf(table, item), await listingOf(table, item)];
          await derive(post.id);
          await domain.get(TransactionRunner).run((tx) =>
            domain.get(MediaService).deriveListings(
              tx,
              media.map(({ id }) => id),
            ),
          );
          expect([await statusOf(table, item), await listingOf(table, item)]).toEqual(held);
        }
        const halfClosed: unknown[] = await dataSource.query(
          'select 1 from reports where (closed_at is null) <> (closed_by is null)',
        );
        expect(halfClosed).toEqual([]);
      }
    });

    it('know no other', async () => {
      for (const reference of ['nothere', '999999999', '', 'a\0b']) {
        await expect(rulings.ruleOnMedia(reference, ruling('pending'))).rejects.toThrow(NotFoundError);
        await expect(rulings.ruleOnPost(reference, ruling('pending'))).rejects.toThrow(NotFoundError);
      }
    });
  });
});
