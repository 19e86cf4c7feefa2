import { readFile } from 'node:fs/promises';
import { type GainMapFields, MemorySource, readGainMap } from '@vitrine/formats';
import { FRAME_EDGE } from '../perception/perceive';
import { openStill } from '../pixels/open-image';
import { fromPixels, toPixels, type Pixels } from '../pixels/pixels';
import { lightToSrgb, srgbToLight } from './colour/srgb-curve';

/** The share of pixels that are not brighter than the white of the second picture. */
const WHITE_SHARE = 0.99;

/**
 * What a JPEG with a gain map shows on screens with HDR, where visitors see the picture brightened by the map: as two
 * pictures, one with the white of a page, for what the map reveals in dark parts, and one with nearly its brightest
 * light as white; and the map itself with full contrast, because screens apply it with different strengths. Empty for
 * a JPEG without one. The pictures are upright, with a longest edge of 512 pixels at most.
 */
export async function picturesOfGainMap(path: string): Promise<(() => Promise<Pixels>)[]> {
  const file = await readFile(path);
  const map = await readGainMap(new MemorySource(file));
  if (!map) return [];
  const second = file.subarray(map.from, map.to);
  const upright = async (pixels: Pixels): Promise<Pixels> => {
    const { orientation = 1 } = await openStill(file).metadata();
    const turned = await fromPixels(pixels)
      .withMetadata({ orientation })
      .png({ compressionLevel: 1 })
      .toBuffer();
    return toPixels(openStill(turned));
  };
  const brightened = (share: number | null) => async (): Promise<Pixels> =>
    upright(await brighten(file, second, map.fields, share));
  return [brightened(null), brightened(WHITE_SHARE), async () => upright(await contrast(second))];
}

/** As stored: the map has the orientation of the picture, which its own metadata need not say. */
const small = (input: Buffer): ReturnType<typeof openStill> =>
  openStill(input, { autoOrient: false }).resize(FRAME_EDGE, FRAME_EDGE, {
    ...{ fit: 'inside', withoutEnlargement: true },
  });

const contrast = (map: Buffer): Promise<Pixels> => toPixels(small(map).toColourspace('srgb').normalise());

const LINEAR = Float32Array.from({ length: 256 }, (_, code) => srgbToLight(code / 255));

/** The picture with the map at full strength, in sRGB. `share`: of values that are kept from clipping; null: white is 1. */
async function brighten(
  picture: Buffer,
  map: Buffer,
  fields: GainMapFields,
  share: number | null,
): Promise<Pixels> {
  const base = await rgb(toPixels(small(picture)));
  const { width, height } = base;
  const gains = await rgb(
    toPixels(openStill(map, { autoOrient: false }).resize(width, height, { fit: 'fill' })),
  );
  const factors = [0, 1, 2].map((channel) => factorsOf(fields, channel));
  const light = Float32Array.from(base.data, (code, at) => {
    const channel = at % 3;
    const [before, after] = [numberOf(fields.offsetSdr, channel), numberOf(fields.offsetHdr, channel)];
    const factor = factors[channel]?.[gains.data[at] ?? 0] ?? 1;
    return Math.max(0, ((LINEAR[code] ?? 0) + before) * factor - after);
  });
  const white =
    share === null ? 1 : Math.max(1e-6, light.slice().sort()[Math.floor(light.length * share)] ?? 1);
  const data = Buffer.from(Uint8Array.from(light, (value) => lightToSrgb(Math.min(1, value / white))));
  return { data, width, height, channels: 3 };
}

const rgb = async (pixels: Promise<Pixels>): Promise<Pixels> =>
  toPixels(
    fromPixels(await pixels)
      .removeAlpha()
      .toColourspace('srgb'),
  );

const numberOf = (numbers: readonly number[], channel: number): number => numbers[channel] ?? numbers[0] ?? 0;

/** The factor of light by value of the map. */
function factorsOf({ min, max, gamma }: GainMapFields, channel: number): Float32Array {
  const [low, high] = [numberOf(min, channel), numberOf(max, channel)];
  const exponent = 1 / numberOf(gamma, channel);
  return Float32Array.from(
    { length: 256 },
    (_, value) => 2 ** (low + (high - low) * (value / 255) ** exponent),
  );
}
