import type { ALTERNATIVE_MIME, PICTURE_TYPES } from '@vitrine/contracts';
import type { JpegOptions, Sharp } from 'sharp';

/** The formats of image variants. */
export type VariantExtension = keyof typeof PICTURE_TYPES;

/** Quantisation tables of Klein, Silverstein and Carney, by mozjpeg's number. */
const KLEIN_TABLES = 5;

/**
 * Encodes a pipeline in one of the variants' formats, without metadata. `longestEdge`: pixels of the picture; smaller
 * JPEGs get more work, because it costs little for them. `npm run bench:quality` compares settings at equal SSIMULACRA2:
 * quality 78 with these tables scores like sharp's 80 with 8 to 15 % fewer bytes; mozjpeg's trellis would take 5 times the time.
 */
export function encode(pipeline: Sharp, ext: VariantExtension, longestEdge = Infinity): Sharp {
  switch (ext) {
    case 'jpg':
      return pipeline
        .removeAlpha()
        .jpeg({ quality: 78, quantisationTable: KLEIN_TABLES, ...jpegEffort(longestEdge) });
    case 'png':
      return pipeline.png({ compressionLevel: 3, adaptiveFiltering: true });
    case 'webp':
      return pipeline.webp({ quality: 82, effort: 2 });
    case 'avif':
      return pipeline.avif({ quality: 62, effort: 0 });
  }
}

/** Progressive saves 4 % of the bytes for four times the work. Choosing among scans would save 1 % for 2.5 times that. */
const jpegEffort = (longestEdge: number): JpegOptions =>
  longestEdge > 1280 ? { optimiseCoding: false } : { progressive: true };

/**
 * Encodes a copy of a variant for browsers that take WebP or AVIF. Copies are made while the machine has nothing else
 * to do, so they get more work than `encode`. With 10 bits, AVIF loses less to rounding, also for pixels of 8 bits. AVIF
 * with effort 2 saves 1 % more for 1.5 times the work, with effort 4 it saves 5 % more for 14 times.
 */
export const encodeAlternative = (pipeline: Sharp, ext: keyof typeof ALTERNATIVE_MIME): Sharp =>
  ext === 'webp'
    ? pipeline.webp({ quality: 87, effort: 6, smartSubsample: true })
    : pipeline.avif({ quality: 66, effort: 1, bitdepth: 10 });

/**
 * Encodes a copy of a PNG without losses. Texts and drawings have fewer bytes than in any format with losses that keeps
 * their edges sharp: at 1280 pixels, 0.05 to 0.2 bytes for each pixel; photographs have more than 1.
 */
export const encodeLossless = (pipeline: Sharp): Sharp => pipeline.webp({ lossless: true, effort: 4 });

/**
 * Encodes a pipeline of frames as an animated WebP. `delay`: milliseconds of each frame; `loop`: 0 repeats without
 * end.
 */
export const encodeAnimation = (
  pipeline: Sharp,
  timing: { delay: number[]; loop: number },
  lossless: boolean,
): Sharp =>
  pipeline.webp(lossless ? { lossless, effort: 1, ...timing } : { quality: 80, effort: 2, ...timing });
