import { defineEvent } from './event';
import type { MediaUploaded } from './media-uploaded';

/** It is this file's turn, as in `media.processing_requested`, but it may take minutes: such work never takes every worker. */
export type MediaLongProcessingRequested = MediaUploaded;
export const mediaLongProcessingRequested = defineEvent<MediaLongProcessingRequested>()(
  'media.long_processing_requested',
  1,
  { consumers: ['media-processor'] },
);
