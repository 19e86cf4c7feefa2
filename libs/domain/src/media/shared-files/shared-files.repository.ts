import { Injectable } from '@nestjs/common';
import { objectKeys } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';

/** Seconds after which another process may take over from one that was killed. Each step renews them. */
const CLAIM_SECONDS = 60;
/** Media that are considered as the keeper of a file, if the objects of the first ones are missing or damaged. */
const MAX_KEEPERS = 5;

/** A place in the order in which media are searched for equal originals. */
export interface MergingPosition {
  /** PostgreSQL's text of a time, which has microseconds. */
  readonly processedAt: string;
  readonly mediaId: number;
}

/** The right of one process, of all, to merge files and to remove redundant ones. */
export interface MergingClaim extends MergingPosition {
  readonly holder: string;
}

/** A media item whose original may be equal to an older one. */
export interface CheckedMedia extends MergingPosition {
  readonly slug: string;
  readonly ext: string;
  /** Of its original, as stored. */
  readonly bytes: number;
  readonly sha256: Buffer;
  /** Whether another media item has the same hash and size. */
  readonly hasEqual: boolean;
}

/** An original that may be kept for several media. */
export interface KeptOriginal {
  /** Of its object. */
  readonly key: string;
  /** The media item that has it alone; null if it is a shared file already. */
  readonly mediaId: number | null;
}

/** An original that is still stored under its media item's own key, although the media item refers to a shared file. */
export interface RedundantFile {
  readonly mediaId: number;
  readonly key: string;
  readonly sharedKey: string;
  readonly bytes: number;
}

/** A media item that refers to a shared file. */
export interface SharingMedia {
  readonly id: number;
  readonly slug: string;
  readonly ext: string;
  readonly sharedKey: string;
  readonly bytes: number;
}

/** Every query on the tables `shared_files`, `redundant_files` and `file_merging`, and on `media.shared_key`. */
@Injectable()
export class SharedFilesRepository {
  constructor(private readonly database: Database) {}

  /** Takes the right to merge; null while another process has it. */
  async claim(): Promise<MergingClaim | null> {
    const [claim]: MergingClaim[] = await this.database.write(
      `update file_merging set busy_until = now() + $1 * interval '1 second', holder = gen_random_uuid()
       where busy_until < now() returning processed_at::text as "processedAt", media_id as "mediaId", holder`,
      [CLAIM_SECONDS],
    );
    return claim ?? null;
  }

  /** Records how far the search has come, and keeps the right for longer. False if another process has taken it over. */
  async advance({ holder, processedAt, mediaId }: MergingClaim): Promise<boolean> {
    const kept = await this.database.write(
      `update file_merging set processed_at = $2, media_id = $3, busy_until = now() + $4 * interval '1 second'
       where holder = $1 returning holder`,
      [holder, processedAt, mediaId, CLAIM_SECONDS],
    );
    return kept.length > 0;
  }

  async endClaim(holder: string): Promise<void> {
    await this.database.write('update file_merging set busy_until = now(), holder = null where holder = $1', [
      holder,
    ]);
  }

  /** The media after a position that were processed at least `seconds` ago, in order. */
  findNext(
    { processedAt, mediaId }: MergingPosition,
    seconds: number,
    limit: number,
  ): Promise<CheckedMedia[]> {
    return this.database.query(
      `select m.id as "mediaId", m.processed_at::text as "processedAt", m.slug, m.ext, m.bytes, m.stored_sha256 as sha256,
              m.shared_key is null and exists (
                select from media other where other.stored_sha256 = m.stored_sha256 and other.bytes = m.bytes
                  and other.id <> m.id) as "hasEqual"
       from media m
       where (m.processed_at, m.id) > ($1::timestamptz, $2::bigint)
         and m.processed_at < now() - $3 * interval '1 second'
       order by m.processed_at, m.id limit $4`,
      [processedAt, mediaId, seconds, limit],
    );
  }

  /**
   * The originals that have the same bytes as that of a media item: the shared file if there is one, else those of the first
   * media that were processed before it.
   */
  async findKept({ sha256, bytes, processedAt, mediaId }: CheckedMedia): Promise<readonly KeptOriginal[]> {
    const shared: KeptOriginal[] = await this.database.query(
      `select key, null as "mediaId" from shared_files
       where sha256 = $1 and bytes = $2 and unused_since is null`,
      [sha256, bytes],
    );
    if (shared.length > 0) return shared;
    const owners: { mediaId: number; slug: string; ext: string }[] = await this.database.query(
      `select id as "mediaId", slug, ext from media
       where stored_sha256 = $1 and bytes = $2 and shared_key is null
         and (processed_at, id) < ($3::timestamptz, $4::bigint)
       order by processed_at, id limit $5`,
      [sha256, bytes, processedAt, mediaId, MAX_KEEPERS],
    );
    return owners.map((owner) => ({
      key: objectKeys.original(owner.slug, owner.ext),
      mediaId: owner.mediaId,
    }));
  }

  /** Locks those of these media that refer to no shared file, in the order of their ids; returns how many. */
  async lockSeparate(tx: Transaction, ids: readonly number[]): Promise<number> {
    const rows = await tx.query(
      'select from media where id = any($1::bigint[]) and shared_key is null order by id for no key update',
      [ids],
    );
    return rows.length;
  }

  /** Keeps a shared file from becoming unused until the transaction ends. False if it is unused already. */
  hold(tx: Transaction, key: string): Promise<boolean> {
    return tx.affects('select from shared_files where key = $1 and unused_since is null for share', [key]);
  }

