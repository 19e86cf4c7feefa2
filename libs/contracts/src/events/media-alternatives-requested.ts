import type { AlternativeSource } from '../media/alternative-record';
import { defineEvent } from './event';
import type { MediaUploaded } from './media-uploaded';

/** Sizes of a photograph must be made in other formats, when a media-processor has nothing else to do. */
export interface MediaAlternativesRequested extends MediaUploaded {
  /** The JPEGs to make in other formats. */
  readonly variants: readonly AlternativeSource[];
  /** The number of this request, which no other one has. The answer repeats it, so that a late answer is recognised. */
  readonly attempt: number;
}
export const mediaAlternativesRequested = defineEvent<MediaAlternativesRequested>()(
  'media.alternatives_requested',
  1,
  { consumers: ['media-processor'] },
);
