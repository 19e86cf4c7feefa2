import { Injectable } from '@nestjs/common';
import { objectKeys } from '@vitrine/contracts';
import {
  type MediaEntity,
  MediaService,
  NotFoundError,
  originalStandsIn,
  UnavailableError,
} from '@vitrine/domain';
import { parseFileName } from './file-name';
import { ServedMediaCache } from './served-media-cache';

/** One object that answers a request for a file. */
export interface ServedFile {
  readonly key: string;
  readonly mime: string;
  /** Strong, with its quotes; the same on every replica. */
  readonly etag: string;
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
      // Variants are a function of the original; bytes and time tell the work of one release from the next's.
      const version = `${made.bytes.toString(36)}-${media.processedAt?.getTime().toString(36)}`;
      const etag = `"${media.storedSha256.toString('hex', 0, 16)}-${made.name}-${version}"`;
      return { key: made.key, mime: made.mime, etag, final: true };
    }
    if (!originalStandsIn(media, asked.variant)) throw new UnavailableError(RETRY_AFTER);
    return originalOf(media, false);
  }
}

const originalOf = (media: MediaEntity, final: boolean): ServedFile => ({
  key: objectKeys.original(media.slug, media.ext),
  mime: media.mime,
  etag: `"${media.storedSha256.toString('hex', 0, 16)}"`,
  final,
});
