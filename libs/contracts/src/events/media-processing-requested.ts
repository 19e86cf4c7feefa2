import { defineEvent } from './event';
import type { MediaUploaded } from './media-uploaded';

/**
 * The variants of a file must be generated now. The work is expected to take about a second, and the file is within its
 * uploader's share.
 */
export type MediaProcessingRequested = MediaUploaded;
export const mediaProcessingRequested = defineEvent<MediaProcessingRequested>()(
  'media.processing_requested',
  1,
  { consumers: ['media-processor'] },
);
