import { Injectable } from '@nestjs/common';
import { Batches } from '@vitrine/concurrency';
import { Database } from '@vitrine/database';

/** Largest number of uploads that one statement records. */
const MAX_BATCH = 50;

/** The slugs of an upload, and seconds until they may be given up. */
interface PendingUpload {
  readonly slugs: readonly string[];
  readonly seconds: number;
}

/**
 * The slugs under which objects may be stored although no media item has them. An upload records its slugs before it stores
 * files, and the statement that inserts the media removes them (`INSERTION`); the one that deletes media records theirs,
 * because a media-processor may store variants later. So a sweep finds what a killed process has stored without a listing
 * of the storage. It first gives a slug up, so that no media item can be registered with it, and deletes its objects much
 * later, when the transactions have ended that didn't see that. It deletes no object of a media item: an upload may have
 * recorded a slug that was taken.
 */
@Injectable()
export class PendingFiles {
  private readonly batches = new Batches<PendingUpload, null>(MAX_BATCH, (uploads) => this.insert(uploads));

  constructor(private readonly database: Database) {}

  /** Records the slugs of an upload that is going to store files, which must be registered within `seconds`. */
  async record(slugs: readonly string[], seconds: number): Promise<void> {
    await this.batches.run('', { slugs, seconds });
  }

  /** Forgets slugs whose objects their upload has stored and deleted again, unless they are given up. */
  async forget(slugs: readonly string[]): Promise<void> {
    await this.database.write('delete from pending_files where slug = any($1) and not given_up', [slugs]);
  }

  /** Gives up what is due; the objects may be deleted after `seconds`. Returns how many. */
  async giveUp(seconds: number): Promise<number> {
    const rows = await this.database.write(
      `update pending_files set given_up = true, due_at = now() + $1 * interval '1 second'
       where due_at < now() and not given_up returning slug`,
      [seconds],
    );
    return rows.length;
  }

  /** Slugs whose objects must be deleted now. Until they are ended, they are taken again after `seconds`. */
  async takeGivenUp(limit: number, seconds: number): Promise<readonly string[]> {
    const rows = await this.database.write<{ slug: string }>(
      `update pending_files set due_at = now() + $2 * interval '1 second'
       where slug in (select slug from pending_files where due_at < now() and given_up
                      order by due_at limit $1 for update skip locked)
       returning slug`,
      [limit, seconds],
    );
    return rows.map(({ slug }) => slug);
  }

  /** Records that the objects of these slugs are deleted. */
  async end(slugs: readonly string[]): Promise<void> {
    await this.database.write('delete from pending_files where slug = any($1) and given_up', [slugs]);
  }

  private async insert(uploads: readonly PendingUpload[]): Promise<readonly null[]> {
    await this.database.write(
      `insert into pending_files (slug, due_at)
       select slug, now() + $2 * interval '1 second' from unnest($1::text[]) as slug on conflict do nothing`,
      [uploads.flatMap(({ slugs }) => slugs), Math.max(...uploads.map(({ seconds }) => seconds))],
    );
    return uploads.map(() => null);
  }
}
