import { randomBytes } from 'node:crypto';
import { Database } from '@vitrine/database';
import { untilBlocked } from '@vitrine/testing';
import { ForbiddenError, InvalidFieldsError, NotFoundError } from '../../base/errors/domain-error';
import { PostEditingService } from '../../posts/posts/post-editing.service';
import { PostMediaService } from '../../posts/rows/post-media.service';
import { BannedHashesService } from '../bans/banned-hashes.service';
import { ModerationService } from './moderation.service';
import { SAFE, STATUS_RULINGS, SEVERITY, useRulings } from '../../../test/rulings-stage';

describe('RulingsService', () => {
  const stage = useRulings();
  const {
    addMedia,
    addPost,
    ruling,
    statusOf,
    listingOf,
    decisionsOn,
    eventsOn,
    openReports,
    report,
    expectUnbroken,
  } = stage;

  describe('on a media item', () => {
    it('overrule earlier decisions, close the reports, and remove from feeds and bring back', async () => {
      const media = await addMedia();
      const post = await addPost([media]);
      await report('media', media);
      await stage.rulings.ruleOnMedia(media.slug, ruling('rejected'));
      expect(await openReports('media', media)).toBe(0);
      expect(await statusOf('posts', post)).toBe('rejected');
      expect([await listingOf('media', media), await listingOf('posts', post)]).toEqual([
        'unlisted',
        'unlisted',
      ]);
      await stage.rulings.ruleOnMedia(media.slug, ruling('approved'));
      expect(await statusOf('posts', post)).toBe('approved');
      expect([await listingOf('media', media), await listingOf('posts', post)]).toEqual(['safe', 'safe']);
      expect(await decisionsOn('media', media)).toMatchObject([
        { from: 'approved', to: 'rejected', reason: 'moderator', note: 'as rejected', username: 'mia' },
        { from: 'rejected', to: 'approved', reason: 'moderator', note: 'as approved', username: 'mia' },
      ]);
      expect((await eventsOn(media)).map(({ type }) => type)).toEqual([
        'media.withdrawn',
        'media.moderated',
        'media.moderated',
      ]);
    });

    it('ban the file and those of its pictures with enough quality', async () => {
      const sha256 = randomBytes(32);
      const media = await addMedia('approved', sha256);
      const [clear, vague] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
      const hashes = [
        { pdq: clear, quality: 90, at: 0 },
        { pdq: vague, quality: 20, at: 1 },
      ];
      const update = 'update media set hashes = $2 where id = $1';
      await stage.dataSource.query(update, [media.id, JSON.stringify(hashes)]);
      const { bannedHashes } = await stage.rulings.ruleOnMedia(media.slug, ruling('rejected', true));
      expect(bannedHashes.map(({ hash }) => hash.toString('hex'))).toEqual([sha256.toString('hex'), clear]);
    });

    it('can only reject a media item that could not be processed', async () => {
      const media = await addMedia('rejected');
      await stage.dataSource.query(
        `update media set processed = false, processing_error = 'Unreadable.' where id = $1`,
        [media.id],
      );
      for (const status of ['approved', 'nsfw', 'pending'] as const) {
        await expect(stage.rulings.ruleOnMedia(media.slug, ruling(status))).rejects.toEqual(
          new InvalidFieldsError({ status: ['The selected status is invalid.'] }),
        );
      }
      await stage.rulings.ruleOnMedia(media.slug, ruling('rejected', true));
      expect(await decisionsOn('media', media)).toMatchObject([{ from: 'rejected', to: 'rejected' }]);
    });

    it('know no other', async () => {
      for (const slug of ['nothere', '17', '', 'a\0b', 'x'.repeat(5000)]) {
        await expect(stage.rulings.ruleOnMedia(slug, ruling('nsfw'))).rejects.toThrow(NotFoundError);
      }
    });

    it('give one status and a consistent log under simultaneous decisions', async () => {
      for (let round = 0; round < 10; round++) {
        const media = await addMedia('pending');
        await Promise.all([
          stage.domain.get(ModerationService).decideAutomatically(media.id, SAFE),
          stage.rulings.ruleOnMedia(media.slug, ruling('rejected')),
          stage.rulings.ruleOnMedia(media.slug, ruling('nsfw')),
          stage.domain.get(ModerationService).decideAutomatically(media.id, SAFE),
        ]);
        await expectUnbroken('media', media);
        const decisions = await decisionsOn('media', media);
        expect(decisions.filter(({ decidedBy }) => decidedBy === 'moderator')).toHaveLength(2);
        expect(decisions.at(-1)?.decidedBy).toBe('moderator');
      }
    });
  });

  describe('on a post', () => {
    it.each(STATUS_RULINGS)('%s outranks the media and the is_nsfw of the owner', async (status) => {
      for (const mediaStatus of ['approved', 'nsfw'] as const) {
        const media = await addMedia(mediaStatus);
        const post = await addPost([media], { owner_nsfw: true });
        await report('post', post);
        expect(await stage.rulings.ruleOnPost(post.slug, ruling(status))).toMatchObject({
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

    it('publish changes of the status only', async () => {
      const post = await addPost([await addMedia()]);
      await stage.rulings.ruleOnPost(String(post.id), ruling('rejected'));
      await stage.rulings.ruleOnPost(post.slug, ruling('rejected'));
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

    it('stay in force when the media change', async () => {
      const media = await addMedia('pending');
      const post = await addPost([media]);
      await stage.rulings.ruleOnPost(post.slug, ruling('rejected'));
      await stage.domain.get(ModerationService).decideAutomatically(media.id, SAFE);
      expect(await statusOf('posts', post)).toBe('rejected');
      expect(await listingOf('posts', post)).toBe('unlisted');
      await stage.rulings.ruleOnPost(post.slug, ruling('approved'));
      expect([await statusOf('posts', post), await listingOf('posts', post)]).toEqual(['approved', 'safe']);
    });

    it('with a ban reject all media, each with a decision, and ban their files; each can be revoked', async () => {
      const [hash, other] = [randomBytes(32), randomBytes(32)];
      const media = [await addMedia('approved', hash), await addMedia('rejected', other)] as const;
      const elsewhere = await addPost([media[0]]);
      const post = await addPost(media);
      await report('media', media[0]);
      await stage.rulings.ruleOnPost(post.slug, ruling('rejected', true));
      for (const sha256 of [hash, other]) {
        expect(await stage.domain.get(BannedHashesService).isBannedSha256(sha256.toString('hex'))).toBe(true);
      }
      expect(await Promise.all(media.map((one) => statusOf('media', one)))).toEqual(['rejected', 'rejected']);
      expect(await decisionsOn('media', media[0])).toMatchObject([{ from: 'approved', to: 'rejected' }]);
      expect(await decisionsOn('media', media[1])).toMatchObject([{ from: 'rejected', to: 'rejected' }]);
      expect(await decisionsOn('post', post)).toMatchObject([{ from: 'approved', to: 'rejected' }]);
      expect(await statusOf('posts', elsewhere)).toBe('rejected');
      expect(await openReports('media', media[0])).toBe(0);
      await stage.rulings.ruleOnMedia(media[0].slug, ruling('approved'));
      expect(await statusOf('posts', elsewhere)).toBe('approved');
      expect(await statusOf('posts', post)).toBe('rejected');
    });

    it('accept a ban only with rejected', async () => {
      const [media, post] = [await addMedia(), await addPost([])];
      const refusal = new InvalidFieldsError({
        ban: ['The ban field must be false unless status is rejected.'],
      });
      for (const status of ['approved', 'nsfw', 'pending'] as const) {
        await expect(stage.rulings.ruleOnMedia(media.slug, ruling(status, true))).rejects.toEqual(refusal);
        await expect(stage.rulings.ruleOnPost(post.slug, ruling(status, true))).rejects.toEqual(refusal);
      }
      expect(await decisionsOn('media', media)).toEqual([]);
    });

    it('know no other', async () => {
      for (const reference of ['nothere', '999999999', '0', '', 'a\0b', '9'.repeat(40)]) {
        await expect(stage.rulings.ruleOnPost(reference, ruling('nsfw'))).rejects.toThrow(NotFoundError);
        await expect(stage.rulings.ruleOnPost(reference, ruling('rejected', true))).rejects.toThrow(
          NotFoundError,
        );
      }
    });

    it('give one status and a consistent log under simultaneous rulings on posts that share media', async () => {
      for (let round = 0; round < 6; round++) {
        const media = await Promise.all([addMedia(), addMedia(), addMedia()]);
        const posts = [await addPost(media), await addPost([...media].reverse())] as const;
        await Promise.all([
          stage.rulings.ruleOnPost(posts[0].slug, ruling('rejected', true)),
          stage.rulings.ruleOnPost(posts[1].slug, ruling('rejected', true)),
          stage.rulings.ruleOnPost(posts[0].slug, ruling('nsfw')),
          stage.rulings.ruleOnMedia(media[1].slug, ruling('approved')),
          stage.rulings.ruleOnMedia(media[2].slug, ruling('rejected', true)),
        ]);
        for (const one of media) await expectUnbroken('media', one);
        for (const post of posts) {
          expect((await decisionsOn('post', post)).at(-1)?.to).toBe(await statusOf('posts', post));
        }
      }
    });

    it('give one status and a consistent log while the owner sets is_nsfw, which raises and never lowers', async () => {
      const own = { userId: stage.owner, username: 'owner', role: 'user' } as const;
      for (let round = 0; round < 10; round++) {
        const post = await addPost([await addMedia()]);
        const mark = (isNsfw: boolean): Promise<unknown> =>
          stage.domain.get(PostEditingService).update(post.slug, own, { isNsfw });
        const outcomes = await Promise.allSettled([
          mark(true),
          stage.rulings.ruleOnPost(post.slug, ruling('approved')),
          mark(false),
          stage.rulings.ruleOnPost(post.slug, ruling(round % 2 ? 'rejected' : 'nsfw')),
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

    it('with a ban include media that are added while they wait for the post', async () => {
      const [kept, added] = [await addMedia(), await addMedia()];
      const post = await addPost([kept]);
      const ruled = await stage.domain.get(Database).transaction(async (tx) => {
        await stage.domain.get(PostMediaService).attach(tx, post.slug, [added.id], stage.owner);
        const waiting = stage.rulings.ruleOnPost(post.slug, ruling('rejected', true));
        await untilBlocked(stage.dataSource);
        return { waiting };
      });
      await ruled.waiting;
      expect(await statusOf('media', added)).toBe('rejected');
      await expectUnbroken('media', kept);
      expect(await decisionsOn('media', kept)).toHaveLength(1);
      expect(await decisionsOn('post', post)).toHaveLength(1);
    });

    it('with a ban succeed or throw NotFoundError while media and post are deleted', async () => {
      for (let round = 0; round < 10; round++) {
        const [kept, doomed] = [await addMedia(), await addMedia()];
        const post = await addPost([kept, doomed]);
        const [outcome] = await Promise.allSettled([
          stage.rulings.ruleOnPost(post.slug, ruling('rejected', true)),
          stage.dataSource.query('delete from media where id = $1', [doomed.id]),
          ...(round % 2 ? [stage.dataSource.query('delete from posts where id = $1', [post.id])] : []),
        ]);
        if (outcome?.status === 'rejected') expect(outcome.reason).toBeInstanceOf(NotFoundError);
        else expect(await statusOf('media', kept)).toBe('rejected');
      }
    });
  });
});
