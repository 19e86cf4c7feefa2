import { restrictionOf } from '../../base/queries/restriction-sql';
import { EVENT_FACTS } from './media-events';
import type { NewMedia } from './media-row.types';
import type { MediaEntity } from './media.entity';

/** A row of `media`. */
export type StoredMedia = Omit<MediaEntity, 'ownerRestriction'>;

interface InsertedColumn {
  readonly name: string;
  readonly type: string;
  /** The value of a row that gives none, in SQL; null if absent. */
  readonly otherwise?: string;
}

/** The columns that an upload fills, by their fields. */
const INSERTED: Readonly<Record<keyof NewMedia, InsertedColumn>> = {
  slug: { name: 'slug', type: 'text' },
  userId: { name: 'user_id', type: 'bigint' },
  kind: { name: 'kind', type: 'text' },
  format: { name: 'format', type: 'text' },
  mime: { name: 'mime', type: 'text' },
  ext: { name: 'ext', type: 'text' },
  width: { name: 'width', type: 'integer' },
  height: { name: 'height', type: 'integer' },
  duration: { name: 'duration', type: 'double precision' },
  frames: { name: 'frames', type: 'integer' },
  bytes: { name: 'bytes', type: 'bigint' },
  receivedSha256: { name: 'received_sha256', type: 'bytea' },
  storedSha256: { name: 'stored_sha256', type: 'bytea' },
  unlisted: { name: 'unlisted', type: 'boolean' },
  ownerNsfw: { name: 'owner_nsfw', type: 'boolean', otherwise: 'false' },
  title: { name: 'title', type: 'text' },
  description: { name: 'description', type: 'text' },
  altText: { name: 'alt_text', type: 'text' },
  tags: { name: 'tags', type: 'text[]', otherwise: `'{}'` },
  deletionSha256: { name: 'deletion_sha256', type: 'bytea' },
};

/** The other columns that are read, by their fields. */
const OTHERS: Readonly<Record<Exclude<keyof StoredMedia, keyof NewMedia>, string>> = {
  id: 'id',
  sharedKey: 'shared_key',
  moderationStatus: 'moderation_status',
  processed: 'processed',
  processingError: 'processing_error',
  processingProgress: 'processing_progress',
  variants: 'variants',
  thumbhash: 'thumbhash',
  hashes: 'hashes',
  fullySeen: 'fully_seen',
  frameKeys: 'frame_keys',
  announcedAt: 'announced_at',
  announcements: 'announcements',
  waitingSince: 'waiting_since',
  processedAt: 'processed_at',
  decidedAt: 'decided_at',
  listing: 'listing',
  createdAt: 'created_at',
};

const columns = Object.entries(INSERTED);

/** The columns of a `StoredMedia`. */
const STORED_FIELDS = [...columns.map(([field, { name }]) => [field, name]), ...Object.entries(OTHERS)]
  .map(([field, name]) => `media.${name} as "${field}"`)
  .join(', ');

/** What a statement on `media` selects for a `MediaEntity`. */
export const MEDIA_FIELDS = `${STORED_FIELDS}, ${restrictionOf('media.user_id')} as "ownerRestriction"`;

/**
 * Inserts the media of its only parameter, which `insertionParameter` makes, except those whose slugs are given up, and
 * returns them in the same order. Their files are pending no longer.
 */
export const INSERTION = `with given as (
    select * from rows from (jsonb_to_recordset($1::jsonb) as (${columns.map(([field, { type }]) => `"${field}" ${type}`).join(', ')}))
      with ordinality
  ), slugs as (select array_agg(slug) as given from given
  ), registered as (
    delete from pending_files where slug = any ((select given from slugs)::text[]) and not given_up
  )
  insert into media (${columns.map(([, { name }]) => name).join(', ')})
  select ${columns.map(([field, { otherwise }]) => (otherwise ? `coalesce("${field}", ${otherwise})` : `"${field}"`)).join(', ')}
  from given where slug <> all (array(
    select slug from pending_files where slug = any ((select given from slugs)::text[]) and given_up))
  order by ordinality returning ${STORED_FIELDS}, ${EVENT_FACTS}`;

/** New media as JSON: one value, so that the statement has the same text for any number of media. */
export const insertionParameter = (media: readonly NewMedia[]): string =>
  JSON.stringify(
    media.map(({ receivedSha256, storedSha256, deletionSha256, ...fields }) => ({
      ...fields,
      receivedSha256: inHex(receivedSha256),
      storedSha256: inHex(storedSha256),
      deletionSha256: deletionSha256 && inHex(deletionSha256),
    })),
  );

/** PostgreSQL's text form of a bytea. */
const inHex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;
