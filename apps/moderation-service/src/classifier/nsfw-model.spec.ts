import { unsafeProbability } from '@vitrine/domain';
import sharp from 'sharp';
import { MODEL_EDGE, NsfwModel } from './nsfw-model';

/**
 * What TensorFlow's own runtime (tfjs 4.22, wasm) returns for generated pictures: drawing, hentai, neutral, porn, sexy.
 * Other weights, another order of classes or colours, or another scale of pixels would change the scores.
 */
const TENSORFLOW = {
  landscape: [0.009369, 0.000339, 0.990276, 0.000006, 0.00001],
  noise: [0.121353, 0.01163, 0.866098, 0.000403, 0.000516],
  grey: [0.048416, 0.042131, 0.90633, 0.001533, 0.001591],
  'skin-coloured noise': [0.007875, 0.012346, 0.979652, 0.000032, 0.000095],
  'a skin-coloured gradient': [0.100111, 0.083804, 0.815762, 0.000107, 0.000215],
  'soft shapes 1': [0.030097, 0.028528, 0.801198, 0.131754, 0.008423],
  'soft shapes 2': [0.02123, 0.04092, 0.707092, 0.219354, 0.011404],
  'soft shapes 3': [0.070724, 0.02775, 0.846346, 0.049004, 0.006177],
  'soft shapes 4': [0.015876, 0.022133, 0.494097, 0.459476, 0.008418],
  'drawing 1': [0.005666, 0.000007, 0.994327, 0, 0],
  'drawing 2': [0.002392, 0.000018, 0.997588, 0.000001, 0.000001],
  'drawing 3': [0.00598, 0.000052, 0.993962, 0.000002, 0.000004],
} as const;

/** The largest difference to TensorFlow's scores. Its cause is the order of additions. */
const TOLERANCE = 1e-4;

describe('NsfwModel', () => {
  let model: NsfwModel;
  beforeAll(async () => {
    model = await NsfwModel.load();
  });

  it('returns five probabilities that add up to 1, the same for each call', async () => {
    const scores = await model.classify(noise(1));
    const values = Object.values(scores);
    expect(Object.keys(scores)).toEqual(['drawing', 'hentai', 'neutral', 'porn', 'sexy']);
    expect(values.every((value) => value >= 0 && value <= 1)).toBe(true);
    expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 4);
    await expect(model.classify(noise(1))).resolves.toEqual(scores);
  });

  it('classifies a landscape, plain colours and skin-coloured noise as safe', async () => {
    const pictures = {
      landscape: await landscape(),
      black: plain(0, 0, 0),
      white: plain(255, 255, 255),
      'skin-coloured noise': skinNoise(7),
      'a skin-coloured gradient': skinGradient(),
    };
    for (const [name, pixels] of Object.entries(pictures)) {
      const probability = unsafeProbability(await model.classify(pixels));
      expect([name, probability < 0.4]).toEqual([name, true]);
    }
  });

  it('returns other scores for the picture upside down and for its negative', async () => {
    const upright = await landscape();
    const upsideDown = Uint8Array.from({ length: upright.length }, (_, index) => {
      const pixel = MODEL_EDGE * MODEL_EDGE - 1 - Math.floor(index / 3);
      return upright[pixel * 3 + (index % 3)] ?? 0;
    });
    const inverted = upright.map((value) => 255 - value);
    const first = await model.classify(upright);
    expect(await model.classify(upsideDown)).not.toEqual(first);
    expect(await model.classify(inverted)).not.toEqual(first);
  });

  it('returns the scores of TensorFlow', async () => {
    for (const [name, pixels] of Object.entries(await pictures())) {
      const scores = Object.values(await model.classify(pixels));
      const expected = TENSORFLOW[name as keyof typeof TENSORFLOW];
      const differences = scores.map((score, index) => Math.abs(score - (expected[index] ?? NaN)));
      expect([name, Math.max(...differences) < TOLERANCE]).toEqual([name, true]);
    }
  });

  it('throws for a wrong number of pixels', async () => {
    await expect(model.classify(new Uint8Array(10))).rejects.toThrow();
  });
});

