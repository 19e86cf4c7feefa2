import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { objectKeys, type VariantName, type VariantRecord } from '@vitrine/contracts';
import {
  MediaReading,
  NotFoundError,
  type ServedMedia,
  UnavailableError,
  canServeOriginalInstead,
  variantExtensions,
} from '@vitrine/domain';
import type { ObjectInfo } from '@vitrine/storage';
import { type FileName, parseFileName } from './file-name';
import { ServedMediaCache } from './served-media-cache';
import { VariantUses } from './variant-uses';

/** The object that is served for a file name. */
export interface ServedFile {
  readonly key: string;
  readonly mime: string;
  /** Strong ETag of the object's bytes, with quotes. Every replica makes the same one. */
  etagOf(object: ObjectInfo): string;
  readonly slug: string;
  /** False if the original is served instead of a variant that does not exist yet. */
  readonly final: boolean;
  /** Whether shared caches may keep it under the name that was asked for, because a purge names it. */
  readonly isShared: boolean;
  /** The name of the variant; null for the original, also if it serves as a variant. */
  readonly variant: VariantName | null;
}

/** Seconds after which a missing variant may be requested again. */
const RETRY_AFTER = 2;

/** The variant does not exist yet, and the original can't be served instead. */
export class VariantMissingError extends UnavailableError {
  constructor(readonly slug: string) {
    super(RETRY_AFTER);
  }
}

/** The variant has been removed because nobody requested it, and must be made again. */
export class VariantRemovedError extends UnavailableError {
  constructor(
    readonly slug: string,
    readonly key: string,
    /** The original, if browsers can show it instead. */
    readonly instead: ServedFile | null,
  ) {
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

  constructor(
    @Inject(MediaReading) private readonly media: MediaReading,
    @Inject(VariantUses) private readonly uses: VariantUses,
  ) {}

  /**
   * Throws `NotFoundError` if the media item is unknown, rejected, deleted or failed, `VariantMissingError` and
   * `VariantRemovedError`.
   */
  async find(name: string): Promise<ServedFile> {
    const asked = parseFileName(name);
    const media = asked && (await this.cache.find(asked.slug));
    if (!media) throw new NotFoundError();
    const file = fileOf(media, asked);
    if (!file) throw new NotFoundError();
    if (file === 'missing') throw new VariantMissingError(media.slug);
    if ('removed' in file) {
      const { name } = file.removed;
      const kept = { final: false, isShared: isSharedName(media, name, asked.ext) };
      const instead = canServeOriginalInstead(media, name) ? originalOf(media, kept) : null;
      throw new VariantRemovedError(media.slug, file.removed.key, instead);
    }
    if (file.variant) this.uses.note(media.slug, file.variant);
    return file;
  }

  /** The object for a file name, if it is known without a query; null also if it isn't served. */
  findKnown(name: string): ServedFile | null {
    const asked = parseFileName(name);
    const media = asked && this.cache.findKnown(asked.slug);
    const file = media ? fileOf(media, asked) : null;
    if (!asked || !file || file === 'missing' || 'removed' in file) return null;
    if (file.variant) this.uses.note(asked.slug, file.variant);
    return file;
  }

  /** Reads the row of a media item again with its next request, because it has changed. */
  forget(slug: string): void {
    this.cache.forget(slug);
  }

  onApplicationShutdown(): void {
    this.cache.close();
  }
}

/**
 * The object for a name of a media item; null if it has no file of this name, `missing` if its variant does not exist yet, its
 * record if it was removed.
 */
function fileOf(
  media: ServedMedia,
  { variant, ext }: FileName,
): ServedFile | 'missing' | { readonly removed: VariantRecord } | null {
  if (variant === null) return ext === media.ext ? originalOf(media, { final: true, isShared: true }) : null;
  const isShared = isSharedName(media, variant, ext);
  const made = media.variants.find(({ name }) => name === variant);
  if (made) {
    if (made.key === objectKeys.original(media.slug, media.ext))
      return originalOf(media, { final: true, isShared });
    if (made.removed) return { removed: made };
    // Repeated processing replaces a variant under its key, perhaps by one of the same length.
    const etagOf = ({ etag }: ObjectInfo): string => `"${hashOf(media)}-${made.name}-${etag}"`;
    return {
      slug: media.slug,
      key: made.key,
      mime: made.mime,
      etagOf,
      final: true,
      isShared,
      variant: made.name,
    };
  }
  return canServeOriginalInstead(media, variant) ? originalOf(media, { final: false, isShared }) : 'missing';
}

const originalOf = (media: ServedMedia, kept: Pick<ServedFile, 'final' | 'isShared'>): ServedFile => ({
  slug: media.slug,
  key: objectKeys.original(media.slug, media.ext),
  mime: media.mime,
  etagOf: () => `"${hashOf(media)}"`,
  ...kept,
  variant: null,
});

/** Whether shared caches may keep a variant under a name with this extension. */
const isSharedName = (media: ServedMedia, variant: VariantName, ext: string): boolean =>
  variantExtensions(media, variant).includes(ext);

const hashOf = (media: ServedMedia): string => media.storedSha256.toString('hex', 0, 16);
