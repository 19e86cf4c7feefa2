import { defineEvent } from './event';
import type {
  LoopVariant,
  PerceptualHash,
  StepVariant,
  StillVariant,
  VariantRecord,
} from '../media/variant-record';
import type { AlternativeSource, AlternativeRecord } from '../media/alternative-record';

/**
 * The variants of a file must be generated now. The work is expected to take about a second, and the file is within its
 * uploader's share.
 */
export interface MediaProcessingRequested {
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
export const mediaProcessingRequested = defineEvent<MediaProcessingRequested>()(
  'media.processing_requested',
  1,
  { consumers: ['media-processor'] },
);

/**
 * The variants of a file must be generated, as for `media.processing_requested`, but the work may take minutes. Such work
 * never occupies all workers.
 */
export type MediaLongProcessingRequested = MediaProcessingRequested;
export const mediaLongProcessingRequested = defineEvent<MediaLongProcessingRequested>()(
  'media.long_processing_requested',
  1,
  { consumers: ['media-processor'] },
);

/** All variants of a media item are stored, and not recorded yet. */
export interface MediaVariantsStored {
  readonly media_id: number;
  readonly slug: string;
  /** One record for each of xs, sm, md, lg, xl and thumb. */
  readonly variants: readonly VariantRecord[];
  /** Animations only; also absent in events from releases without it. */
  readonly still?: StillVariant;
  /** Only animations of which an MP4 saves bytes; also absent in events from releases without it. */
  readonly loop?: LoopVariant;
  /** Only pictures that are larger; also absent in events from releases without it. */
  readonly step?: StepVariant;
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
  /** Object keys of the pictures that the classifier judges, at most 32. */
  readonly frames: readonly string[];
  /** Duration of the work in milliseconds. */
  readonly took_ms: number;
}
export const mediaVariantsStored = defineEvent<MediaVariantsStored>()('media.variants_stored', 1, {
  consumers: ['upload-service', 'moderation-service'],
});

/** A media item can't be processed, which is not recorded yet. */
export interface MediaProcessingFailed {
  readonly media_id: number;
  readonly slug: string;
  /** A sentence for the uploader, without paths and output of tools. */
  readonly reason: string;
  /** True if the file exceeded its time limit; its uploader's next files then wait behind those of others. */
  readonly overran?: boolean;
}
export const mediaProcessingFailed = defineEvent<MediaProcessingFailed>()('media.processing_failed', 1, {
  consumers: ['upload-service'],
});

/** Processing exceeded the time limit of quick work. The file has not failed; it must be requested again as long work. */
export interface MediaOverran {
  readonly media_id: number;
  readonly slug: string;
  /** The time until the work was stopped, in milliseconds. */
  readonly took_ms: number;
}
export const mediaOverran = defineEvent<MediaOverran>()('media.overran', 1, {
  consumers: ['upload-service'],
});

/** Part of the processing of a video is done. A lost message makes no difference. */
export interface MediaProgressed {
  readonly media_id: number;
  readonly slug: string;
  /** 0 to 100. */
  readonly percent: number;
}
export const mediaProgressed = defineEvent<MediaProgressed>()('media.progressed', 1, {
  consumers: ['upload-service'],
});

/** A removed variant of a still picture must be made again now, because a reader waits for it. */
export interface MediaVariantRequested extends MediaProcessingRequested {
  /** The object to make: its key, format and pixels. */
  readonly variant: Pick<VariantRecord, 'key' | 'ext' | 'width' | 'height'>;
}
export const mediaVariantRequested = defineEvent<MediaVariantRequested>()('media.variant_requested', 1, {
  consumers: ['media-processor'],
});

/** A removed variant is stored again, or can't be made. */
export interface MediaVariantRemade {
  readonly media_id: number;
  readonly slug: string;
  /** The key of the object. */
  readonly key: string;
  /** Bytes of the object; null if it can't be made. */
  readonly bytes: number | null;
  /** Duration of the work in milliseconds. */
  readonly took_ms: number;
}
export const mediaVariantRemade = defineEvent<MediaVariantRemade>()('media.variant_remade', 1, {
  consumers: ['upload-service'],
});

/** Sizes of a still picture must be made in other formats, when a media-processor has nothing else to do. */
export interface MediaAlternativesRequested extends MediaProcessingRequested {
  /** The JPEGs and PNGs to make in other formats. */
  readonly variants: readonly AlternativeSource[];
  /** The number of this request, which no other one has. The answer repeats it, so that a late answer is recognised. */
  readonly attempt: number;
}
export const mediaAlternativesRequested = defineEvent<MediaAlternativesRequested>()(
  'media.alternatives_requested',
  1,
  { consumers: ['media-processor'] },
);

/** Sizes of a still picture are stored in other formats, or the media-processor had other work. */
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

/** The settings in effect of a media-processor, which has no database. They contain no secrets. */
export interface ProcessorReported {
  /** The replica. */
  readonly instance: string;
  readonly settings: readonly {
    readonly name: string;
    readonly description: string;
    readonly secret: boolean;
    readonly set: boolean;
    /** Null for a secret. */
    readonly value: string | null;
  }[];
}
export const processorReported = defineEvent<ProcessorReported>()('processor.reported', 1, {
  consumers: ['upload-service'],
});
