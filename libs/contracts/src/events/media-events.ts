import { defineEvent } from './event';
import type { ModerationStatus } from '../vocabulary/moderation';

/**
 * A file has been uploaded: its scrubbed original is stored and its row is committed. This event requests no work, and no
 * service consumes it: `media.processing_requested` and `media.long_processing_requested` do so when it is the file's turn.
 */
export interface MediaUploaded {
  readonly media_id: number;
  readonly slug: string;
  readonly kind: 'image' | 'video';
  /** Format, detected from the content, e.g. `jpeg`, `heic`, `matroska`. */
  readonly format: string;
  readonly mime: string;
  readonly ext: string;
  /** Object key of the scrubbed original; that of another media item if both are stored once. */
  readonly key: string;
  readonly bytes: number;
  /** Pixels as displayed. */
  readonly width: number;
  readonly height: number;
  /** Number of pictures in an image file; 1 for stills and videos. */
  readonly frames: number;
  /** Seconds, videos only. */
  readonly duration: number | null;
}
export const mediaUploaded = defineEvent<MediaUploaded>()('media.uploaded', 1, {
  consumers: [],
});

/** An automated or human decision on a media item has been recorded. */
export interface MediaModerated {
  readonly media_id: number;
  readonly slug: string;
  readonly decision_id: number;
  readonly from: ModerationStatus;
  readonly to: ModerationStatus;
  /** Reason code, e.g. `classifier_safe`, `banned_hash`, `processing_failed`. */
  readonly reason: string;
  /** Who decided: `system`, `owner` if the owner's `is_nsfw` changed the status, or a moderator's username. */
  readonly decided_by: string;
}
export const mediaModerated = defineEvent<MediaModerated>()('media.moderated', 1, { consumers: [] });

/** The processing of a media item has failed permanently. */
export interface MediaFailed {
  readonly media_id: number;
  readonly slug: string;
  /** A sentence for the uploader, without paths and output of tools. */
  readonly reason: string;
  /** True if the file exceeded its time limit; its uploader's next files then wait behind those of others. */
  readonly overran?: boolean;
}
export const mediaFailed = defineEvent<MediaFailed>()('media.failed', 1, {
  consumers: ['upload-service'],
});

/** A media item has been rejected: its files are kept, but no longer served. */
export interface MediaWithdrawn {
  readonly media_id: number;
  readonly slug: string;
  /** The names below `/f/` that shared caches may keep. */
  readonly file_names: readonly string[];
}
export const mediaWithdrawn = defineEvent<MediaWithdrawn>()('media.withdrawn', 1, {
  consumers: ['upload-service'],
});

/** The row of a media item has been deleted; its objects must be deleted too. */
export interface MediaDeleted {
  readonly media_id: number;
  readonly slug: string;
  /**
   * The names below `/f/` that shared caches may keep. Absent in events of releases without it: then only caches that
   * forget by slug are told.
   */
  readonly file_names?: readonly string[];
}
export const mediaDeleted = defineEvent<MediaDeleted>()('media.deleted', 1, {
  consumers: ['upload-service'],
});
