import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { objectKeys, type StoredVariant } from '@vitrine/contracts';
import {
  MediaReading,
  NotFoundError,
  type ServedMedia,
  UnavailableError,
  canServeOriginalInstead,
  isAnimation,
} from '@vitrine/domain';
import type { ObjectInfo } from '@vitrine/storage';
import { type FileName, parseFileName } from './file-name';
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
export class FilesService implements OnApplicationShutdown {
  private readonly cache = new ServedMediaCache({
    find: (slug) => this.media.findServed(slug),
    findAll: (slugs) => this.media.findAllServed(slugs),
  });

  constructor(private readonly media: MediaReading) {}

  /**
   * Throws `NotFoundError` if the media item is unknown, rejected, deleted or failed, and `VariantMissingError`.
   */
  async find(name: string): Promise<ServedFile> {
    const asked = parseFileName(name);
    const media = asked && (await this.cache.find(asked.slug));
    if (!media) throw new NotFoundError();
    const file = fileOf(media, asked);
    if (!file) throw new NotFoundError();
    if (file === 'missing') throw new VariantMissingError(media.slug);
    return file;
  }

  /** The object for a file name, if it is known without a query; null also if it isn't served. */
  findKnown(name: string): ServedFile | null {
    const asked = parseFileName(name);
    const media = asked && this.cache.findKnown(asked.slug);
    const file = media ? fileOf(media, asked) : null;
    return file === 'missing' ? null : file;
  }

  /** Reads the row of a media item again with its next request, because it has changed. */
  forget(slug: string): void {
    this.cache.forget(slug);
  }

  onApplicationShutdown(): void {
    this.cache.close();
  }
}

/** The object for a name of a media item; null if it has no file of this name, `missing` if its variant does not exist yet. */
function fileOf(media: ServedMedia, asked: FileName): ServedFile | 'missing' | null {
  if (asked.variant === null) return asked.ext === media.ext ? originalOf(media, true) : null;
  const made = media.variants.find((variant) => variant.name === asked.variant);
  if (made) return storedVariant(media, made, true);
  if (asked.variant === 'still') return insteadOfStill(media);
  return canServeOriginalInstead(media, asked.variant) ? originalOf(media, false) : 'missing';
}

/**
 * What is served under the name of a still that doesn't exist. Animations that an older release processed have none: their
 * smallest size stands in until they are processed again. A media item that isn't an animation never has one.
 */
function insteadOfStill(media: ServedMedia): ServedFile | 'missing' | null {
  if (!isAnimation(media)) return null;
  if (!media.processed) return 'missing';
  const smallest = media.variants.find(({ name }) => name === 'xs');
  return smallest ? storedVariant(media, smallest, false) : null;
}

function storedVariant(media: ServedMedia, { name, key, mime }: StoredVariant, final: boolean): ServedFile {
  if (key === objectKeys.original(media.slug, media.ext)) return originalOf(media, final);
  // Repeated processing replaces a variant under its key, perhaps by one of the same length.
  const etagOf = ({ etag }: ObjectInfo): string => `"${hashOf(media)}-${name}-${etag}"`;
  return { key, mime, etagOf, final };
}

const originalOf = (media: ServedMedia, final: boolean): ServedFile => ({
  key: objectKeys.original(media.slug, media.ext),
  mime: media.mime,
  etagOf: () => `"${hashOf(media)}"`,
  final,
});

const hashOf = (media: ServedMedia): string => media.storedSha256.toString('hex', 0, 16);
