import sharp from 'sharp';

/** Pixels of the pictures of the cells; not square, so that turns show. */
export const CELL = { width: 48, height: 32 } as const;

/** A file with one peculiarity of its headers. */
export interface CodedCell {
  readonly name: string;
  readonly format: 'jpeg' | 'webp' | 'avif';
  readonly file: Buffer;
}

/** Quarters of different colours, as raw RGBA; the lower half is translucent if wanted. */
export function quarterPixels(
  isTranslucent: boolean,
  { width, height } = CELL as { width: number; height: number },
): Buffer {
  const pixels = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [right, low] = [x >= width / 2, y >= height / 2];
      const colour = right ? (low ? [230, 220, 40] : [40, 190, 60]) : low ? [50, 60, 210] : [220, 50, 40];
      pixels.set([...colour, isTranslucent && low ? (right ? 0 : 120) : 255], (y * width + x) * 4);
    }
  }
  return pixels;
}

/** The same as a sharp pipeline. */
export function quartersOf(isTranslucent: boolean): sharp.Sharp {
  const picture = sharp(quarterPixels(isTranslucent), { raw: { ...CELL, channels: 4 } });
  return isTranslucent ? picture : picture.removeAlpha();
}
