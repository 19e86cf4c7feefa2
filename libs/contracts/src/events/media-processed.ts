import type { LoopVariant, PerceptualHash, StillVariant, VariantRecord } from '../media/variant-record';
import { defineEvent } from './event';

/** All variants of a media item are stored. */
export interface MediaProcessed {
  readonly media_id: number;
  readonly slug: string;
  /** One record for each of xs, sm, md, lg, xl and thumb. */
  readonly variants: readonly VariantRecord[];
  /** Animations only; also absent in events from releases without it. */
  readonly still?: StillVariant;
  /** Only animations of which an MP4 saves bytes; also absent in events from releases without it. */
  readonly loop?: LoopVariant;
  /** ThumbHash in base64. */
  readonly thumbhash: string;
  /** Pixels as displayed, as the decoder saw them. */
  readonly width: number;
  readonly height: number;
  /** Seconds, videos only. */
  readonly duration: number | null;
  /** Hashes of each distinct scene, longest scene first; at most 1,000 scenes, each with and without its border. */
  readonly hashes: readonly PerceptualHash[];
  /** False if the file holds pictures that no hash covers; then a moderator has to look at it. Absent means true. */
  readonly fully_seen?: boolean;
  /** Object keys of the pictures that the classifier judges, at most 16. */
  readonly frames: readonly string[];
  /** Duration of the work in milliseconds. */
  readonly took_ms: number;
}
export const mediaProcessed = defineEvent<MediaProcessed>()('media.processed', 1, {
  consumers: ['upload-service', 'moderation-service'],
});
