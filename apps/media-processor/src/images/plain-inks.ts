import type { ImageInput } from '../pixels/open-image';
import { COLOURS, INKS, lightThrough, openInks } from './inks';
import { wrapInTiff } from './tiff-wrapper';

/**
 * A JPEG in CMYK without a profile as browsers show it: each ink takes away its part of the light of one colour, and black of
 * all of them. libvips would take the inks for those of a printing condition. An uncompressed TIFF in sRGB, upright; null for
 * any other picture.
 */
export async function openPlainInks(source: string): Promise<ImageInput | null> {
  const picture = await openInks(source);
  if (!picture || picture.profile) return null;
  const { data, width, height } = await picture.decode();
  const { tiff, pixels } = wrapInTiff({ width, height, channels: 3, depth: 8 });
  for (let from = 0, to = 0; from < data.length; from += INKS)
    for (let ink = 0; ink < COLOURS; ink++) pixels[to++] = lightThrough(data, from, ink);
  return tiff;
}
