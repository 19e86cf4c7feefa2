import { defineEvent } from './event';
import type { MediaUploaded } from './media-uploaded';

/**
 * The variants of a file must be generated, as for `media.processing_requested`, but the work may take minutes. Such work
 * never occupies all workers.
 */
export type MediaLongProcessingRequested = MediaUploaded;
export const mediaLongProcessingRequested = defineEvent<MediaLongProcessingRequested>()(
  'media.long_processing_requested',
  1,
  { consumers: ['media-processor'] },
);
