import { randomBytes } from 'node:crypto';
import { Database } from '@vitrine/database';
import { DomainError, ForbiddenError, NotFoundError } from '../../base/errors/domain-error';
import { MediaListings } from '../../media/items/media-listings.service';
import { PostEditingService } from '../../posts/posts/post-editing.service';
import { ReportsService } from '../reports/reports.service';
import { BannedHashesService } from '../bans/banned-hashes.service';
import { ModerationService } from './moderation.service';
import type { ModeratorRuling } from './moderation.rules';
import { type Item, SAFE, STATUS_RULINGS, UNSURE, useRulings } from '../../../test/rulings-stage';

describe('RulingsService', () => {
  const stage = useRulings();
  const {
    addMedia,
    addPost,
    derive,
    ruling,
    statusOf,
    listingOf,
    decisionsOn,
    eventsOn,
    openReports,
    report,
    addPerson,
    addModerator,
    queueEntryOf,
    expectUnbroken,
  } = stage;

  describe('of pending', () => {
    it.each(['media', 'post'] as const)(
      'reopen the reports that the last ruling closed on a %s',
      async (type) => {
        const media = await addMedia();
        const item = type === 'media' ? media : await addPost([media]);
        const rule = (given: ModeratorRuling): Promise<unknown> =>
          type === 'media'
            ? stage.rulings.ruleOnMedia(item.slug, given)
            : stage.rulings.ruleOnPost(item.slug, given);
        const other = await addModerator();
        const closedBefore = await addPerson();
        await report(type, item, closedBefore);
        await stage.domain.get(ReportsService).dismiss(type, item.slug, stage.moderator);
        await report(type, item);
        await rule(ruling('nsfw'));
        const [late, open] = [await addPerson(), await addPerson()];
        await report(type, item, late);
        await rule(ruling('approved', false, other));
        await report(type, item, open);

        await rule(ruling('pending'));

        const rows: unknown[] = await stage.dataSource.query(
          `select reporter_id, closed_by, closed_at is null as open from reports
         where type = $1 and target_id = $2 order by id`,
          [type, item.id],
        );
        expect(rows).toEqual([
          { reporter_id: closedBefore, closed_by: stage.moderator.userId, open: false },
          { reporter_id: stage.owner, closed_by: null, open: true },
          { reporter_id: late, closed_by: other.userId, open: false },
          { reporter_id: open, closed_by: null, open: true },
        ]);
        expect(await queueEntryOf(type, item)).toMatchObject({ reports: 2 });
        await rule(ruling('pending'));
        expect(await openReports(type, item)).toBe(2);
        await rule(ruling('approved'));
        expect(await openReports(type, item)).toBe(0);
      },
    );

    it('do not reopen reports that an earlier ruling closed, or on other items', async () => {
      const [media, beside] = [await addMedia(), await addMedia()];
      const post = await addPost([media]);
      for (const one of [media, beside]) await report('media', one);
      await report('post', post);
      await stage.rulings.ruleOnMedia(beside.slug, ruling('nsfw'));
      await stage.rulings.ruleOnPost(post.slug, ruling('rejected', true));
      await stage.rulings.ruleOnMedia(media.slug, ruling('nsfw'));
      await stage.rulings.ruleOnMedia(media.slug, ruling('pending'));
      expect(await openReports('media', media)).toBe(0);
      await stage.rulings.ruleOnPost(post.slug, ruling('pending'));
      expect(await openReports('post', post)).toBe(1);
      expect([await openReports('media', media), await openReports('media', beside)]).toEqual([0, 0]);
    });

    it('restore a media item as automation left it: status, queue, place, listings, log and event', async () => {
      const media = await addMedia('pending');
      await stage.dataSource.query('update media set decided_at = null where id = $1', [media.id]);
      const post = await addPost([media]);
      await stage.domain.get(ModerationService).decideAutomatically(media.id, UNSURE);
      const waiting = await queueEntryOf('media', media);
      expect(waiting).toMatchObject({ reasons: ['classifier_unsure'], scores: { unsafe: 0.5 } });

      for (const status of STATUS_RULINGS) {
        await stage.rulings.ruleOnMedia(media.slug, ruling(status));
        expect(await queueEntryOf('media', media)).toBeUndefined();
        const { media: ruled, bannedHashes } = await stage.rulings.ruleOnMedia(media.slug, ruling('pending'));
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

    it('start the wait of a media item now if automation was sure or has not decided', async () => {
      const [sure, unseen] = [await addMedia('pending'), await addMedia('pending')];
      await stage.dataSource.query('update media set decided_at = null where id = $1', [sure.id]);
      await stage.domain.get(ModerationService).decideAutomatically(sure.id, SAFE);
      const longest = await addMedia('pending');
      await stage.rulings.ruleOnMedia(longest.slug, ruling('pending'));
      for (const media of [sure, unseen]) await stage.rulings.ruleOnMedia(media.slug, ruling('pending'));
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
      // If it waits already it keeps its place, and automation does not decide again.
      await stage.rulings.ruleOnMedia(sure.slug, ruling('pending'));
      expect(await queueEntryOf('media', sure)).toEqual(second);
      expect(await stage.domain.get(ModerationService).decideAutomatically(unseen.id, SAFE)).toBeNull();
      expect(await statusOf('media', unseen)).toBe('pending');
    });

    it('keep bans, which are removed separately', async () => {
      const hash = randomBytes(32);
      const media = await addMedia('approved', hash);
      await stage.rulings.ruleOnMedia(media.slug, ruling('rejected', true));
      await stage.rulings.ruleOnMedia(media.slug, ruling('pending'));
      expect(await stage.domain.get(BannedHashesService).isBannedSha256(hash.toString('hex'))).toBe(true);
      expect(await statusOf('media', media)).toBe('pending');
    });

    it.each(STATUS_RULINGS)(
      'remove a ruling of %s on a post, and restore the owner’s is_nsfw',
      async (status) => {
        for (const mediaStatus of ['approved', 'nsfw', 'pending', 'rejected'] as const) {
          for (const ownerNsfw of [false, true]) {
            const post = await addPost([await addMedia(mediaStatus)], { owner_nsfw: ownerNsfw });
            const [before, listed] = [await statusOf('posts', post), await listingOf('posts', post)];
            await stage.rulings.ruleOnPost(post.slug, ruling('nsfw'));
            await stage.rulings.ruleOnPost(post.slug, ruling(status));
            await stage.rulings.ruleOnPost(String(post.id), ruling('pending'));
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

    it('restore the last is_nsfw of the owner', async () => {
      const own = { userId: stage.owner, username: 'owner', role: 'user' } as const;
      const mark = (post: Item, isNsfw: boolean): Promise<unknown> =>
        stage.domain.get(PostEditingService).update(post.slug, own, { isNsfw });
      const [raised, lowered] = [
        await addPost([await addMedia()]),
        await addPost([await addMedia()], { owner_nsfw: true }),
      ];
      for (const post of [raised, lowered]) await stage.rulings.ruleOnPost(post.slug, ruling('approved'));
      await mark(raised, true);
      await mark(lowered, false);
      for (const post of [raised, lowered]) await stage.rulings.ruleOnPost(post.slug, ruling('pending'));
      expect([await statusOf('posts', raised), await statusOf('posts', lowered)]).toEqual([
        'nsfw',
        'approved',
      ]);
      await stage.rulings.ruleOnPost(raised.slug, ruling('rejected'));
      await expect(mark(raised, false)).rejects.toThrow(ForbiddenError);
      await stage.rulings.ruleOnPost(raised.slug, ruling('pending'));
      await mark(raised, false);
      expect([await statusOf('posts', raised), await listingOf('posts', raised)]).toEqual([
        'approved',
        'safe',
      ]);
    });

    it('take effect as a whole under simultaneous rulings, reports, dismissals and edits', async () => {
      const own = { userId: stage.owner, username: 'owner', role: 'user' } as const;
      const other = await addModerator();
      for (let round = 0; round < 8; round++) {
        const media = [await addMedia('pending'), await addMedia()] as const;
        const post = await addPost(media);
        const [early, late] = [await addPerson(), await addPerson()];
        await report('media', media[0], early);
        await report('post', post, early);
        await stage.rulings.ruleOnMedia(media[0].slug, ruling('nsfw'));
        await stage.rulings.ruleOnPost(post.slug, ruling('approved'));
        const outcomes = await Promise.allSettled([
          stage.rulings.ruleOnPost(post.slug, ruling('rejected', true, other)),
          stage.rulings.ruleOnMedia(media[0].slug, ruling('pending')),
          stage.rulings.ruleOnPost(post.slug, ruling('pending')),
          report('media', media[0], late),
          stage.domain.get(ReportsService).dismiss('media', media[0].slug, other),
          stage.domain.get(PostEditingService).update(post.slug, own, { isNsfw: true }),
          stage.rulings.ruleOnMedia(media[0].slug, ruling('pending', false, other)),
          stage.domain.get(ModerationService).decideAutomatically(media[0].id, SAFE),
        ]);
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(DomainError);
        }
        const decisions = await decisionsOn('media', media[0]);
        await expectUnbroken('media', media[0]);
        expect(decisions.every(({ decidedBy }) => decidedBy === 'moderator')).toBe(true);
        const rows: unknown[] = await stage.dataSource.query(
          'select 1 from moderation_queue where media_id = $1',
          [media[0].id],
        );
        expect(rows).toHaveLength(decisions.at(-1)?.to === 'pending' ? 1 : 0);
        for (const [table, item] of [
          ['posts', post],
          ['media', media[0]],
          ['media', media[1]],
        ] as const) {
          const held = [await statusOf(table, item), await listingOf(table, item)];
          await derive(post.id);
          await stage.domain.get(Database).transaction((tx) =>
            stage.domain.get(MediaListings).deriveListings(
              tx,
              media.map(({ id }) => id),
            ),
          );
          expect([await statusOf(table, item), await listingOf(table, item)]).toEqual(held);
        }
        const halfClosed: unknown[] = await stage.dataSource.query(
          'select 1 from reports where (closed_at is null) <> (closed_by is null)',
        );
        expect(halfClosed).toEqual([]);
      }
    });

    it('throw NotFoundError for unknown items', async () => {
      for (const reference of ['nothere', '999999999', '', 'a\0b']) {
        await expect(stage.rulings.ruleOnMedia(reference, ruling('pending'))).rejects.toThrow(NotFoundError);
        await expect(stage.rulings.ruleOnPost(reference, ruling('pending'))).rejects.toThrow(NotFoundError);
      }
    });
  });
});
