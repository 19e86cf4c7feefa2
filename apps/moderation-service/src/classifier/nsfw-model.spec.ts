import { unsafeProbability } from '@vitrine/domain';
import sharp from 'sharp';
import { MODEL_EDGE, NsfwModel } from './nsfw-model';

const EDGE = MODEL_EDGE;

/** A reproducible stream of numbers from 0 to 1 (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function paint(colourAt: (x: number, y: number) => readonly [number, number, number]): Uint8Array {
  const pixels = new Uint8Array(EDGE * EDGE * 3);
  for (let y = 0; y < EDGE; y++) {
    for (let x = 0; x < EDGE; x++) pixels.set(colourAt(x, y), (y * EDGE + x) * 3);
  }
  return pixels;
}

/** Sky, sun, hills and a house, drawn by librsvg in the spec's own process. */
const landscape = (): Promise<Buffer> =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${EDGE}" height="${EDGE}">
      <rect width="224" height="224" fill="#8ec5ea"/><circle cx="170" cy="45" r="22" fill="#ffe27a"/>
      <path d="M0 150 Q60 90 120 145 T224 130 V224 H0 Z" fill="#5c8a4a"/>
      <rect x="40" y="130" width="60" height="50" fill="#b5543c"/>
      <path d="M34 132 L70 100 L106 132 Z" fill="#5b3a2e"/></svg>`),
  )
    .removeAlpha()
    .raw()
    .toBuffer();

describe('NsfwModel', () => {
  let model: NsfwModel;
  beforeAll(async () => {
    model = await NsfwModel.load();
  });

  it('returns five probabilities that add up to 1, the same for each call', () => {
    const random = numbers(1);
    const noise = paint(() => [random() * 255, random() * 255, random() * 255]);
    const scores = model.classify(noise);
    const values = Object.values(scores);
    expect(Object.keys(scores)).toEqual(['drawing', 'hentai', 'neutral', 'porn', 'sexy']);
    expect(values.every((value) => value >= 0 && value <= 1)).toBe(true);
    expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 4);
    expect(model.classify(noise)).toEqual(scores);
  });

  it('classifies a landscape, plain colours and skin-coloured noise as safe', async () => {
    const random = numbers(7);
    const pictures = {
      landscape: await landscape(),
      black: paint(() => [0, 0, 0]),
      white: paint(() => [255, 255, 255]),
      'skin-coloured noise': paint(() => {
        const light = random() * 50;
        return [190 + light, 140 + light, 115 + light];
      }),
      'a skin-coloured gradient': paint((x, y) => [180 + x / 4, 130 + y / 4, 110 + x / 8]),
    };
    const unsafe = Object.entries(pictures).map(([name, pixels]) => [
      name,
      unsafeProbability(model.classify(pixels)) < 0.4,
    ]);
    expect(unsafe).toEqual(Object.keys(pictures).map((name) => [name, true]));
  });

  it('returns other scores for the picture upside down and for its negative', async () => {
    const upright = await landscape();
    const upsideDown = Uint8Array.from({ length: upright.length }, (_, index) => {
      const pixel = EDGE * EDGE - 1 - Math.floor(index / 3);
      return upright[pixel * 3 + (index % 3)] ?? 0;
    });
    const inverted = upright.map((value) => 255 - value);
    const [first, second, third] = [upright, upsideDown, inverted].map((pixels) => model.classify(pixels));
    expect(second).not.toEqual(first);
    expect(third).not.toEqual(first);
  });

  it('returns the recorded scores', async () => {
    // Other weights, another order of classes or colours, or another scale of pixels would change the scores.
    const scores = model.classify(await landscape());
    expect(scores.drawing).toBeCloseTo(0.0094, 3);
    expect(scores.hentai).toBeCloseTo(0.0003, 3);
    expect(scores.neutral).toBeCloseTo(0.9903, 3);
    expect(scores.porn).toBeCloseTo(0, 3);
    expect(scores.sexy).toBeCloseTo(0, 3);
  });

  it('throws for a wrong number of pixels', () => {
    expect(() => model.classify(new Uint8Array(10))).toThrow();
  });
});
