/**
 * PDQ, a perceptual hash of 256 bits, after the published algorithm (Meta, "The TMK+PDQF Video-Hashing Algorithm and
 * the PDQ Image-Hashing Algorithm", 2019): luma, 64 × 64 cells, a DCT of which the 16 × 16 low frequencies without
 * the constant ones are kept, and one bit for each frequency above their median. A cell is the mean of its area; the
 * paper blurs with a tent filter and samples the cell's centre. Hashes differ from the paper's by 10–16 bits on
 * noise, the worst case. The hashes of a picture and of the same picture rotated differ by half as many bits, because
 * the cells are symmetric.
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

/** Brightness, 0–255, row by row; any dimensions. */
export interface Luma {
  readonly data: Float32Array | Uint8Array;
  readonly width: number;
  readonly height: number;
}

export interface PdqHash {
  /** 64 hexadecimal digits. */
  readonly pdq: string;
  /** 0–100. */
  readonly quality: number;
  /** Base64 of the seven hashes, 32 bytes each, of the mirrored and rotated picture. */
  readonly turned: string;
}

/** The 256 low frequencies of a picture, from which it is hashed. */
export interface Spectrum {
  readonly band: Float64Array;
  /** The amount of detail, 0–100. */
  readonly quality: number;
}

/** Hashes a picture. */
export function pdqHash(luma: Luma): PdqHash {
  return hashOf(spectrumOf(luma));
}

export function spectrumOf({ data, width, height }: Luma): Spectrum {
  const grid = cellsOf(data, width, height);
  return { band: lowFrequencies(grid), quality: gradientQuality(grid) };
}

export function hashOf({ band, quality }: Spectrum): PdqHash {
  const turned = TURNS.map((turn) => toBytes(turnBand(band, turn)));
  return {
    pdq: toBytes(band).toString('hex'),
    quality,
    turned: Buffer.concat(turned).toString('base64'),
  };
}

/** The hash's 32 bytes as eight words. */
export function wordsOf({ band }: Spectrum): Uint32Array {
  const bytes = toBytes(band);
  return Uint32Array.from({ length: 8 }, (_, word) => bytes.readUInt32BE(word * 4));
}

/** The mean brightness of each of 64 × 64 cells. Samples that lie in two cells count in proportion. */
function cellsOf(luma: Luma['data'], width: number, height: number): Float64Array {
  const rows = new Float64Array(GRID * width);
  for (const { cell, sample, share } of sharesOf(height)) {
    const [to, from] = [cell * width, sample * width];
    for (let x = 0; x < width; x++) rows[to + x]! += share * luma[from + x]!;
  }
  const cells = new Float64Array(GRID * GRID);
  for (const { cell, sample, share } of sharesOf(width)) {
    for (let row = 0; row < GRID; row++) cells[row * GRID + cell]! += share * rows[row * width + sample]!;
  }
  return cells;
}

/** A sample that lies in one of the 64 cells of an axis, and its share of the cell. */
interface Share {
  readonly cell: number;
  readonly sample: number;
  readonly share: number;
}

function sharesOf(samples: number): Share[] {
  const shares: Share[] = [];
  for (let cell = 0; cell < GRID; cell++) {
    const from = (cell * samples) / GRID;
    const to = ((cell + 1) * samples) / GRID;
    for (let sample = Math.floor(from); sample < to; sample++) {
      const inside = Math.min(to, sample + 1) - Math.max(from, sample);
      shares.push({ cell, sample, share: inside / (to - from) });
    }
  }
  return shares;
}

/** The amount of detail: the sum of the differences between neighbours, in whole percent of the range. */
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

/** An orientation: axes swapped, then mirrored top to bottom, then left to right. */
interface Turn {
  readonly transposed: boolean;
  readonly flipped: boolean;
  readonly flopped: boolean;
}

/** The seven orientations besides the upright one. */
const TURNS: readonly Turn[] = Array.from({ length: 7 }, (_, index) => ({
  transposed: ((index + 1) & 4) !== 0,
  flipped: ((index + 1) & 2) !== 0,
  flopped: ((index + 1) & 1) !== 0,
}));

/**
 * The low frequencies of the picture in this orientation: swapped axes transpose them, and a mirror changes the sign of
 * the odd ones, as in the reference implementation's dihedral hashes (facebook/ThreatExchange, pdq). Row i holds
 * frequency i + 1.
 */
function turnBand(band: Float64Array, { transposed, flipped, flopped }: Turn): Float64Array {
  const turned = new Float64Array(band.length);
  for (let row = 0; row < BAND; row++) {
    for (let column = 0; column < BAND; column++) {
      const value = band[transposed ? column * BAND + row : row * BAND + column] ?? 0;
      const isNegated = (flipped && row % 2 === 0) !== (flopped && column % 2 === 0);
      turned[row * BAND + column] = isNegated ? -value : value;
    }
  }
  return turned;
}

/** Sixteen words of sixteen bits, the last word first, as the reference implementation prints them. */
function toBytes(band: Float64Array): Buffer {
  const median = Float64Array.from(band).sort()[band.length / 2 - 1] ?? 0;
  const bytes = Buffer.alloc(band.length / 8);
  for (let word = 0; word < BAND; word++) {
    let bits = 0;
    for (let bit = 0; bit < BAND; bit++) if ((band[word * BAND + bit] ?? 0) > median) bits |= 1 << bit;
    bytes.writeUInt16BE(bits, (BAND - 1 - word) * 2);
  }
  return bytes;
}
