import { tableConversion, type TableConversion } from '@vitrine/formats';
import { openStill } from '../pixels/open-image';
import { toPixels, type Pixels } from '../pixels/pixels';
import { withProfile } from './tiff-wrapper';

/** The conversion of pixels of 3 or 4 channels from the colour space of a profile of RGB to sRGB, as browsers make it. */
export function conversionFrom(profile: Buffer): (coded: Pixels) => Promise<Pixels> {
  const byTable = tableConversionFrom(profile);
  return async (coded) => byTable?.(coded) ?? toPixels(openStill(withProfile(coded, profile)));
}

/** The same for a profile with a table; null for others. */
export function tableConversionFrom(profile: Buffer): ((coded: Pixels) => Pixels) | null {
  const conversion = tableConversion(profile);
  if (conversion?.inputs !== 3) return null;
  const convert = remembering(conversion);
  return (coded) => {
    // Alpha stays.
    const data = Buffer.from(coded.data);
    for (let at = 0; at < data.length; at += coded.channels) convert(coded.data, at, data, at);
    return { ...coded, data };
  };
}

/**
 * A conversion that computes each colour once: a table takes a microsecond for a pixel, and a photograph of 12 megapixels has
 * a few hundred thousand colours. Its pixels may differ in their first three values only.
 */
export function remembering({ convert }: TableConversion): TableConversion['convert'] {
  // 0 for a colour that isn't computed yet.
  const known = new Uint32Array(1 << 24);
  const made = new Uint8Array(3);
  return (from, at, to, toAt) => {
    const place = (from[at]! << 16) | (from[at + 1]! << 8) | from[at + 2]!;
    if (known[place] === 0) {
      convert(from, at, made, 0);
      known[place] = (1 << 24) | (made[0]! << 16) | (made[1]! << 8) | made[2]!;
    }
    const colour = known[place]!;
    to[toAt] = (colour >> 16) & 255;
    to[toAt + 1] = (colour >> 8) & 255;
    to[toAt + 2] = colour & 255;
  };
}
