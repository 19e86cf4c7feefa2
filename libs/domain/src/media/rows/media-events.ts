import {
  isSized,
  type LoopVariant,
  type StepVariant,
  type MediaEvent,
  type MediaProcessed,
  type MediaProcessingRequested,
  type MediaUploaded,
  type MediaVariantsStored,
  objectKeys,
  type StillVariant,
  type StoredVariant,
  storedVariants,
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

export const processingRequest = (media: ProcessableMedia): MediaProcessingRequested => ({
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

/** What a statement that changes a media item returns for the event of the change. */
export interface EventFacts {
  readonly sequence: number;
  /** Username; null if it belongs to a guest or to nobody. */
  readonly owner: string | null;
}

/** The columns of `EventFacts`, of a statement that changes `media`. */
export const EVENT_FACTS = `media.event_sequence as sequence,
  (select username from users where id = media.user_id and kind = 'member') as owner`;

/** The beginning of the event of a media item. */
export const mediaEvent = (
  { id, slug, kind }: Pick<MediaEntity, 'id' | 'slug' | 'kind'>,
  { sequence, owner }: EventFacts,
): MediaEvent => ({ media_id: id, slug, sequence, kind, owner });

export const uploadedEvent = (media: ProcessableMedia & EventFacts): MediaUploaded => ({
  ...mediaEvent(media, media),
  format: media.format,
  mime: media.mime,
  ext: media.ext,
  bytes: media.bytes,
  width: media.width,
  height: media.height,
  frames: media.frames,
  duration: media.duration,
});

export const processedEvent = (
  media: Pick<MediaEntity, 'id' | 'slug' | 'kind'>,
  facts: EventFacts,
  result: MediaVariantsStored,
): MediaProcessed => ({
  ...mediaEvent(media, facts),
  variants: storedVariants(result).map(({ name, ext, mime, width, height, bytes }) => ({
    name,
    file_name: `${media.slug}_${name}.${ext}`,
    mime,
    width,
    height,
    bytes,
  })),
  thumbhash: result.thumbhash,
  width: result.width,
  height: result.height,
  duration: result.duration,
});

/** The result of media-processor again, for a media item that is recorded as processed. */
export const recordedResult = (media: MediaEntity): MediaVariantsStored => ({
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
function sortVariants(
  stored: readonly StoredVariant[],
): Pick<MediaVariantsStored, 'variants' | 'still' | 'loop' | 'step'> {
  const still = stored.find((variant): variant is StillVariant => variant.name === 'still');
  const loop = stored.find((variant): variant is LoopVariant => variant.name === 'loop');
  const step = stored.find((variant): variant is StepVariant => variant.name === 'ml');
  return {
    variants: stored.filter(isSized),
    ...(still && { still }),
    ...(loop && { loop }),
    ...(step && { step }),
  };
}
