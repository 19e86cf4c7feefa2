import type { Sharp } from 'sharp';

/** The formats of image variants. */
export type VariantExtension = 'jpg' | 'png' | 'webp' | 'avif';

export const VARIANT_MIME: Readonly<Record<VariantExtension, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
};

/**
 * Encodes a pipeline in one of the variants' formats, without metadata. Measured on 1920 × 1080 photographs: JPEG
 * without optimised Huffman tables is 4 % larger in half the time, and progressive takes four times as long; PNG
 * filters save 40 % over none, and deflate level 3 loses 1 % to 6; WebP effort 2 takes half the time of 4 for 5 %;
 * AVIF effort 0 takes half the time of 1 for 1 %.
 */
export function encode(pipeline: Sharp, ext: VariantExtension): Sharp {
  switch (ext) {
    case 'jpg':
      return pipeline.removeAlpha().jpeg({ quality: 82, optimiseCoding: false });
    case 'png':
      return pipeline.png({ compressionLevel: 3, adaptiveFiltering: true });
    case 'webp':
      return pipeline.webp({ quality: 82, effort: 2 });
    case 'avif':
      return pipeline.avif({ quality: 56, effort: 0 });
  }
}

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
