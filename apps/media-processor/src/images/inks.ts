import { openStill } from '../pixels/open-image';
import type { Dimensions } from '../pixels/variant-plan';

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
