import { lightToValue, type HeifPicture } from '@vitrine/formats';
import { openStill, type ImageInput } from '../pixels/open-image';
import { toDeepPixels, toPixels } from '../pixels/pixels';
import { readGreyCurve } from './colour/icc-profile';
import { wrapInTiff } from './tiff-wrapper';

/** The values, 0 to 1, that browsers show for the decoded values of a grey picture; null: the same. */
export function greyOf({ isGrey, codedColour, profile }: HeifPicture): ((value: number) => number) | null {
  if (!isGrey) return null;
  const isLimited = codedColour?.isFullRange === false;
  const curve = profile ? readGreyCurve(Buffer.from(profile)) : null;
  if (!isLimited && !curve) return null;
  return (value) => {
    const whole = isLimited ? Math.min(1, Math.max(0, (255 * value - 16) / 219)) : value;
    return curve ? lightToValue(curve(whole)) : whole;
  };
}

/** How an AVIF's values differ from what libvips takes them for. */
export interface Recoding {
  readonly grey: (value: number) => number;
  /** Whether 8 bits are too few. */
  readonly deep: boolean;
}

/**
 * A grey AVIF as an uncompressed TIFF with the values that are shown: libvips does not recognise a limited range of grey, and
 * applies no profile of grey to three channels.
 */
export async function recodeAvif(input: ImageInput, { grey, deep }: Recoding): Promise<ImageInput> {
  const coded = openStill(input, { ignoreIcc: true });
  const { data, width, height, channels } = await (deep ? toDeepPixels(coded) : toPixels(coded));
  if (channels < 3) return input;
  const [depth, last] = deep ? ([16, 65_535] as const) : ([8, 255] as const);
  const layout = { width, height, channels: channels === 4 ? 4 : 3, depth } as const;
  const { tiff, pixels } = wrapInTiff(layout);
  const shown = Uint16Array.from({ length: last + 1 }, (_, value) => Math.round(last * grey(value / last)));
  for (let at = 0; at < data.length; at += channels) {
    for (let colour = at; colour < at + 3; colour++) data[colour] = shown[data[colour] ?? 0] ?? 0;
  }
  pixels.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return tiff;
}
