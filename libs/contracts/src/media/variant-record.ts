import type { VariantName } from './variant-size';

/** MIME types of pictures among the variants, by extension. */
export const PICTURE_TYPES = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
} as const;

/** MIME types of all variants, by extension. */
export const VARIANT_TYPES: Readonly<Record<string, string>> = { ...PICTURE_TYPES, mp4: 'video/mp4' };

/** One stored variant of a media item. Several names share a key if the source is not larger. */
export interface VariantRecord {
  readonly name: VariantName;
  readonly key: string;
  readonly ext: string;
  readonly mime: string;
  /** Pixels as displayed. */
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  /** True if no object is stored under `key` now; it is made again when it is requested (docs/adr/0040). */
  readonly removed?: true;
}

/** The first frame of an animation as a picture. */
export interface StillVariant extends Omit<VariantRecord, 'name' | 'removed'> {
  readonly name: 'still';
}

/** An opaque animation that repeats without end, as a silent MP4 that holds it once. */
export interface LoopVariant extends Omit<VariantRecord, 'name' | 'removed'> {
  readonly name: 'loop';
}

/** A picture between the sizes `md` and `lg`. */
export interface StepVariant extends Omit<VariantRecord, 'name' | 'removed'> {
  readonly name: 'ml';
}

/** A variant as the row of its media item keeps it. */
export type StoredVariant = VariantRecord | StillVariant | LoopVariant | StepVariant;

/** The variants of a result of processing, as the row of its media item keeps them. */
export const storedVariants = ({
  variants,
  still,
  loop,
  step,
}: {
  readonly variants: readonly VariantRecord[];
  readonly still?: StillVariant | undefined;
  readonly loop?: LoopVariant | undefined;
  readonly step?: StepVariant | undefined;
}): readonly StoredVariant[] => [
  ...variants,
  ...[still, loop, step].filter((variant) => variant !== undefined),
];

/** Whether a variant is one of the sizes that all media have. */
export const isSized = (variant: StoredVariant): variant is VariantRecord =>
  variant.name !== 'still' && variant.name !== 'loop' && variant.name !== 'ml';

/** A PDQ perceptual hash of one picture of a media item (a still, a frame, a page). */
export interface PerceptualHash {
  /** 256 bits as 64 lowercase hexadecimal digits. */
  readonly pdq: string;
  /** 0–100. Hashes below 50 are too unspecific to be matched. */
  readonly quality: number;
  /** Position in the media item, in seconds; 0 for stills. */
  readonly at: number;
  /**
   * Base64 of seven hashes of 32 bytes: of the picture in its seven other orientations, mirrored or turned. Absent in
   * hashes from releases without them.
   */
  readonly turned?: string;
  /** True if a plain border was removed from the picture before hashing. */
  readonly border_cut?: boolean;
}
