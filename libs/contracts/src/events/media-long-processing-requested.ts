import { defineEvent } from './event';
import type { MediaUploaded } from './media-uploaded';

/**
 * It is this file's turn, as in `media.processing_requested`, but its work may take minutes. Such work never takes every
 * worker.
 */
export type MediaLongProcessingRequested = MediaUploaded;
export const mediaLongProcessingRequested = defineEvent<MediaLongProcessingRequested>()(
  'media.long_processing_requested',
  1,
  { consumers: ['media-processor'] },
);
