import { defineEvent } from './event';
import type { MediaUploaded } from './media-uploaded';

/**
 * It is this file's turn: its variants must be made. The file is expected to take about a second, and is within its
 * uploader's share.
 */
export type MediaProcessingRequested = MediaUploaded;
export const mediaProcessingRequested = defineEvent<MediaProcessingRequested>()(
  'media.processing_requested',
  1,
  { consumers: ['media-processor'] },
);
