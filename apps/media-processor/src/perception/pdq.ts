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
  let picture = luma;
  for (let pass = 0; pass < 2; pass++) {
    picture = blurRows(picture, width, across);
    picture = blurColumns(picture, width, height, down);
  }
  return picture;
}

/** Means over a sliding window of `size` samples of a row, cut off at its ends. */
function blurRows(from: Float32Array, width: number, size: number): Float32Array {
  const to = new Float32Array(from.length);
  const { ahead, behind } = windowOf(size);
  for (let row = 0; row < from.length; row += width) {
    let [sum, first, last] = [0, 0, 0];
    for (let x = 0; x < width; x++) {
      for (; last < width && last < x + ahead; last++) sum += from[row + last] as number;
      for (; first < x - behind; first++) sum -= from[row + first] as number;
      to[row + x] = sum / (last - first);
    }
  }
  return to;
}

/** The same down the columns, all of them abreast: memory is read in the order it lies in. */
function blurColumns(from: Float32Array, width: number, height: number, size: number): Float32Array {
  const to = new Float32Array(from.length);
  const { ahead, behind } = windowOf(size);
  const sums = new Float64Array(width);
  let [first, last] = [0, 0];
  for (let y = 0; y < height; y++) {
    for (; last < height && last < y + ahead; last++) addRow(sums, from, last * width, 1);
    for (; first < y - behind; first++) addRow(sums, from, first * width, -1);
    const share = 1 / (last - first);
    for (let x = 0; x < width; x++) to[y * width + x] = (sums[x] as number) * share;
  }
  return to;
}

function addRow(sums: Float64Array, from: Float32Array, row: number, sign: 1 | -1): void {
  for (let x = 0; x < sums.length; x++) sums[x] = (sums[x] as number) + sign * (from[row + x] as number);
}

/** Samples of a window from its middle on, and before it. */
function windowOf(size: number): { ahead: number; behind: number } {
  const ahead = Math.floor((size + 2) / 2);
  return { ahead, behind: size - ahead };
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
