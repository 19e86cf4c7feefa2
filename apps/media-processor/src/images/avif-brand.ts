import type { ImageInput } from './open-image';

/** Where a file names its brand: libvips looks at nothing else to know an AVIF. */
const BRAND_AT = 8;
const BRAND = 'avif';

/**
 * An AVIF in a form that libvips opens: its path, or its bytes, changed to the one brand that libvips knows. Sequences have
 * another, though they have a still for programs that don't play them.
 */
export function withAvifBrand(path: string, file: Buffer): ImageInput {
  if (file.toString('latin1', BRAND_AT, BRAND_AT + BRAND.length) === BRAND) return path;
  file.write(BRAND, BRAND_AT, 'latin1');
  return file;
}
