import sharp from 'sharp';

/** A seeded generator (mulberry32) of numbers from 0 to 1 (exclusive): the same seed gives the same numbers. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The roughness of a picture of noise. */
export interface NoiseTexture {
  /** Pixels of the largest shapes, as a share of the longer edge. */
  readonly largest: number;
  /** Pixels of the smallest. */
  readonly smallest: number;
  /** Strength of each octave against the one four times as large. */
  readonly falloff: number;
}

const SOFT: NoiseTexture = { largest: 1 / 2, smallest: 2, falloff: 0.5 };

/** A photo-like picture as raw RGB: octaves of smooth noise, large shapes strongest. */
export async function noisePicture(
  width: number,
  height: number,
  seed: number,
  { largest, smallest, falloff }: NoiseTexture = SOFT,
): Promise<Buffer> {
  const next = seededRandom(seed);
  const sum = new Float32Array(width * height * 3);
  let amplitude = 1;
  for (let cell = Math.max(width, height) * largest; cell >= smallest; cell /= 4) {
    const columns = Math.ceil(width / cell) + 1;
    const rows = Math.ceil(height / cell) + 1;
    const coarse = Buffer.alloc(columns * rows * 3);
    for (let i = 0; i < coarse.length; i++) coarse[i] = next() * 256;
    const smooth = await sharp(coarse, { raw: { width: columns, height: rows, channels: 3 } })
      .resize(width, height, { fit: 'fill', kernel: 'cubic' })
      .raw()
      .toBuffer();
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + ((smooth[i] ?? 0) - 127) * amplitude;
    amplitude *= falloff;
  }
  const pixels = Buffer.allocUnsafe(sum.length);
  for (let i = 0; i < sum.length; i++) pixels[i] = Math.max(0, Math.min(255, 127 + (sum[i] ?? 0) * 0.8));
  return pixels;
}
