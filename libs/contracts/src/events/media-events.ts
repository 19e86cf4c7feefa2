import { defineEvent } from './event';
import type { VariantFileName } from '../media/variant-size';
import type { ModerationStatus } from '../vocabulary/moderation';

/** The beginning of every event of a media item. */
export interface MediaEvent {
  readonly media_id: number;
  readonly slug: string;
  /** Grows with every event of this media item, in the order of the commits; numbers may be missing. */
  readonly sequence: number;
  readonly kind: 'image' | 'video';
  /** Username of the owner; null if it belongs to a guest or to nobody. */
  readonly owner: string | null;
}

/** A file has been uploaded: its scrubbed original is stored and its row is committed. */
export interface MediaUploaded extends MediaEvent {
  /** Format, detected from the content, e.g. `jpeg`, `heic`, `matroska`. */
  readonly format: string;
  readonly mime: string;
  readonly ext: string;
  readonly bytes: number;
  /** Pixels as displayed. */
  readonly width: number;
  readonly height: number;
  /** Number of pictures in an image file; 1 for stills and videos. */
  readonly frames: number;
  /** Seconds, videos only. */
  readonly duration: number | null;
}
export const mediaUploaded = defineEvent<MediaUploaded>()('media.uploaded', 1, { consumers: [] });

/** All variants of a media item are recorded for the first time. */
export interface MediaProcessed extends MediaEvent {
  readonly variants: readonly ProcessedVariant[];
  /** ThumbHash in base64. */
  readonly thumbhash: string;
  /** Pixels as displayed. */
  readonly width: number;
  readonly height: number;
  /** Seconds, videos only. */
  readonly duration: number | null;
}
export interface ProcessedVariant {
  readonly name: VariantFileName;
  /** The name below `/f/` on the file host. */
  readonly file_name: string;
  readonly mime: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}
export const mediaProcessed = defineEvent<MediaProcessed>()('media.processed', 1, { consumers: [] });

/** The processing of a media item has failed permanently; it is rejected. */
export interface MediaFailed extends MediaEvent {
  /** A sentence for the uploader, without paths and output of tools. */
  readonly reason: string;
}
export const mediaFailed = defineEvent<MediaFailed>()('media.failed', 1, { consumers: [] });

/** An automated or human decision on a media item has been recorded. */
export interface MediaModerated extends MediaEvent {
  readonly decision_id: number;
  readonly from: ModerationStatus;
  readonly to: ModerationStatus;
  /** Reason code, e.g. `classifier_safe`, `banned_hash`, `processing_failed`. */
  readonly reason: string;
  /** Who decided: `system`, `owner` if the owner's `is_nsfw` changed the status, or a moderator's username. */
  readonly decided_by: string;
}
export const mediaModerated = defineEvent<MediaModerated>()('media.moderated', 1, { consumers: [] });

/** A media item has been rejected: its files are kept, but no longer served. */
export interface MediaWithdrawn extends MediaEvent {
  /** The names below `/f/` that shared caches may keep. */
  readonly file_names: readonly string[];
}
export const mediaWithdrawn = defineEvent<MediaWithdrawn>()('media.withdrawn', 1, {
  consumers: ['upload-service'],
});

/** The row of a media item has been deleted; its objects must be deleted too. */
export interface MediaDeleted extends MediaEvent {
  /** The names below `/f/` that shared caches may keep. */
  readonly file_names: readonly string[];
}
export const mediaDeleted = defineEvent<MediaDeleted>()('media.deleted', 1, {
  consumers: ['upload-service'],
});
