import { readFile } from 'node:fs/promises';
import {
  type GainMapEffect,
  lightToSrgb,
  MemorySource,
  MPF_NAME,
  readGainMap,
  readHeifGainMap,
} from '@vitrine/formats';
import type { Sharp } from 'sharp';
import type { MediaJob } from '../jobs/protocol';
import { FRAME_EDGE } from '../perception/perceive';
import { openStill } from '../pixels/open-image';
import { fromPixels, toPixels, toPixelsWithin, type Pixels } from '../pixels/pixels';
import { fitLongestEdge } from '../pixels/variant-plan';
import { decodeFor } from './decode-still';
import { type Curve, curveOf, LIGHT } from './gain-curve';
import { decodeHeicFile } from './heic';
import { openSource } from './image-source';

/** The share of values that are not brighter than the white of the second picture. */
const WHITE_SHARE = 0.99;
/** Every 17th value is sorted to find that white. 17 isn't a multiple of 3, so all channels are included. */
const SAMPLE_STEP = 17;
/**
 * Strengths at which the map is judged. How strongly a screen applies the map depends on its brightness, so a map can
 * show a picture on some screens only. The perceptual hash also recognises a picture at strengths between these.
 */
const STRENGTHS = [1, 1 / 2, 1 / 4, 1 / 8] as const;

/** A picture whose gain map screens with HDR apply to it. */
interface GainMapped {
  readonly effect: GainMapEffect;
  /** The picture in sRGB, upright, its longest edge at most `FRAME_EDGE`. */
  readonly base: () => Promise<Pixels>;
  /** The map, upright like the picture. */
  readonly map: () => Promise<Sharp>;
}

/**
 * What a JPEG, HEIC or AVIF with a gain map shows on screens with HDR, where visitors see the picture brightened by the
 * map: for each strength two pictures, one with the white of a page, for what the map reveals in dark parts, and one with
 * nearly its brightest light as white; and the map itself with full contrast. Empty for a file without one. The pictures
 * are upright, with a longest edge of 512 pixels at most.
 */
export async function picturesOfGainMap(job: MediaJob): Promise<(() => Promise<Pixels>)[]> {
  const mapped = await (job.media.format === 'jpeg' ? openJpeg(job) : openHeif(job));
  if (!mapped) return [];
  const map = once(mapped.map);
  const layers = once(() => openLayers({ ...mapped, map }));
  const brightened = STRENGTHS.flatMap((strength) => {
    const light = once(async () => brighten(await layers(), mapped.effect, strength));
    return [async () => shown(await light(), 1), async () => shown(await light(), WHITE_SHARE)];
  });
  return [...brightened, async () => contrast(await map())];
}

async function openJpeg({ source }: MediaJob): Promise<GainMapped | null> {
  const file = await readFile(source);
  // Without the name of an index, there is no map. This search takes a tenth of the time of a walk through the scans.
  if (!file.includes(MPF_NAME)) return null;
  const found = await readGainMap(new MemorySource(file));
  if (!found) return null;
  const { orientation = 1 } = await openStill(file).metadata();
  // The map has the orientation of the picture, which its own metadata need not say.
  const upright = async (input: Buffer): Promise<Sharp> => {
    const stored = await toPixelsWithin(openStill(input, { autoOrient: false }), FRAME_EDGE);
    const turned = fromPixels(stored).withMetadata({ orientation }).png({ compressionLevel: 1 });
    return openStill(await turned.toBuffer());
  };
  const map = file.subarray(found.from, found.to);
  return { effect: found.effect, base: async () => toPixels(await upright(file)), map: () => upright(map) };
}

async function openHeif(job: MediaJob): Promise<GainMapped | null> {
  const found = await readHeifGainMap(new MemorySource(await readFile(job.source)));
  if (!found) return null;
  const file = Buffer.from(found.file);
  const map = async (): Promise<Sharp> =>
    openStill(job.media.format === 'heic' ? (await decodeHeicFile(job, file)).tiff : file);
  const base = async (): Promise<Pixels> => {
    const source = await openSource(job);
    const { pixels } = await decodeFor('jpg', source, fitLongestEdge(source, FRAME_EDGE));
    return pixels;
  };
  return { effect: found.effect, base, map };
}

/** A function that is called once at most. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

async function contrast(map: Sharp): Promise<Pixels> {
  const small = await toPixelsWithin(map.clone(), FRAME_EDGE);
  return toPixels(fromPixels(small).normalise());
}

/** A picture, and its map in the same size. */
interface Layers {
  readonly base: Pixels;
  readonly gains: Pixels;
}

async function openLayers({ base: open, map }: GainMapped): Promise<Layers> {
  const base = await rgb(open());
  const { width, height } = base;
  return { base, gains: await rgb(toPixels((await map()).clone().resize(width, height, { fit: 'fill' }))) };
}

/** Linear light of a picture, where the white of a page is 1. */
type Light = Omit<Pixels, 'data'> & { readonly data: Float32Array };

function brighten({ base, gains }: Layers, effect: GainMapEffect, strength: number): Light {
  const curves = [0, 1, 2].map((channel) => curveOf(effect, channel, strength));
  const data = Float32Array.from(base.data, (code, at) => {
    const { before, after, factors } = curves[at % 3] as Curve;
    return Math.max(0, ((LIGHT[code] ?? 0) + before) * (factors[gains.data[at] ?? 0] ?? 1) - after);
  });
  return { ...base, data };
}

/** Light in sRGB. `share`: of values that are kept from clipping; 1 if the white of a page is white. */
function shown({ data: light, ...size }: Light, share: number): Pixels {
  const white = share === 1 ? 1 : Math.max(1e-6, quantile(light, share));
  const data = Buffer.from(Uint8Array.from(light, (value) => lightToSrgb(Math.min(1, value / white))));
  return { ...size, data };
}

function quantile(values: Float32Array, share: number): number {
  const some = Float32Array.from(
    { length: Math.ceil(values.length / SAMPLE_STEP) },
    (_, at) => values[at * SAMPLE_STEP]!,
  );
  return some.sort()[Math.floor(some.length * share)] ?? 1;
}

const rgb = async (pixels: Promise<Pixels>): Promise<Pixels> =>
  toPixels(
    fromPixels(await pixels)
      .removeAlpha()
      .toColourspace('srgb'),
  );
