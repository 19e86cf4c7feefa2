import {
  isSized,
  type LoopVariant,
  type MediaProcessed,
  type MediaUploaded,
  objectKeys,
  type StillVariant,
  type StoredVariant,
} from '@vitrine/contracts';
import type { MediaEntity } from './media.entity';

/** The key of the object that holds the original of a media item, which may be shared with other media. */
export const originalKeyOf = ({
  slug,
  ext,
  sharedKey,
}: Readonly<Pick<MediaEntity, 'slug' | 'ext' | 'sharedKey'>>): string =>
  sharedKey ?? objectKeys.original(slug, ext);

/** What the processor needs to know about a file. */
export type ProcessableMedia = Pick<
  MediaEntity,
  | 'id'
  | 'slug'
  | 'kind'
  | 'format'
  | 'mime'
  | 'ext'
  | 'sharedKey'
  | 'bytes'
  | 'width'
  | 'height'
  | 'frames'
  | 'duration'
>;

/** The columns of `ProcessableMedia`, of the table `media` as `m`. */
export const PROCESSABLE = `m.id, m.slug, m.kind, m.format, m.mime, m.ext, m.shared_key as "sharedKey", m.bytes, m.width, m.height,
  m.frames, m.duration`;

export const uploadedEvent = (media: ProcessableMedia): MediaUploaded => ({
  media_id: media.id,
  slug: media.slug,
  kind: media.kind,
  format: media.format,
  mime: media.mime,
  ext: media.ext,
  key: originalKeyOf(media),
  bytes: media.bytes,
  width: media.width,
  height: media.height,
  frames: media.frames,
  duration: media.duration,
});

export const processedEvent = (media: MediaEntity): MediaProcessed => ({
  media_id: media.id,
  slug: media.slug,
  ...sortVariants(media.variants),
  thumbhash: media.thumbhash ?? '',
  width: media.width,
  height: media.height,
  duration: media.duration,
  hashes: media.hashes,
  fully_seen: media.fullySeen,
  frames: media.frameKeys,
  took_ms: 0,
});

/** The variants of a row as the event has them. */
function sortVariants(stored: readonly StoredVariant[]): Pick<MediaProcessed, 'variants' | 'still' | 'loop'> {
  const still = stored.find((variant): variant is StillVariant => variant.name === 'still');
  const loop = stored.find((variant): variant is LoopVariant => variant.name === 'loop');
  return { variants: stored.filter(isSized), ...(still && { still }), ...(loop && { loop }) };
}
