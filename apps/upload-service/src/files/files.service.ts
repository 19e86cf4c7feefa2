import { Injectable } from '@nestjs/common';
import { objectKeys } from '@vitrine/contracts';
import {
  type MediaEntity,
  MediaReading,
  NotFoundError,
  canServeOriginalInstead,
  UnavailableError,
} from '@vitrine/domain';
import type { ObjectInfo } from '@vitrine/storage';
import { parseFileName } from './file-name';
import { ServedMediaCache } from './served-media-cache';

/** The object that is served for a file name. */
export interface ServedFile {
  readonly key: string;
  readonly mime: string;
  /** Strong ETag of the object's bytes, with quotes. Every replica makes the same one. */
  etagOf(object: ObjectInfo): string;
  /** False if the original is served instead of a variant that does not exist yet. */
  readonly final: boolean;
}

/** Seconds after which a missing variant may be requested again. */
const RETRY_AFTER = 2;

/** The variant does not exist yet, and the original can't be served instead. */
export class VariantMissingError extends UnavailableError {
  constructor(readonly slug: string) {
    super(RETRY_AFTER);
  }
}

/** Finds the object for a file's public name. */
@Injectable()
export class FilesService {
  private readonly cache = new ServedMediaCache((slug) => this.media.findServed(slug));

  constructor(private readonly media: MediaReading) {}

  /**
   * Throws `NotFoundError` if the media item is unknown, rejected, deleted or failed, and `VariantMissingError`.
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
      // Repeated processing replaces a variant under its key, perhaps by one of the same length.
      const etagOf = ({ etag }: ObjectInfo): string => `"${hashOf(media)}-${made.name}-${etag}"`;
      return { key: made.key, mime: made.mime, etagOf, final: true };
    }
    if (!canServeOriginalInstead(media, asked.variant)) throw new VariantMissingError(media.slug);
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
