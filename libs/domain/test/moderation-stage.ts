import type { ClassScores } from '../src/moderation/decisions/decision.types';
import { randomSlug } from '../src/base/identifiers/slug';
import { randomBytes } from 'node:crypto';
import type { EventEnvelope, MediaModerated, ModerationStatus } from '@vitrine/contracts';
import { Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import type { DataSource } from 'typeorm';
import { MediaEntity } from '../src/media/rows/media.entity';
import { MediaModule } from '../src/media/items/media.module';
import { MediaLocks } from '../src/media/items/media-locks.service';
import { BannedHashesModule } from '../src/moderation/bans/banned-hashes.module';
import { BannedHashesService } from '../src/moderation/bans/banned-hashes.service';
import type { Evidence, ModeratorRuling } from '../src/moderation/review/moderation.rules';
import { ModerationDecisionEntity } from '../src/moderation/decisions/moderation-decision.entity';
import { ModerationQueueEntity } from '../src/moderation/review/moderation-queue.entity';
import { ModerationModule } from '../src/moderation/review/moderation.module';
import { ModerationService } from '../src/moderation/review/moderation.service';

export const scoresOf = (unsafe: number): ClassScores => ({
  drawing: 0,
  hentai: 0,
  neutral: 1 - unsafe,
  porn: unsafe,
  sexy: 0,
});
export const evidence = (unsafe: number): Evidence => ({ ban: null, pictures: [scoresOf(unsafe)] });
export const SAFE = evidence(0.1);
export const UNSURE = evidence(0.5);
export const UNSAFE = evidence(0.9);
export const BANNED: Evidence = { ban: { bannedHashId: 1, distance: 4 }, pictures: [] };

/** Starts the services before a suite's tests and stops them afterwards; returns them and helpers for the tests. */
export function useModeration() {
  const domain = useDomain([ModerationModule, BannedHashesModule, MediaModule]);
  let dataSource: DataSource;
  let bannedHashes: BannedHashesService;
  let moderation: ModerationService;

  beforeAll(() => {
    dataSource = domain.dataSource;
    bannedHashes = domain.get(BannedHashesService);
    moderation = domain.get(ModerationService);
  });

  const rule = (mediaSlug: string, ruling: ModeratorRuling): Promise<void> =>
    domain.get(Database).transaction(async (tx) => {
      const media = await domain.get(MediaLocks).lockBySlug(tx, mediaSlug);
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
  return {
    get domain() {
      return domain;
    },
    get dataSource() {
      return dataSource;
    },
    get bannedHashes() {
      return bannedHashes;
    },
    get moderation() {
      return moderation;
    },
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
  };
}
