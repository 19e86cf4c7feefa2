import { randomSlug } from '../slugs/slug';
import { randomBytes } from 'node:crypto';
import type { EventEnvelope, MediaModerated, ModerationStatus, PerceptualHash } from '@vitrine/contracts';
import { TransactionRunner } from '@vitrine/database';
import { type DomainContext, startDomain } from '@vitrine/testing';
import type { DataSource } from 'typeorm';
import { NotFoundError } from '../errors/domain-error';
import { MediaEntity } from '../media/media.entity';
import { MediaModule } from '../media/media.module';
import { MediaService } from '../media/media.service';
import { BannedHashEntity } from './banned-hash.entity';
import { BannedHashRepository } from './banned-hash.repository';
import { BannedHashesModule } from './banned-hashes.module';
import { BannedHashesService } from './banned-hashes.service';
import type { ClassScores, Evidence } from './moderation.rules';
import { ModerationDecisionEntity } from './moderation-decision.entity';
import { ModerationQueueEntity } from './moderation-queue.entity';
import { presentBannedHash } from './moderation.presenter';
import { ModerationModule } from './moderation.module';
import { ModerationService, UnsettledOutcomeError } from './moderation.service';
import type { ModeratorRuling } from './moderator-ruling';

const scoresOf = (unsafe: number): ClassScores => ({
  drawing: 0,
  hentai: 0,
  neutral: 1 - unsafe,
  porn: unsafe,
  sexy: 0,
});
const evidence = (unsafe: number): Evidence => ({ ban: null, pictures: [scoresOf(unsafe)] });
const SAFE = evidence(0.1);
const UNSURE = evidence(0.5);
const UNSAFE = evidence(0.9);
const BANNED: Evidence = { ban: { bannedHashId: 1, distance: 4 }, pictures: [] };

