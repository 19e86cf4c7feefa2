import type { AlternativeRecord } from '../media/alternative-record';
import { defineEvent } from './event';

/** Sizes of a photograph are stored in other formats, or the media-processor had other work. */
export interface MediaAlternativesMade {
  readonly media_id: number;
  readonly slug: string;
  /** That of the request. */
  readonly attempt: number;
  /** `busy`: nothing is stored because of other work, and the request should be repeated later. */
  readonly outcome: 'made' | 'busy';
  /** What is stored: only copies that save enough bytes, so perhaps none. */
  readonly alternatives: readonly AlternativeRecord[];
  /** Time that a decoder worked on it, in milliseconds. */
  readonly took_ms: number;
}
export const mediaAlternativesMade = defineEvent<MediaAlternativesMade>()('media.alternatives_made', 1, {
  consumers: ['upload-service'],
});
