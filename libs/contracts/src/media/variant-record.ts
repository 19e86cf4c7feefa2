import type { VariantName } from './variant-size';

/** One stored rendition of a media. Several names may share a key where the source is no larger. */
export interface VariantRecord {
  readonly name: VariantName;
  readonly key: string;
  readonly ext: string;
  readonly mime: string;
  /** Pixels as displayed. */
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

/** A PDQ perceptual hash of one picture of a media item (a still, a frame, a page). */
export interface PerceptualHash {
  /** 256 bits as 64 lowercase hexadecimal digits. */
  readonly pdq: string;
  /** 0–100; below 50 the hash says too little to be matched. */
  readonly quality: number;
  /** Position in the media item, in seconds; 0 for stills. */
  readonly at: number;
  /**
   * Base64 of seven hashes of 32 bytes: of the picture in its seven other orientations, mirrored or turned. Absent in
   * hashes from releases without them.
   */
  readonly turned?: string;
  /** True where a plain border was cut off the picture before it was hashed. */
  readonly border_cut?: boolean;
}
