import { Injectable } from '@nestjs/common';
import { objectKeys } from '@vitrine/contracts';
import {
  type MediaEntity,
  MediaService,
  NotFoundError,
  originalStandsIn,
  UnavailableError,
} from '@vitrine/domain';
import type { ObjectInfo } from '@vitrine/storage';
import { parseFileName } from './file-name';
import { ServedMediaCache } from './served-media-cache';

/** One object that answers a request for a file. */
export interface ServedFile {
  readonly key: string;
  readonly mime: string;
  /** Of these bytes under the key: strong, with its quotes, the same on every replica. */
  etagOf(object: ObjectInfo): string;
  /** False where it only stands in for a variant that isn't made yet. */
  readonly final: boolean;
}

/** Seconds after which a variant is worth another try. */
const RETRY_AFTER = 2;

/** Which object a file's public name means. */
@Injectable()
export class FilesService {
  private readonly cache = new ServedMediaCache((slug) => this.media.findServed(slug));

  constructor(private readonly media: MediaService) {}

  /**
   * Throws `NotFoundError` for whatever isn't served: unknown, rejected, deleted, failed; `UnavailableError` for a
   * variant that isn't made yet where the original can't stand in.
   */
  async find(name: string): Promise<ServedFile> {
    const asked = parseFileName(name);
    const media = asked && (await this.cache.find(asked.slug));
    if (!media) throw new NotFoundError();
    if (asked.variant === null) {
      if (asked.ext !== media.ext) throw new NotFoundError();
      return originalOf(media, true);
    }
    const made = media.variants.find((variant) => variant.name === asked.variant);
    if (made) {
      if (made.key === objectKeys.original(media.slug, media.ext)) return originalOf(media, true);
      // Processing begun anew replaces a variant under its key, and maybe by one of the same length.
      const etagOf = ({ etag }: ObjectInfo): string => `"${hashOf(media)}-${made.name}-${etag}"`;
      return { key: made.key, mime: made.mime, etagOf, final: true };
    }
    if (!originalStandsIn(media, asked.variant)) throw new UnavailableError(RETRY_AFTER);
    return originalOf(media, false);
  }
}

const originalOf = (media: MediaEntity, final: boolean): ServedFile => ({
  key: objectKeys.original(media.slug, media.ext),
  mime: media.mime,
  etagOf: () => `"${hashOf(media)}"`,
  final,
});

const hashOf = (media: MediaEntity): string => media.storedSha256.toString('hex', 0, 16);
