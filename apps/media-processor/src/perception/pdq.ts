/**
 * PDQ, a perceptual hash of 256 bits, after the published algorithm (Meta, "The TMK+PDQF Video-Hashing Algorithm and
 * the PDQ Image-Hashing Algorithm", 2019): luma, a tent filter made of two box blurs, decimation to 64 × 64, a DCT
 * cut to its 16 × 16 low frequencies without the constant ones, one bit for each that lies above their median.
 */
const GRID = 64;
const BAND = 16;

/** `COSINES[i][j]`: row i + 1 of the 64-point DCT-II. */
const COSINES = Array.from({ length: BAND }, (_, i) =>
  Float64Array.from(
    { length: GRID },
    (_, j) => Math.sqrt(2 / GRID) * Math.cos((Math.PI / (2 * GRID)) * (i + 1) * (2 * j + 1)),
  ),
);

/** Hashes a picture given as luma, 0–255, row by row; any dimensions. `pdq` is 64 hexadecimal digits, `quality` 0–100. */
export function pdqHash(
  luma: Float32Array,
  width: number,
  height: number,
): { readonly pdq: string; readonly quality: number } {
  const grid = decimate(tent(luma, width, height), width, height);
  return { pdq: toHex(lowFrequencies(grid)), quality: gradientQuality(grid) };
}

/** How many of the 256 bits differ. */
export function pdqDistance(a: string, b: string): number {
  let difference = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  let bits = 0;
  for (; difference > 0n; difference &= difference - 1n) bits++;
  return bits;
}

/** Two passes of a box blur along each axis; the window spans about one cell of the grid. */
function tent(luma: Float32Array, width: number, height: number): Float32Array {
  const across = Math.ceil(width / (2 * GRID));
  const down = Math.ceil(height / (2 * GRID));
  const picture = Float32Array.from(luma);
  const between = new Float32Array(luma.length);
  for (let pass = 0; pass < 2; pass++) {
    for (let y = 0; y < height; y++) boxBlur(picture, between, y * width, 1, width, across);
    for (let x = 0; x < width; x++) boxBlur(between, picture, x, width, height, down);
  }
  return picture;
}

/** Means over a sliding window of `size` samples, cut off at both ends of the line. */
function boxBlur(
  from: Float32Array,
  to: Float32Array,
  start: number,
  stride: number,
  length: number,
  size: number,
): void {
  const ahead = Math.floor((size + 2) / 2);
  const behind = size - ahead;
  let sum = 0;
  let first = 0;
  let last = 0;
  for (let i = 0; i < length; i++) {
    for (; last < Math.min(length, i + ahead); last++) sum += from[start + last * stride] ?? 0;
    for (; first < i - behind; first++) sum -= from[start + first * stride] ?? 0;
    to[start + i * stride] = sum / (last - first);
  }
}

/** The sample at the middle of each cell of the grid. */
function decimate(luma: Float32Array, width: number, height: number): Float64Array {
  return Float64Array.from({ length: GRID * GRID }, (_, cell) => {
    const y = Math.floor(((Math.floor(cell / GRID) + 0.5) * height) / GRID);
    const x = Math.floor((((cell % GRID) + 0.5) * width) / GRID);
    return luma[y * width + x] ?? 0;
  });
}

/** How much there is to see: the sum of the differences of neighbours, in whole percents of the range. */
function gradientQuality(grid: Float64Array): number {
  let sum = 0;
  for (let y = 0; y < GRID; y++) {
    for (let x = 0; x < GRID; x++) {
      const here = grid[y * GRID + x] ?? 0;
      if (x + 1 < GRID) sum += Math.trunc((Math.abs(here - (grid[y * GRID + x + 1] ?? 0)) * 100) / 255);
      if (y + 1 < GRID) sum += Math.trunc((Math.abs(here - (grid[(y + 1) * GRID + x] ?? 0)) * 100) / 255);
    }
  }
  return Math.min(100, Math.trunc(sum / 90));
}

function lowFrequencies(grid: Float64Array): Float64Array {
  const columns = new Float64Array(BAND * GRID);
  const band = new Float64Array(BAND * BAND);
  COSINES.forEach((row, i) => {
    for (let x = 0; x < GRID; x++) {
      let sum = 0;
      for (let y = 0; y < GRID; y++) sum += (row[y] ?? 0) * (grid[y * GRID + x] ?? 0);
      columns[i * GRID + x] = sum;
    }
  });
  for (let i = 0; i < BAND; i++) {
    COSINES.forEach((row, j) => {
      let sum = 0;
      for (let x = 0; x < GRID; x++) sum += (row[x] ?? 0) * (columns[i * GRID + x] ?? 0);
      band[i * BAND + j] = sum;
    });
  }
  return band;
}

/** Sixteen words of sixteen bits, the last word first, as the reference implementation prints them. */
function toHex(band: Float64Array): string {
  const median = Float64Array.from(band).sort()[band.length / 2 - 1] ?? 0;
  let hex = '';
  for (let word = BAND - 1; word >= 0; word--) {
    let bits = 0;
    for (let bit = 0; bit < BAND; bit++) if ((band[word * BAND + bit] ?? 0) > median) bits |= 1 << bit;
    hex += bits.toString(16).padStart(4, '0');
  }
  return hex;
}
