import { openStill, type ImageInput } from '../pixels/open-image';
import { type Dimensions, fitLongestEdge } from '../pixels/variant-plan';
import { wrapInTiff } from './tiff-wrapper';
import { tableConversion } from '@vitrine/formats';
import type { MediaJob } from '../jobs/protocol';
import { FRAME_EDGE } from '../perception/perceive';
import { resizePixels, type Pixels } from '../pixels/pixels';
import { remembering } from './from-profile';

/** Values of a pixel: cyan, magenta, yellow, black. */
export const INKS = 4;
/** Inks without black, and the colours of light that they take away. */
export const COLOURS = 3;

/** A JPEG in CMYK. */
interface InkPicture {
  readonly profile: Buffer | undefined;
  /** Its pixels, upright: 255 is the most ink. */
  readonly decode: () => Promise<Dimensions & { readonly data: Buffer }>;
}

/** Opens a JPEG in CMYK; null for any other picture. */
export async function openInks(source: string): Promise<InkPicture | null> {
  const { space, icc } = await openStill(source).metadata();
  if (space !== 'cmyk') return null;
  const decode: InkPicture['decode'] = async () => {
    const { data, info } = await openStill(source)
      .pipelineColourspace('cmyk')
      .toColourspace('cmyk')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  };
  return { profile: icc, decode };
}

/** The light (0 to 255) of one colour that its ink and black leave together, of the pixel at `from`, as browsers compute it. */
export const lightThrough = (inks: Buffer, from: number, ink: number): number =>
  Math.round(((255 - (inks[from + ink] ?? 0)) * (255 - (inks[from + COLOURS] ?? 0))) / 255);

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

/**
 * What Chromium shows of a JPEG in CMYK with a profile: it adds black to each of the other inks, and passes the sums to the
 * profile. Two mixtures of inks that look the same in print, and in libvips, can differ there. Empty for any other picture.
 */
export async function picturesOfProfiledInks({ source }: MediaJob): Promise<(() => Promise<Pixels>)[]> {
  const picture = await openInks(source);
  const conversion = picture?.profile ? tableConversion(picture.profile) : null;
  if (!picture || conversion?.inputs !== INKS) return [];
  return [
    async () => {
      const { data, width, height } = await picture.decode();
      const shown = Buffer.alloc((data.length / INKS) * COLOURS);
      const sums = new Uint8Array(INKS);
      const convert = remembering(conversion);
      for (let from = 0, to = 0; to < shown.length; from += INKS, to += COLOURS) {
        for (let ink = 0; ink < COLOURS; ink++) sums[ink] = 255 - lightThrough(data, from, ink);
        convert(sums, 0, shown, to);
      }
      const whole: Pixels = { data: shown, width, height, channels: COLOURS };
      return resizePixels(whole, fitLongestEdge(whole, FRAME_EDGE));
    },
  ];
}