  /** Makes an object a shared file. False if there is one with the same bytes already. */
  insert(
    tx: Transaction,
    key: string,
    { sha256, bytes }: Pick<CheckedMedia, 'sha256' | 'bytes'>,
  ): Promise<boolean> {
    return tx.affects(
      'insert into shared_files (key, sha256, bytes) values ($1, $2, $3) on conflict do nothing',
      [key, sha256, bytes],
    );
  }

  /**
   * Records that the object under a media item's own key must be deleted after this number of seconds, and kept until then.
   * Returns false, and changes nothing, if the deletion of the object has begun.
   */
  addRedundant(tx: Transaction, mediaId: number, key: string, afterSeconds: number): Promise<boolean> {
    return tx.affects(
      `insert into redundant_files (media_id, key, remove_after) values ($1, $2, now() + $3 * interval '1 second')
       on conflict (media_id) do update set remove_after = excluded.remove_after
         where redundant_files.remove_after > '-infinity'`,
      [mediaId, key, afterSeconds],
    );
  }

  /**
   * Takes redundant files that can be deleted: from then on, `addRedundant` returns false for them. A job that makes variants
   * of the media item may have been told the old key, so it must have ended.
   */
  async takeRedundant(limit: number): Promise<RedundantFile[]> {
    return this.database.write(
      `update redundant_files taken set remove_after = '-infinity'
       from media m
       where m.id = taken.media_id and taken.media_id in (
         select r.media_id from redundant_files r
         where r.remove_after < now()
           and not exists (select from processing_turns turn where turn.media_id = r.media_id)
           and not exists (select from variant_work w where w.media_id = r.media_id and w.work = 'make')
           and not exists (select from alternative_work w where w.media_id = r.media_id and w.requested_at is not null)
         order by r.remove_after limit $1 for update skip locked)
       returning m.id as "mediaId", taken.key, m.shared_key as "sharedKey", m.bytes`,
      [limit],
    );
  }

  /** Records that these redundant files are deleted. */
  async endRedundant(mediaIds: readonly number[]): Promise<void> {
    await this.database.write('delete from redundant_files where media_id = any($1::bigint[])', [mediaIds]);
  }

  /** Lets the next attempt at these redundant files wait for `seconds`. */
  async postponeRedundant(mediaIds: readonly number[], seconds: number): Promise<void> {
    await this.database.write(
      `update redundant_files set remove_after = now() + $2 * interval '1 second' where media_id = any($1::bigint[])`,
      [mediaIds, seconds],
    );
  }

  async removeRedundant(tx: Transaction, mediaId: number): Promise<void> {
    await tx.query('delete from redundant_files where media_id = $1', [mediaId]);
  }

  /**
   * Records which of these shared files no media item refers to any longer; the caller has removed references in the same
   * transaction. Of simultaneous transactions, the last one finds that a file is unused.
   */
  async release(tx: Transaction, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    // A statement of its own: the next one must see what the transactions have done for which this one waits.
    await tx.query('select from shared_files where key = any($1) order by key for update', [keys]);
    await tx.query(
      `update shared_files set unused_since = now()
       where key = any($1) and unused_since is null and not exists (select from media where shared_key = shared_files.key)`,
      [keys],
    );
  }

  /** Keys of unused shared files, whose objects must be deleted. */
  async findUnused(limit: number): Promise<readonly string[]> {
    const rows: { key: string }[] = await this.database.query(
      'select key from shared_files where unused_since is not null order by unused_since limit $1',
      [limit],
    );
    return rows.map(({ key }) => key);
  }

  /** Forgets unused shared files, whose objects are deleted. */
  async endUnused(keys: readonly string[]): Promise<void> {
    await this.database.write('delete from shared_files where key = any($1) and unused_since is not null', [
      keys,
    ]);
  }

  /** Locks a shared file. Returns whether only this media item refers to it. */
  async lockUnshared(tx: Transaction, mediaId: number, key: string): Promise<boolean> {
    await tx.query('select from shared_files where key = $1 for update', [key]);
    const others = await tx.query('select from media where shared_key = $1 and id <> $2 limit 1', [
      key,
      mediaId,
    ]);
    return others.length === 0;
  }

  /** Forgets a locked shared file to which no media item refers, and keeps its object. */
  async remove(tx: Transaction, key: string): Promise<void> {
    await tx.query('delete from shared_files where key = $1', [key]);
  }

  /** Of these keys, those of shared files, used or not. */
  async findShared(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const rows: { key: string }[] = await this.database.query(
      'select key from shared_files where key = any($1)',
      [keys],
    );
    return new Set(rows.map(({ key }) => key));
  }

  /** Media that refer to shared files, after the one with the id `after`. */
  findSharing(after: number, limit: number): Promise<SharingMedia[]> {
    return this.database.query(
      `select id, slug, ext, shared_key as "sharedKey", bytes from media
       where shared_key is not null and id > $1 order by id limit $2`,
      [after, limit],
    );
  }

  /** Locks a media item; the key of the shared file to which it refers, null if there is none. */
  async lockSharing(tx: Transaction, mediaId: number): Promise<string | null> {
    const [row] = await tx.query<{ key: string | null }>(
      'select shared_key as key from media where id = $1 for no key update',
      [mediaId],
    );
    return row?.key ?? null;
  }

  /** Bytes of originals that aren't stored because equal ones are. */
  async findSavedBytes(): Promise<number> {
    const [row]: { bytes: number }[] = await this.database.query(
      `select ((select coalesce(sum(bytes), 0) from media where shared_key is not null)
             - (select coalesce(sum(bytes), 0) from shared_files where unused_since is null)
             - (select coalesce(sum(m.bytes), 0) from redundant_files r join media m on m.id = r.media_id))::float8 as bytes`,
    );
    return row?.bytes ?? 0;
  }
}