describe('ModerationService', () => {
  let domain: DomainContext;
  let dataSource: DataSource;
  let bannedHashes: BannedHashesService;
  let moderation: ModerationService;

  beforeAll(async () => {
    domain = await startDomain([ModerationModule, BannedHashesModule, MediaModule]);
    dataSource = domain.dataSource;
    bannedHashes = domain.get(BannedHashesService);
    moderation = domain.get(ModerationService);
  });
  afterAll(() => domain.stop());

  const rule = (mediaSlug: string, ruling: ModeratorRuling): Promise<void> =>
    domain.get(TransactionRunner).run(async (tx) => {
      const media = await domain.get(MediaService).lockBySlug(tx, mediaSlug);
      if (!media) throw new Error(`No media ${mediaSlug}`);
      await moderation.ruleOnMedia(tx, media, ruling);
    });

  async function addMedia(processed = true): Promise<MediaEntity> {
    const [row]: { id: number }[] = await dataSource.query(
      `insert into media (slug, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256, processed)
       values ($1, 'image', 'jpeg', 'image/jpeg', 'jpg', 10, 10, 100, $2, $3, $4) returning id`,
      [randomSlug(), randomBytes(32), randomBytes(32), processed],
    );
    return read(row?.id ?? 0);
  }

  async function addPost(...mediaIds: number[]): Promise<number> {
    const [row]: { id: number }[] = await dataSource.query(
      'insert into posts (slug, media_count) values ($1, $2) returning id',
      [randomSlug(), mediaIds.length],
    );
    const postId = row?.id ?? 0;
    for (const [position, mediaId] of mediaIds.entries()) {
      await dataSource.query('insert into post_media (post_id, media_id, position) values ($1, $2, $3)', [
        postId,
        mediaId,
        position,
      ]);
    }
    return postId;
  }

  const read = (id: number): Promise<MediaEntity> =>
    dataSource.getRepository(MediaEntity).findOneByOrFail({ id });
  const statusOf = async (id: number): Promise<ModerationStatus> => (await read(id)).moderationStatus;
  const decisionsOn = (id: number): Promise<ModerationDecisionEntity[]> =>
    dataSource
      .getRepository(ModerationDecisionEntity)
      .find({ where: { subject: 'media', subjectId: id }, order: { id: 'ASC' } });
  const isQueued = (id: number): Promise<boolean> =>
    dataSource.getRepository(ModerationQueueEntity).existsBy({ mediaId: id });

  async function postStatus(id: number): Promise<ModerationStatus | undefined> {
    const [row]: { status: ModerationStatus }[] = await dataSource.query(
      'select moderation_status as status from posts where id = $1',
      [id],
    );
    return row?.status;
  }

  async function eventsOn(id: number): Promise<MediaModerated[]> {
    const rows: { envelope: EventEnvelope<MediaModerated> }[] = await dataSource.query(
      `select envelope from outbox where envelope->>'type' = 'media.moderated'
       and (envelope->'data'->>'media_id')::bigint = $1 order by id`,
      [id],
    );
    return rows.map(({ envelope }) => envelope.data);
  }

  async function addModerator(): Promise<ModeratorRuling['moderator']> {
    const username = `mod_${randomBytes(4).toString('hex')}`;
    const [row]: { id: number }[] = await dataSource.query(
      `insert into users (username, role) values ($1, 'moderator') returning id`,
      [username],
    );
    return { userId: row?.id ?? 0, username, role: 'moderator' };
  }

  describe('decideAutomatically', () => {
    it.each([
      ['approves', SAFE, 'approved', 'classifier_safe', false],
      ['finds nsfw', UNSAFE, 'nsfw', 'classifier_unsafe', false],
      ['is unsure of', UNSURE, 'pending', 'classifier_unsure', true],
      ['could not look at', { ban: null, pictures: [] }, 'pending', 'classifier_failed', true],
      ['rejects as banned', BANNED, 'rejected', 'banned_hash', false],
    ] as const)('%s a media, in row, log, queue and event', async (_, given, status, reason, queued) => {
      const { id, slug: mediaSlug } = await addMedia();
      expect(await moderation.awaitsAutomation(id)).toBe(true);

      await expect(moderation.decideAutomatically(id, given)).resolves.toMatchObject({ status, reason });

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
          decision_id: decision?.id,
          from: 'pending',
          to: status,
          reason,
          decided_by: 'system',
        },
      ]);
      expect(await moderation.awaitsAutomation(id)).toBe(false);
    });

    it('keeps the scores of the worst picture', async () => {
      const { id } = await addMedia();
      await moderation.decideAutomatically(id, { ban: null, pictures: [scoresOf(0.1), scoresOf(0.8)] });
      const [decision] = await decisionsOn(id);
      expect(decision?.scores).toEqual({ unsafe: 0.8, worst_frame: 1, frames: 2, classes: scoresOf(0.8) });
    });

    it('decides once, however often and at once the message comes', async () => {
      const { id } = await addMedia();
      const outcomes = await Promise.all(
        [SAFE, UNSAFE, SAFE, UNSURE, SAFE].map((given) => moderation.decideAutomatically(id, given)),
      );
      expect(outcomes.filter((outcome) => outcome !== null)).toHaveLength(1);
      expect(await decisionsOn(id)).toHaveLength(1);
      expect(await eventsOn(id)).toHaveLength(1);
    });

    it('does not come back to a media that waits for a moderator', async () => {
      const { id } = await addMedia();
      await moderation.decideAutomatically(id, UNSURE);
      await expect(moderation.decideAutomatically(id, SAFE)).resolves.toBeNull();
      expect(await statusOf(id)).toBe('pending');
    });

    it('may come before the media is recorded as processed', async () => {
      const { id } = await addMedia(false);
      await moderation.decideAutomatically(id, SAFE);
      expect(await statusOf(id)).toBe('approved');
    });

    it('does nothing for a media that is gone', async () => {
      await expect(moderation.decideAutomatically(999_999_999, SAFE)).resolves.toBeNull();
      expect(await moderation.awaitsAutomation(999_999_999)).toBe(false);
    });

    it('gives way to a moderator who was faster', async () => {
      const { id, slug: mediaSlug } = await addMedia(false);
      const moderator = await addModerator();
      await rule(mediaSlug, { status: 'nsfw', note: 'seen', ban: false, moderator });
      await expect(moderation.decideAutomatically(id, BANNED)).resolves.toBeNull();
      expect(await statusOf(id)).toBe('nsfw');
    });
  });

  describe('posts', () => {
    it('follow their media when two of them are decided at once', async () => {
      for (let round = 0; round < 10; round++) {
        const [first, second] = [await addMedia(), await addMedia()];
        const posts = [await addPost(first.id, second.id), await addPost(second.id, first.id)];
        await Promise.all([
          moderation.decideAutomatically(first.id, SAFE),
          moderation.decideAutomatically(second.id, UNSAFE),
        ]);
        expect(await Promise.all(posts.map(postStatus))).toEqual(['nsfw', 'nsfw']);
      }
    });

    it('are rejected with the last of their media', async () => {
      const [first, second] = [await addMedia(), await addMedia()];
      const post = await addPost(first.id, second.id);
      await moderation.decideAutomatically(first.id, BANNED);
      expect(await postStatus(post)).toBe('pending');
      await moderation.decideAutomatically(second.id, BANNED);
      expect(await postStatus(post)).toBe('rejected');
    });
  });

  describe('rejectFailed', () => {
    const fail = (id: number): Promise<void> =>
      dataSource.query(`update media set processed = false, processing_error = 'unreadable' where id = $1`, [
        id,
      ]);

    it('rejects once', async () => {
      const { id } = await addMedia(false);
      await expect(moderation.rejectFailed(id)).resolves.toBe(true);
      await expect(moderation.rejectFailed(id)).resolves.toBe(false);
      expect(await statusOf(id)).toBe('rejected');
      expect(await decisionsOn(id)).toMatchObject([{ reason: 'processing_failed', to: 'rejected' }]);
    });

    it('does nothing for a media that was processed after all, or is gone', async () => {
      const { id } = await addMedia(true);
      await expect(moderation.rejectFailed(id)).resolves.toBe(false);
      await expect(moderation.rejectFailed(999_999_999)).resolves.toBe(false);
      expect(await statusOf(id)).toBe('pending');
    });

    it('holds, though its pictures turn up later, where the row says that it failed', async () => {
      const { id } = await addMedia(false);
      await moderation.rejectFailed(id);
      await fail(id);
      await expect(moderation.decideAutomatically(id, SAFE)).resolves.toBeNull();
      expect(await statusOf(id)).toBe('rejected');
    });

    it('is taken back where the row says that the media was processed', async () => {
      const { id } = await addMedia(false);
      await moderation.rejectFailed(id);
      await expect(moderation.decideAutomatically(id, SAFE)).rejects.toThrow(UnsettledOutcomeError);
      await dataSource.query('update media set processed = true where id = $1', [id]);
      await moderation.decideAutomatically(id, SAFE);
      expect(await statusOf(id)).toBe('approved');
    });

    it('waits for the row, then overrules an approval of pictures that came first', async () => {
      const { id } = await addMedia(false);
      await moderation.decideAutomatically(id, SAFE);
      await expect(moderation.rejectFailed(id)).rejects.toThrow(UnsettledOutcomeError);
      await fail(id);
      await moderation.rejectFailed(id);
      expect(await statusOf(id)).toBe('rejected');
    });

    it('leaves the way open for a processing that is begun anew', async () => {
      const { id, slug: mediaSlug } = await addMedia(false);
      await fail(id);
      await moderation.rejectFailed(id);
      await moderation.reprocess(mediaSlug);
      expect(await statusOf(id)).toBe('pending');
      expect(await isQueued(id)).toBe(false);
      expect(await decisionsOn(id)).toMatchObject([
        { to: 'rejected' },
        { decidedBy: 'system', from: 'rejected', to: 'pending', reason: 'processing_again' },
      ]);
      expect((await eventsOn(id))[1]).toMatchObject({ from: 'rejected', to: 'pending' });
      await moderation.decideAutomatically(id, SAFE);
      expect(await statusOf(id)).toBe('approved');
    });

    it('leaves a moderator’s rejection in force through a processing that is begun anew', async () => {
      const { id, slug: mediaSlug } = await addMedia(false);
      await fail(id);
      await moderation.rejectFailed(id);
      const moderator = await addModerator();
      await rule(mediaSlug, { status: 'rejected', note: '', ban: false, moderator });
      await moderation.reprocess(mediaSlug);
      await expect(moderation.decideAutomatically(id, SAFE)).resolves.toBeNull();
      expect(await statusOf(id)).toBe('rejected');
      expect(await read(id)).toMatchObject({ processingError: null });
      await expect(moderation.reprocess('nothere')).rejects.toThrow(NotFoundError);
    });
  });

  describe('ruleOnMedia', () => {
    it('takes the media off the queue, keeps who and why, and brings the post along', async () => {
      const { id, slug: mediaSlug } = await addMedia();
      const post = await addPost(id);
      await moderation.decideAutomatically(id, UNSURE);
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

    it('bans the file and those of its pictures that can be told from others', async () => {
      const { id, slug: mediaSlug, receivedSha256, storedSha256 } = await addMedia();
      const [clear, vague] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
      const hashes: PerceptualHash[] = [
        { pdq: clear, quality: 90, at: 0 },
        { pdq: vague, quality: 20, at: 1 },
      ];
      await dataSource.query('update media set hashes = $2 where id = $1', [id, JSON.stringify(hashes)]);
      const moderator = await addModerator();
      await rule(mediaSlug, {
        status: 'rejected',
        note: 'illegal',
        ban: true,
        moderator,
      });
      expect(await bannedHashes.isBannedSha256(receivedSha256.toString('hex'))).toBe(true);
      expect(await bannedHashes.isBannedSha256(storedSha256.toString('hex'))).toBe(true);
      expect(await bannedHashes.matchPerceptual([{ pdq: clear, quality: 90, at: 0 }])).toMatchObject({
        distance: 0,
      });
      expect(await bannedHashes.matchPerceptual([{ pdq: vague, quality: 90, at: 0 }])).toBeNull();
    });
  });

  describe('the log', () => {
    it('can be added to and nothing else', async () => {
      const { id } = await addMedia();
      await moderation.decideAutomatically(id, SAFE);
      await expect(
        dataSource.query(`update moderation_decisions set to_status = 'nsfw' where subject_id = $1`, [id]),
      ).rejects.toThrow('never change');
      await expect(
        dataSource.query('delete from moderation_decisions where subject_id = $1', [id]),
      ).rejects.toThrow('never change');
      expect(await decisionsOn(id)).toMatchObject([{ to: 'approved' }]);
    });

    it('outlives the media', async () => {
      const { id } = await addMedia();
      await moderation.decideAutomatically(id, UNSURE);
      await dataSource.query('delete from media where id = $1', [id]);
      expect(await decisionsOn(id)).toHaveLength(1);
      expect(await isQueued(id)).toBe(false);
    });
  });

  describe('banned hashes', () => {
    it('hold from the moment they are added until they are lifted, in a process that has loaded others', async () => {
      const pdq = randomBytes(32).toString('hex');
      const hashes = [{ pdq, quality: 80, at: 0 }];
      const elsewhere = new BannedHashesService(
        new TransactionRunner(dataSource),
        new BannedHashRepository(dataSource.getRepository(BannedHashEntity)),
      );
      expect(await elsewhere.matchPerceptual(hashes)).toBeNull();
      await new TransactionRunner(dataSource).run((tx) =>
        bannedHashes.banFile(tx, { sha256: [], perceptual: hashes }, 'test', null),
      );
      const match = await elsewhere.matchPerceptual(hashes);
      expect(match).toMatchObject({ distance: 0 });
      await bannedHashes.unban(match?.bannedHashId ?? 0);
      expect(await elsewhere.matchPerceptual(hashes)).toBeNull();
    });

    it('are banned once, by the hexadecimal text of their SHA-256', async () => {
      const hex = randomBytes(32).toString('hex');
      expect(await bannedHashes.isBannedSha256(hex)).toBe(false);
      expect(await bannedHashes.banSha256(hex, 'first', null)).toBe(true);
      expect(await bannedHashes.banSha256(hex.toUpperCase(), 'second', null)).toBe(false);
      expect(await bannedHashes.isBannedSha256(hex)).toBe(true);
      await expect(bannedHashes.banSha256('abc', 'short', null)).rejects.toThrow(TypeError);
    });

    it('that come from elsewhere hold too, and are listed newest first with who banned them', async () => {
      await dataSource.query('delete from banned_hashes');
      const { userId, username } = await addModerator();
      const [file, picture] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
      await bannedHashes.banSha256(randomBytes(32).toString('hex'), 'by the operator', null);
      const entry = await bannedHashes.ban('sha256', file.toUpperCase(), 'first', userId);
      await bannedHashes.ban('pdq', picture, 'copied', userId);
      expect(await bannedHashes.ban('sha256', file, 'second', userId)).toEqual(entry);
      expect(await bannedHashes.isBannedSha256(file)).toBe(true);
      const near = [{ pdq: picture, quality: 100, at: 0 }];
      expect(await bannedHashes.matchPerceptual(near)).toMatchObject({ distance: 0 });
      const { items, total } = await bannedHashes.findPage(1, 2);
      expect(total).toBe(3);
      expect(items.map(presentBannedHash)).toMatchObject([
        { kind: 'pdq', hash: picture, reason: 'copied', created_by: username },
        { id: entry.id, kind: 'sha256', hash: file, reason: 'first', created_by: username },
      ]);
      expect((await bannedHashes.findPage(2, 2)).items.map(presentBannedHash)).toMatchObject([
        { reason: 'by the operator', created_by: null },
      ]);
    });

    it('are banned once where two moderators do it at once', async () => {
      const { userId } = await addModerator();
      const hex = randomBytes(32).toString('hex');
      const entries = await Promise.all(
        Array.from({ length: 8 }, (_, index) => bannedHashes.ban('sha256', hex, `try ${index}`, userId)),
      );
      expect(new Set(entries.map(({ id }) => id)).size).toBe(1);
    });

    it('are found for a picture that was mirrored, turned or inverted', async () => {
      const [banned, turned] = [randomBytes(32), randomBytes(7 * 32)];
      banned.copy(turned, 5 * 32);
      const hash = {
        pdq: randomBytes(32).toString('hex'),
        quality: 100,
        at: 0,
        turned: turned.toString('base64'),
      };
      await bannedHashes.banSha256(randomBytes(32).toString('hex'), 'another kind', null);
      expect(await bannedHashes.matchPerceptual([hash])).toBeNull();
      await new TransactionRunner(dataSource).run((tx) =>
        bannedHashes.banFile(
          tx,
          { sha256: [], perceptual: [{ pdq: banned.toString('hex'), quality: 100, at: 0 }] },
          'test',
          null,
        ),
      );
      expect(await bannedHashes.matchPerceptual([hash])).toMatchObject({ distance: 0 });
      const negative = Buffer.from(banned.map((byte) => ~byte)).toString('hex');
      expect(await bannedHashes.matchPerceptual([{ pdq: negative, quality: 100, at: 0 }])).toMatchObject({
        distance: 0,
      });
    });

    it('give the nearest of several matches', async () => {
      const banned = randomBytes(32);
      const near = Buffer.from(banned);
      near[0] = (near[0] ?? 0) ^ 0b111;
      await new TransactionRunner(dataSource).run((tx) =>
        bannedHashes.banFile(
          tx,
          { sha256: [], perceptual: [{ pdq: banned.toString('hex'), quality: 100, at: 0 }] },
          'test',
          null,
        ),
      );
      const match = await bannedHashes.matchPerceptual([
        { pdq: randomBytes(32).toString('hex'), quality: 100, at: 0 },
        { pdq: near.toString('hex'), quality: 100, at: 1 },
      ]);
      expect(match?.distance).toBe(3);
    });
  });
});
