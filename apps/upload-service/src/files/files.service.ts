import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  ALTERNATIVE_MIME,
  type AlternativeExtension,
  type AlternativeRecord,
  isSized,
  objectKeys,
  type StoredVariant,
  type VariantName,
  type VariantRecord,
} from '@vitrine/contracts';
import {
  MediaReading,
  NotFoundError,
  type ServedMedia,
  UnavailableError,
  canServeOriginalInstead,
  isAnimation,
  originalKeyOf,
  variantExtensions,
} from '@vitrine/domain';
import type { ObjectInfo } from '@vitrine/storage';
import type { CachedFile } from './cache-headers';
import { type FileName, parseFileName } from './file-name';
import type { PictureClass } from './picture-class';
import { ServedMediaCache } from './served-media-cache';
import { VariantUses } from './variant-uses';

/** The object that is served for a file name. */
export interface ServedFile extends CachedFile {
  /** The media item's own key for it. What is kept in memory depends on it, so it doesn't tell what other media share. */
  readonly key: string;
  /** The key under which the bytes are stored: that of another media item if their originals are equal and merged. */
  readonly storedKey: string;
  readonly mime: string;
  /** Strong ETag of the object's bytes, with quotes. Every replica makes the same one. */
  etagOf(object: ObjectInfo): string;
  /** The name of the size; null for the original, also if it serves as a size, and for what only animations have. */
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
    private readonly media: MediaReading,
    private readonly uses: VariantUses,
  ) {}

  /**
   * The object for a file's name and the class of a client. Null stands for a request that always gets the file of
   * this name. Throws `NotFoundError` if the media item is unknown, rejected, deleted or failed,
   * `VariantMissingError` and `VariantRemovedError`.
   */
  async find(name: string, pictures: PictureClass | null): Promise<ServedFile> {
    const asked = parseFileName(name);
    const media = asked && (await this.cache.find(asked.slug));
    if (!media) throw new NotFoundError();
    const file = fileOf(media, asked, pictures);
    if (!file) throw new NotFoundError();
    if (file === 'missing') throw new VariantMissingError(media.slug);
    if ('removed' in file) {
      const instead = canServeOriginalInstead(media, file.removed.name)
        ? originalOf(media, { ...PLAIN, final: false, isShared: false })
        : null;
      throw new VariantRemovedError(media.slug, file.removed.key, instead);
    }
    if (file.variant) this.uses.note(media.slug, file.variant);
    return file;
  }

  /** As `find`, if it is known without a query; null also if it isn't served. */
  findKnown(name: string, pictures: PictureClass): ServedFile | null {
    const asked = parseFileName(name);
    const media = asked && this.cache.findKnown(asked.slug);
    const file = media ? fileOf(media, asked, pictures) : null;
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

/** How a file is kept by caches. */
type Kept = Omit<CachedFile, 'slug' | 'isAlternative'>;

/** What holds for files that have one type for all clients. */
const PLAIN = { isNegotiated: false, isUnsettled: false } as const;

/** The formats that clients of each class accept besides JPEG. */
const ACCEPTED: Readonly<Record<PictureClass, readonly AlternativeExtension[]>> = {
  plain: [],
  webp: ['webp'],
  avif: ['avif', 'webp'],
  'avif-only': ['avif'],
};

/**
 * The object for a name of a media item and a class of clients; null if it has no file of this name, `missing` if its variant
 * does not exist yet, its record if it was removed.
 */
function fileOf(
  media: ServedMedia,
  { variant, ext }: FileName,
  pictures: PictureClass | null,
): ServedFile | 'missing' | { readonly removed: VariantRecord } | null {
  if (variant === null)
    return ext === media.ext ? originalOf(media, { ...PLAIN, final: true, isShared: true }) : null;
  const isShared = variantExtensions(media, variant).includes(ext);
  const made = media.variants.find(({ name }) => name === variant);
  if (made && isSized(made) && made.removed) return { removed: made };
  if (made) return negotiated(media, made, pictures, isShared);
  if (variant === 'loop' || variant === 'ml') return null;
  if (variant === 'still') return insteadOfStill(media);
  return canServeOriginalInstead(media, variant)
    ? originalOf(media, { ...PLAIN, final: false, isShared })
    : 'missing';
}

/** The smallest of a variant's alternatives that the client accepts; the variant itself if there is none. */
function negotiated(
  media: ServedMedia,
  made: StoredVariant,
  pictures: PictureClass | null,
  isShared: boolean,
): ServedFile {
  const copies = media.alternatives.filter(({ of }) => of === made.key);
  const isUnsettled = media.alternativesDue && ['jpg', 'png'].includes(made.ext) && pictures !== null;
  const isNegotiated = isUnsettled || (copies.length > 0 && pictures !== null);
  const kept = { final: true, isShared, isNegotiated, isUnsettled };
  const accepted = copies.filter(({ ext }) => ACCEPTED[pictures ?? 'plain'].includes(ext));
  if (accepted.length === 0) return storedVariant(media, made, kept);
  return alternativeOf(
    media,
    made,
    accepted.reduce((best, copy) => (copy.bytes < best.bytes ? copy : best)),
    kept,
  );
}

/**
 * What is served under the name of a still that doesn't exist. Animations that an older release processed have none: their
 * smallest size stands in until they are processed again. A media item that isn't an animation never has one.
 */
function insteadOfStill(media: ServedMedia): ServedFile | 'missing' | null {
  if (!isAnimation(media)) return null;
  if (!media.processed) return 'missing';
  const smallest = media.variants.find(({ name }) => name === 'xs');
  return smallest ? storedVariant(media, smallest, { ...PLAIN, final: false, isShared: false }) : null;
}

function storedVariant(media: ServedMedia, stored: StoredVariant, kept: Kept): ServedFile {
  const { name, key, mime } = stored;
  if (key === objectKeys.original(media.slug, media.ext)) return originalOf(media, kept);
  // Repeated processing replaces a variant under its key, perhaps by one of the same length.
  const etagOf = ({ etag }: ObjectInfo): string => `"${hashOf(media)}-${name}-${etag}"`;
  const variant = isSized(stored) ? stored.name : null;
  return { slug: media.slug, key, storedKey: key, mime, etagOf, variant, isAlternative: false, ...kept };
}

function alternativeOf(
  media: ServedMedia,
  made: StoredVariant,
  { key, ext }: AlternativeRecord,
  kept: Kept,
): ServedFile {
  const etagOf = ({ etag }: ObjectInfo): string => `"${hashOf(media)}-${made.name}-${ext}-${etag}"`;
  return {
    ...storedVariant(media, made, kept),
    key,
    storedKey: key,
    mime: ALTERNATIVE_MIME[ext],
    etagOf,
    isAlternative: true,
  };
}

const originalOf = (media: ServedMedia, kept: Kept): ServedFile => ({
  slug: media.slug,
  key: objectKeys.original(media.slug, media.ext),
  storedKey: originalKeyOf(media),
  mime: media.mime,
  etagOf: () => `"${hashOf(media)}"`,
  variant: null,
  isAlternative: false,
  ...kept,
});

const hashOf = (media: ServedMedia): string => media.storedSha256.toString('hex', 0, 16);
