import type { ImageInput } from '../pixels/open-image';

/** Position of a file's brand, the only field by which libvips recognises an AVIF. */
const BRAND_AT = 8;
const BRAND = 'avif';

/**
 * An AVIF in a form that libvips opens: its path, or its bytes with the one brand that libvips knows. Sequences have
 * another brand, although they hold a still for programs that can't play them.
 */
export function withAvifBrand(path: string, file: Buffer): ImageInput {
  if (file.toString('latin1', BRAND_AT, BRAND_AT + BRAND.length) === BRAND) return path;
  file.write(BRAND, BRAND_AT, 'latin1');
  return file;
}
