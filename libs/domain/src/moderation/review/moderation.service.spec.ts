import { ForbiddenError, NotFoundError } from '../../base/errors/domain-error';
import type { Recorded } from '../../media/rows/media-row.types';
import { MediaEditing } from '../../media/items/media-editing.service';
import type { Evidence } from './moderation.rules';
import { scoresOf, SAFE, UNSURE, UNSAFE, BANNED, useModeration } from '../../../test/moderation-stage';

describe('ModerationService', () => {
  const stage = useModeration();
  const {
    rule,
    addMedia,
    addPost,
    read,
    statusOf,
    decisionsOn,
    isQueued,
    postStatus,
    eventsOn,
    addModerator,
  } = stage;

  describe('decideAutomatically', () => {
    it.each([
      [SAFE, 'nsfw', 'owner'],
      [UNSAFE, 'nsfw', 'classifier_unsafe'],
      [UNSURE, 'pending', 'classifier_unsure'],
      [BANNED, 'rejected', 'banned_hash'],
    ] as const)('does not approve what its owner marked as adult content', async (given, status, reason) => {
      const { id } = await addMedia();
      await stage.dataSource.query('update media set owner_nsfw = true where id = $1', [id]);
      await stage.moderation.decideAutomatically(id, given);
      expect(await read(id)).toMatchObject({ moderationStatus: status });
      expect(await decisionsOn(id)).toMatchObject([{ decidedBy: 'system', to: status, reason }]);
    });

    it.each([
      ['approves', SAFE, 'approved', 'classifier_safe', false],
      ['finds nsfw', UNSAFE, 'nsfw', 'classifier_unsafe', false],
      ['is unsure of', UNSURE, 'pending', 'classifier_unsure', true],
      ['could not look at', { ban: null, pictures: [] }, 'pending', 'classifier_failed', true],
      ['rejects as banned', BANNED, 'rejected', 'banned_hash', false],
    ] as const)('%s a media item, in row, log, queue and event', async (_, given, status, reason, queued) => {
      const { id, slug: mediaSlug } = await addMedia();
      expect(await stage.moderation.awaitsAutomation({ media_id: id, slug: mediaSlug })).toBe(true);

      await expect(stage.moderation.decideAutomatically(id, given)).resolves.toMatchObject({
        status,
        reason,
      });

      expect(await read(id)).toMatchObject({ moderationStatus: status, decidedAt: expect.any(Date) });
      const [decision, ...others] = await decisionsOn(id);
      expect(others).toEqual([]);
      expect(decision).toMatchObject({
        slug: mediaSlug,
        decidedBy: 'system',
        decidedByUserId: null,
        from: 'pending',
        to: status,
        reason,
      });
      expect(await isQueued(id)).toBe(queued);
      expect(await eventsOn(id)).toEqual([
        {
          media_id: id,
          slug: mediaSlug,
          sequence: 3,
          kind: 'image',
          owner: null,
          decision_id: decision?.id,
          from: 'pending',
          to: status,
          reason,
          decided_by: 'system',
        },
      ]);
      expect(await stage.moderation.awaitsAutomation({ media_id: id, slug: mediaSlug })).toBe(false);
    });

    it('keeps the scores of the worst picture', async () => {
      const { id } = await addMedia();
      await stage.moderation.decideAutomatically(id, { ban: null, pictures: [scoresOf(0.1), scoresOf(0.8)] });
      const [decision] = await decisionsOn(id);
      expect(decision?.scores).toEqual({ unsafe: 0.8, worst_frame: 1, frames: 2, classes: scoresOf(0.8) });
    });

    it('decides once for repeated and simultaneous messages', async () => {
      const { id } = await addMedia();
      const outcomes = await Promise.all(
        [SAFE, UNSAFE, SAFE, UNSURE, SAFE].map((given) => stage.moderation.decideAutomatically(id, given)),
      );
      expect(outcomes.filter((outcome) => outcome !== null)).toHaveLength(1);
      expect(await decisionsOn(id)).toHaveLength(1);
      expect(await eventsOn(id)).toHaveLength(1);
    });

    it('does not decide again on a media item that waits for a moderator', async () => {
      const { id } = await addMedia();
      await stage.moderation.decideAutomatically(id, UNSURE);
      await expect(stage.moderation.decideAutomatically(id, SAFE)).resolves.toBeNull();
      expect(await statusOf(id)).toBe('pending');
    });

    it('decides also before the media item is recorded as processed', async () => {
      const { id } = await addMedia(false);
      await stage.moderation.decideAutomatically(id, SAFE);
      expect(await statusOf(id)).toBe('approved');
    });

    it('does nothing for a deleted media item', async () => {
      await expect(stage.moderation.decideAutomatically(999_999_999, SAFE)).resolves.toBeNull();
      expect(await stage.moderation.awaitsAutomation({ media_id: 999_999_999, slug: 'none' })).toBe(false);
    });

    it('does not overrule an earlier decision of a moderator', async () => {
      const { id, slug: mediaSlug } = await addMedia(false);
      const moderator = await addModerator();
      await rule(mediaSlug, { status: 'nsfw', note: 'seen', ban: false, moderator });
      await expect(stage.moderation.decideAutomatically(id, BANNED)).resolves.toBeNull();
      expect(await statusOf(id)).toBe('nsfw');
    });
  });

  describe('the owner’s mark as adult content', () => {
    /** A media item with an owner, in a post, with automation's decision, and how its owner marks it. */
    async function addOwned(given: Evidence | null) {
      const { id, slug } = await addMedia();
      const owner = await addModerator();
      await stage.dataSource.query('update media set user_id = $2 where id = $1', [id, owner.userId]);
      const post = await addPost(id);
      if (given) await stage.moderation.decideAutomatically(id, given);
      const mark = (isNsfw: boolean) =>
        stage.domain.get(MediaEditing).update(slug, { ...owner, role: 'user' }, { isNsfw });
      return { id, slug, owner, post, mark };
    }

    // Promise [moderation]: `is_nsfw` of a media item also raises its posts.
    it('raises an approved media item and its posts, and its removal lowers them again', async () => {
      const { id, owner, post, mark } = await addOwned(SAFE);
      await mark(true);
      expect(await read(id)).toMatchObject({ moderationStatus: 'nsfw', listing: 'nsfw', ownerNsfw: true });
      expect(await postStatus(post)).toBe('nsfw');
      await mark(true);
      await mark(false);
      expect(await read(id)).toMatchObject({
        moderationStatus: 'approved',
        listing: 'safe',
        ownerNsfw: false,
      });
      expect(await postStatus(post)).toBe('approved');
      const byOwner = { decidedBy: 'owner', decidedByUserId: owner.userId, reason: 'owner' };
      expect((await decisionsOn(id)).slice(1)).toMatchObject([
        { ...byOwner, from: 'approved', to: 'nsfw' },
        { ...byOwner, from: 'nsfw', to: 'approved' },
      ]);
      expect((await eventsOn(id)).slice(1)).toMatchObject([
        { from: 'approved', to: 'nsfw', decided_by: 'owner' },
        { from: 'nsfw', to: 'approved', decided_by: 'owner' },
      ]);
    });

    it.each([
      ['before the automatic check', null, 'pending', 'pending'],
      ['while it waits for a moderator', UNSURE, 'pending', 'pending'],
      ['that automation found nsfw', UNSAFE, 'nsfw', 'nsfw'],
      ['that is banned', BANNED, 'rejected', 'rejected'],
    ] as const)('leaves the status of a media item %s', async (_, given, marked, unmarked) => {
      const { id, mark } = await addOwned(given);
      const before = await read(id);
      await mark(true);
      expect(await statusOf(id)).toBe(marked);
      await mark(false);
      expect(await statusOf(id)).toBe(unmarked);
      expect(await read(id)).toMatchObject({ decidedAt: before.decidedAt, listing: before.listing });
      expect(await eventsOn(id)).toHaveLength(given ? 1 : 0);
      expect(await decisionsOn(id)).toHaveLength(given ? 3 : 2);
    });

    it('takes back what automation made nsfw only for the mark', async () => {
      const { id, mark } = await addOwned(null);
      await mark(true);
      await stage.moderation.decideAutomatically(id, SAFE);
      expect(await statusOf(id)).toBe('nsfw');
      await mark(false);
      expect(await statusOf(id)).toBe('approved');
    });

    // Promise [moderation]: A moderator’s ruling ends the owner’s mark.
    it.each([
      ['approved', 'nsfw', 'approved'],
      ['nsfw', 'nsfw', 'nsfw'],
      ['pending', 'pending', 'pending'],
    ] as const)(
      'ends with a ruling of %s, which the owner may only raise',
      async (status, marked, unmarked) => {
        const { id, slug, mark } = await addOwned(SAFE);
        await mark(true);
        await rule(slug, { status, note: '', ban: false, moderator: await addModerator() });
        expect(await read(id)).toMatchObject({ moderationStatus: status, ownerNsfw: false });
        await mark(true);
        expect(await statusOf(id)).toBe(marked);
        await mark(false);
        expect(await statusOf(id)).toBe(unmarked);
      },
    );

    // Promise [moderation]: After a moderator’s rejection the owner can’t change the mark.
    it('can’t be changed after a moderator rejected the media item', async () => {
      const { id, slug, mark } = await addOwned(SAFE);
      await rule(slug, { status: 'rejected', note: '', ban: false, moderator: await addModerator() });
      await expect(mark(true)).rejects.toThrow(ForbiddenError);
      await expect(mark(false)).rejects.toThrow(ForbiddenError);
      expect(await statusOf(id)).toBe('rejected');
    });

    it('doesn’t keep a file that failed from being decided after it is processed again', async () => {
      const { id, slug, mark } = await addOwned(null);
      await stage.dataSource.query('update media set processed = false where id = $1', [id]);
      await stage.moderation.recordFailed({ media_id: id, slug, reason: 'No.' });
      await mark(true);
      await stage.moderation.reprocess(slug);
      await stage.moderation.decideAutomatically(id, SAFE);
      expect(await statusOf(id)).toBe('nsfw');
    });
  });

  describe('posts', () => {
    it('get the right status if two of their media are decided at the same time', async () => {
      for (let round = 0; round < 10; round++) {
        const [first, second] = [await addMedia(), await addMedia()];
        const posts = [await addPost(first.id, second.id), await addPost(second.id, first.id)];
        await Promise.all([
          stage.moderation.decideAutomatically(first.id, SAFE),
          stage.moderation.decideAutomatically(second.id, UNSAFE),
        ]);
        expect(await Promise.all(posts.map(postStatus))).toEqual(['nsfw', 'nsfw']);
      }
    });

    it('are rejected if all their media are rejected', async () => {
      const [first, second] = [await addMedia(), await addMedia()];
      const post = await addPost(first.id, second.id);
      await stage.moderation.decideAutomatically(first.id, BANNED);
      expect(await postStatus(post)).toBe('pending');
      await stage.moderation.decideAutomatically(second.id, BANNED);
      expect(await postStatus(post)).toBe('rejected');
    });
  });

  describe('recordFailed', () => {
    const fail = ({ id, slug }: { id: number; slug: string }): Promise<Recorded> =>
      stage.moderation.recordFailed({ media_id: id, slug, reason: 'unreadable' });

    it('records the reason and rejects the media item in one transaction, once', async () => {
      const media = await addMedia(false);
      expect([await fail(media), await fail(media)]).toEqual(['recorded', 'ignored']);
      expect(await read(media.id)).toMatchObject({
        processingError: 'unreadable',
        moderationStatus: 'rejected',
        decidedAt: expect.any(Date),
      });
      expect(await decisionsOn(media.id)).toMatchObject([{ reason: 'processing_failed', to: 'rejected' }]);
      // Nobody ever sees one without the other.
      const [{ separate }] = await stage.dataSource.query(
        `select count(distinct xmin::text) > 1 as separate from
         (select xmin from media where id = $1 union all
          select xmin from moderation_decisions where subject = 'media' and subject_id = $1) written`,
        [media.id],
      );
      expect(separate).toBe(false);
    });

    it('does nothing for a media item that has been processed or deleted', async () => {
      const media = await addMedia(true);
      expect(await fail(media)).toBe('ignored');
      expect(await fail({ id: 999_999_999, slug: media.slug })).toBe('unknown');
      expect(await statusOf(media.id)).toBe('pending');
    });

    it('stays in force if a late result comes', async () => {
      const media = await addMedia(false);
      await fail(media);
      expect(await stage.moderation.awaitsAutomation({ media_id: media.id, slug: media.slug })).toBe(false);
      await expect(stage.moderation.decideAutomatically(media.id, SAFE)).resolves.toBeNull();
      expect(await statusOf(media.id)).toBe('rejected');
    });

    it('overrules an earlier approval, and stays rejected if it was', async () => {
      const [approved, banned] = [await addMedia(false), await addMedia(false)];
      await stage.moderation.decideAutomatically(approved.id, SAFE);
      await stage.moderation.decideAutomatically(banned.id, BANNED);
      await fail(approved);
      await fail(banned);
      expect(await decisionsOn(approved.id)).toMatchObject([
        { to: 'approved' },
        { to: 'rejected', reason: 'processing_failed' },
      ]);
      expect(await decisionsOn(banned.id)).toMatchObject([{ to: 'rejected', reason: 'banned_hash' }]);
    });

    it('is replaced after the media item is processed again', async () => {
      const { id, slug: mediaSlug } = await addMedia(false);
      await fail({ id, slug: mediaSlug });
      await stage.moderation.reprocess(mediaSlug);
      expect(await statusOf(id)).toBe('pending');
      expect(await isQueued(id)).toBe(false);
      expect(await decisionsOn(id)).toMatchObject([
        { to: 'rejected' },
        { decidedBy: 'system', from: 'rejected', to: 'pending', reason: 'processing_again' },
      ]);
      expect((await eventsOn(id))[1]).toMatchObject({ from: 'rejected', to: 'pending' });
      await stage.moderation.decideAutomatically(id, SAFE);
      expect(await statusOf(id)).toBe('approved');
    });

    it('keeps a moderator’s rejection when the media item is processed again', async () => {
      const { id, slug: mediaSlug } = await addMedia(false);
      await fail({ id, slug: mediaSlug });
      const moderator = await addModerator();
      await rule(mediaSlug, { status: 'rejected', note: '', ban: false, moderator });
      await stage.moderation.reprocess(mediaSlug);
      await expect(stage.moderation.decideAutomatically(id, SAFE)).resolves.toBeNull();
      expect(await statusOf(id)).toBe('rejected');
      expect(await read(id)).toMatchObject({ processingError: null });
      await expect(stage.moderation.reprocess('nothere')).rejects.toThrow(NotFoundError);
    });
  });

  describe('ruleOnMedia', () => {
    it('removes the media item from the queue, logs moderator and note, and derives the post', async () => {
      const { id, slug: mediaSlug } = await addMedia();
      const post = await addPost(id);
      await stage.moderation.decideAutomatically(id, UNSURE);
      const moderator = await addModerator();
      await rule(mediaSlug, {
        status: 'approved',
        note: 'fine',
        ban: false,
        moderator,
      });
      expect(await isQueued(id)).toBe(false);
      expect(await postStatus(post)).toBe('approved');
      expect((await decisionsOn(id))[1]).toMatchObject({
        decidedBy: 'moderator',
        decidedByUserId: moderator.userId,
        from: 'pending',
        to: 'approved',
        note: 'fine',
      });
      expect((await eventsOn(id))[1]).toMatchObject({ to: 'approved', decided_by: moderator.username });
    });
  });

  describe('the log', () => {
    // Promise [moderation]: Decisions never change and are never deleted.
    it('allows inserts but no updates and deletions', async () => {
      const { id } = await addMedia();
      await stage.moderation.decideAutomatically(id, SAFE);
      await expect(
        stage.dataSource.query(`update moderation_decisions set to_status = 'nsfw' where subject_id = $1`, [
          id,
        ]),
      ).rejects.toThrow('never change');
      await expect(
        stage.dataSource.query('delete from moderation_decisions where subject_id = $1', [id]),
      ).rejects.toThrow('never change');
      expect(await decisionsOn(id)).toMatchObject([{ to: 'approved' }]);
    });

    it('keeps decisions on deleted media', async () => {
      const { id } = await addMedia();
      await stage.moderation.decideAutomatically(id, UNSURE);
      await stage.dataSource.query('delete from media where id = $1', [id]);
      expect(await decisionsOn(id)).toHaveLength(1);
      expect(await isQueued(id)).toBe(false);
    });
  });
});
