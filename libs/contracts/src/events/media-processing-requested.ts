import { defineEvent } from './event';
import type { MediaUploaded } from './media-uploaded';

/** It is this file's turn: make its variants. The file is expected to take a second or so, and its uploader had one free place. */
export type MediaProcessingRequested = MediaUploaded;
export const mediaProcessingRequested = defineEvent<MediaProcessingRequested>()(
  'media.processing_requested',
  1,
  { consumers: ['media-processor'] },
);
