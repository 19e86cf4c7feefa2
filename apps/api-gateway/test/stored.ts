import { randomSlug } from '@vitrine/domain';
import type { Pool } from 'pg';
import type { Person } from './people';

export interface StoredMedia {
  readonly id: number;
  readonly slug: string;
}

/** The properties that differ from a plain, approved picture. */
export interface MediaFields {
  readonly status?: 'approved' | 'pending' | 'nsfw' | 'rejected';
  readonly title?: string;
  readonly description?: string;
  /** How long ago it was uploaded, as an interval of PostgreSQL. */
  readonly age?: string;
}

const LISTINGS = { approved: 'safe', nsfw: 'nsfw', pending: 'unlisted', rejected: 'unlisted' } as const;

/** Stores a media item that is in no post, after its upload and decision; `owner` is null for a guest. */
export async function storeMedia(
  database: Pick<Pool, 'query'>,
  owner: Pick<Person, 'id'> | null,
  { status = 'approved', title, description, age = '0 seconds' }: MediaFields = {},
): Promise<StoredMedia> {
  const slug = randomSlug();
  const { rows } = await database.query<{ id: string }>(
    `with stored as (
       insert into media (slug, user_id, title, description, kind, format, mime, ext, width, height, bytes,
         received_sha256, stored_sha256, moderation_status, listing, created_at)
       values ($1, $2, $3, $4, 'image', 'jpeg', 'image/jpeg', 'jpg', 640, 480, 12345, sha256('a'), sha256('b'), $5, $6,
         now() - $7::interval)
       returning id, user_id, listing
     ), ranked as (
       insert into media_ranks (id, user_id, listing, age, score)
       select id, user_id, listing, 0, 0 from stored where listing <> 'unlisted'
     )
     select id from stored`,
    [slug, owner?.id ?? null, title ?? null, description ?? null, status, LISTINGS[status], age],
  );
  return { slug, id: Number(rows[0]?.id) };
}
