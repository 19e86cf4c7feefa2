import { Injectable } from '@nestjs/common';
import { Database, hiddenFromPlanner } from '@vitrine/database';
import DataLoader from 'dataloader';
import { BATCHED_READS } from '../../base/queries/batched-reads';
import { isSuspended } from '../../base/queries/restriction-sql';
import type { ServedMedia } from './media.types';

const SERVED = `
  select m.slug, m.kind, m.format, m.frames, m.mime, m.ext, m.processed, m.variants,
          m.stored_sha256 as "storedSha256", m.shared_key as "sharedKey", m.alternatives,
          exists (select from alternative_work work where work.media_id = m.id) as "alternativesDue"
  from media m
  where m.slug = any(${hiddenFromPlanner('$1::text[]')}::text[])
    and m.moderation_status <> 'rejected' and m.processing_error is null and not ${isSuspended('m.user_id')}`;

/** Reads what the file host needs to serve media. */
@Injectable()
export class ServedMediaRepository {
  private readonly bySlug = new DataLoader<string, ServedMedia | null>(
    async (slugs) => {
      const served = await this.findServed(slugs);
      return slugs.map((slug) => served.get(slug) ?? null);
    },
    { ...BATCHED_READS },
  );

  constructor(private readonly database: Database) {}

  /** The media item with this slug; null unless it is served. Reads of one turn of the event loop share a statement. */
  findOneServed(slug: string): Promise<ServedMedia | null> {
    return this.bySlug.load(slug);
  }

  /** Those of the media with these slugs that are served, by slug. */
  async findServed(slugs: readonly string[]): Promise<ReadonlyMap<string, ServedMedia>> {
    const rows = await this.database.read<ServedMedia>(SERVED, [slugs]);
    return new Map(rows.map((row) => [row.slug, row]));
  }
}
