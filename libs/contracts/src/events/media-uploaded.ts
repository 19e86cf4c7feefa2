import { defineEvent } from './event';

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
