import { randomBytes } from 'node:crypto';
import { type MediaVariantsStored, VARIANT_NAMES } from '@vitrine/contracts';
import { Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import type { DataSource } from 'typeorm';
import { randomSlug } from '../src/base/identifiers/slug';
import type { MediaView } from '../src/media/items/media.types';
import { MediaModule } from '../src/media/items/media.module';
import { MediaDecisions } from '../src/media/items/media-decisions.service';
import { MediaDeletion } from '../src/media/items/media-deletion.service';
import { MediaEditing } from '../src/media/items/media-editing.service';
import { MediaLocks } from '../src/media/items/media-locks.service';
import { MediaReading } from '../src/media/items/media-reading.service';
import { MediaUploads } from '../src/media/items/media-uploads.service';
import { MediaProcessingService } from '../src/media/items/media-processing.service';
import { ProcessingTurns } from '../src/media/processing-turns/processing-turns.service';
import { newMedia } from './new-media';

/** Starts the services before a suite's tests and stops them afterwards; returns them and helpers for the tests. */
export function useMedia() {
  const domain = useDomain([MediaModule]);
  let dataSource: DataSource;
  let connection: Database;
  let processing: MediaProcessingService;
  let turns: ProcessingTurns;

  beforeAll(() => {
    dataSource = domain.dataSource;
    connection = domain.get(Database);
    processing = domain.get(MediaProcessingService);
    turns = domain.get(ProcessingTurns);
  });
  beforeEach(() =>
    dataSource.query('truncate media, posts, post_media, outbox, upload_counts, users cascade'),
  );

  const createUser = async (): Promise<number> => {
    const [row] = await dataSource.query('insert into users (username) values ($1) returning id', [
      `u_${randomBytes(5).toString('hex')}`,
    ]);
    return row.id;
  };
  const quota = (subject = 'user:1', filesPerDay = 1000) => ({ subject, filesPerDay });
  const register = async (userId: number | null, post: string | null = null): Promise<MediaView> =>
    domain.get(MediaUploads).register(newMedia(userId), quota(), post);
  const createPost = async (userId: number | null): Promise<{ id: number; slug: string }> => {
    const slug = randomSlug();
    const [row] = await dataSource.query('insert into posts (slug, user_id) values ($1, $2) returning id', [
      slug,
      userId,
    ]);
    return { id: row.id, slug };
  };
  const postRow = async (id: number) =>
    (await dataSource.query('select * from posts where id = $1', [id]))[0];
  const outboxEvents = async (): Promise<{ type: string; data: Record<string, unknown> }[]> =>
    (await dataSource.query('select envelope from outbox order by id')).map(
      (row: { envelope: { type: string; data: Record<string, unknown> } }) => row.envelope,
    );
  const decide = (mediaId: number, status: 'approved' | 'nsfw' | 'rejected' | 'pending') =>
    connection.transaction((tx) => domain.get(MediaDecisions).changeModerationStatus(tx, mediaId, status));
  const processedOf = (
    { media }: Pick<MediaView, 'media'>,
    overrides: Partial<MediaVariantsStored> = {},
  ): MediaVariantsStored => ({
    media_id: media.id,
    slug: media.slug,
    variants: VARIANT_NAMES.map((name) => ({
      name,
      key: `f/${media.slug}_${name}.jpg`,
      ext: 'jpg',
      mime: 'image/jpeg',
      width: 1,
      height: 1,
      bytes: 1,
    })),
    thumbhash: 'AAAA',
    width: 30,
    height: 40,
    duration: null,
    hashes: [],
    frames: [],
    took_ms: 1,
    ...overrides,
  });
  const as = (userId: number) => ({ userId, role: 'user' as const });
  return {
    get domain() {
      return domain;
    },
    get dataSource() {
      return dataSource;
    },
    get connection() {
      return connection;
    },
    get decisions() {
      return domain.get(MediaDecisions);
    },
    get deletion() {
      return domain.get(MediaDeletion);
    },
    get editing() {
      return domain.get(MediaEditing);
    },
    get locks() {
      return domain.get(MediaLocks);
    },
    get reading() {
      return domain.get(MediaReading);
    },
    get uploads() {
      return domain.get(MediaUploads);
    },
    get processing() {
      return processing;
    },
    get turns() {
      return turns;
    },
    createUser,
    quota,
    newMedia,
    register,
    createPost,
    postRow,
    outboxEvents,
    decide,
    processedOf,
    as,
  };
}