async function pictures(): Promise<Record<keyof typeof TENSORFLOW, Uint8Array>> {
  return {
    landscape: await landscape(),
    noise: noise(3),
    grey: plain(128, 128, 128),
    'skin-coloured noise': skinNoise(4),
    'a skin-coloured gradient': skinGradient(),
    'soft shapes 1': await softShapes(1),
    'soft shapes 2': await softShapes(2),
    'soft shapes 3': await softShapes(3),
    'soft shapes 4': await softShapes(4),
    'drawing 1': await drawing(1),
    'drawing 2': await drawing(2),
    'drawing 3': await drawing(3),
  };
}

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
  const pixels = new Uint8Array(MODEL_EDGE * MODEL_EDGE * 3);
  for (let y = 0; y < MODEL_EDGE; y++) {
    for (let x = 0; x < MODEL_EDGE; x++) pixels.set(colourAt(x, y), (y * MODEL_EDGE + x) * 3);
  }
  return pixels;
}

/** Noise in all colours. */
function noise(seed: number): Uint8Array {
  const random = numbers(seed);
  return paint(() => [random() * 255, random() * 255, random() * 255]);
}

/** Noise in the colours of skin. */
function skinNoise(seed: number): Uint8Array {
  const random = numbers(seed);
  return paint(() => {
    const light = random() * 50;
    return [190 + light, 140 + light, 115 + light];
  });
}

const plain = (red: number, green: number, blue: number): Uint8Array => paint(() => [red, green, blue]);

/** A gradient in the colours of skin. */
const skinGradient = (): Uint8Array => paint((x, y) => [180 + x / 4, 130 + y / 4, 110 + x / 8]);

/** Sky, sun, hills and a house. */
const landscape = (): Promise<Uint8Array> =>
  draw(`<rect width="224" height="224" fill="#8ec5ea"/><circle cx="170" cy="45" r="22" fill="#ffe27a"/>
      <path d="M0 150 Q60 90 120 145 T224 130 V224 H0 Z" fill="#5c8a4a"/>
      <rect x="40" y="130" width="60" height="50" fill="#b5543c"/>
      <path d="M34 132 L70 100 L106 132 Z" fill="#5b3a2e"/>`);

/** Round shapes with soft edges in the colours of skin, about which the model is less certain. */
function softShapes(seed: number): Promise<Uint8Array> {
  const random = numbers(seed);
  const shapes = Array.from({ length: 14 }, () => {
    const [x, y, width, height, light] = [224, 224, 70, 90, 70].map((most) => Math.round(random() * most));
    const colour = `rgb(${185 + (light ?? 0)},${130 + (light ?? 0)},${105 + (light ?? 0)})`;
    return `<ellipse cx="${x}" cy="${y}" rx="${20 + (width ?? 0)}" ry="${20 + (height ?? 0)}" fill="${colour}" filter="url(#soft)"/>`;
  });
  return draw(`<filter id="soft"><feGaussianBlur stdDeviation="9"/></filter>
      <rect width="224" height="224" fill="#7a4a3a"/>${shapes.join('')}`);
}

/** Lines and flat colours, like a drawing. */
function drawing(seed: number): Promise<Uint8Array> {
  const random = numbers(seed);
  const shapes = Array.from({ length: 12 }, () => {
    const [x, y, radius, hue] = [224, 224, 50, 360].map((most) => Math.round(random() * most));
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="hsl(${hue},80%,70%)" stroke="black" stroke-width="4"/>`;
  });
  return draw(`<rect width="224" height="224" fill="white"/>${shapes.join('')}`);
}

/** librsvg draws in the spec's own process. */
const draw = (content: string): Promise<Uint8Array> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${MODEL_EDGE}" height="${MODEL_EDGE}">${content}</svg>`,
    ),
  )
    .removeAlpha()
    .raw()
    .toBuffer();
