import { Injectable } from '@nestjs/common';
import { objectKeys } from '@vitrine/contracts';
import { MediaReading } from '@vitrine/domain';
import { ObjectStorage } from '@vitrine/storage';

/** Deletes the objects of deleted media. */
@Injectable()
export class PurgeService {
  constructor(
    private readonly media: MediaReading,
    private readonly storage: ObjectStorage,
  ) {}

  /** Deletes every object of a slug, unless a media item has this slug; returns their number. Idempotent. */
  async purge(slug: string): Promise<number> {
    const inUse = await this.media.findExistingSlugs([slug]);
    if (inUse.has(slug)) return 0;
    const keys: string[] = [];
    for (const prefix of objectKeys.ofMedia(slug)) {
      for await (const object of this.storage.list(prefix)) keys.push(object.key);
    }
    await this.storage.delete(keys);
    return keys.length;
  }
}
