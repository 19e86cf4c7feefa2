import type { PerceptualHash } from '@vitrine/contracts';

/**
 * Two pictures with at most this many differing bits of 256 count as the same: the confidence threshold that the
 * authors of PDQ recommend (Meta, "The TMK+PDQF Video-Hashing Algorithm and the PDQ Image-Hashing Algorithm").
 */
export const PDQ_MATCH_DISTANCE = 31;

/** The smallest quality (0–100) of a hash that is matched; below it a picture has too little detail (same paper). */
export const PDQ_MIN_QUALITY = 50;

/** A ban of one media item includes at most this many of its scenes, those that were shown the longest. */
export const MAX_BANNED_SCENES = 100;

const HASH_BYTES = 32;
/** 32-bit words of one hash. */
const WORDS = 8;
/** The number of parts of 16 bits by which hashes are found. */
const PARTS = 16;
const PART_BITS = 16;
const PART_VALUES = 1 << PART_BITS;

const isClear = ({ quality }: PerceptualHash): boolean => quality >= PDQ_MIN_QUALITY;

/**
 * The hashes that are looked up for a picture, as bytes: its own, those of the picture mirrored and turned, and those
 * of the negative of each. A negative's hash is the complement, because its transform has the opposite signs. Empty
 * if the picture's quality is too low.
 */
export function lookupsOf(hash: PerceptualHash): readonly Buffer[] {
  if (!isClear(hash)) return [];
  const straight = Buffer.from(hash.pdq, 'hex');
  const turned = Buffer.from(hash.turned ?? '', 'base64');
  const orientations = [straight];
  for (let at = 0; at + HASH_BYTES <= turned.length; at += HASH_BYTES) {
    orientations.push(turned.subarray(at, at + HASH_BYTES));
  }
  return orientations.flatMap((bits) => [bits, Buffer.from(bits.map((byte) => ~byte))]);
}

/**
 * The hashes by which a media item is banned, as bytes; `hashes` begin with the scene that was shown the longest. A
 * scene of a video is included without its border only if its whole frame has enough quality. Otherwise the ban of
 * one video would include a logo on a plain background that begins or ends many others.
 */
export function bannableHashes(hashes: readonly PerceptualHash[]): readonly Buffer[] {
  const scenes = [...new Set(hashes.map(({ at }) => at))];
  const clearWithBorder = new Set(
    hashes.filter((hash) => isClear(hash) && !hash.border_cut).map(({ at }) => at),
  );
  const counts = (hash: PerceptualHash): boolean =>
    isClear(hash) && (!hash.border_cut || scenes.length === 1 || clearWithBorder.has(hash.at));
  const banned = new Set(
    scenes.filter((at) => hashes.some((hash) => hash.at === at && counts(hash))).slice(0, MAX_BANNED_SCENES),
  );
  return hashes
    .filter((hash) => banned.has(hash.at) && counts(hash))
    .map(({ pdq }) => Buffer.from(pdq, 'hex'));
}

interface Match {
  readonly id: number;
  readonly distance: number;
}

/**
 * Many perceptual hashes, found by their parts: of two hashes that differ in at most 31 bits, at least one of the 16
 * parts differs in at most one bit (Norouzi, Punjani and Fleet, "Fast Exact Search in Hamming Space with Multi-Index
 * Hashing", 2014). A search visits 17 of the 65,536 lists of each part instead of every hash.
 */
export class PerceptualHashIndex {
  private readonly words: Uint32Array;
  /** Where the list of each value of each part begins in `members`. */
  private readonly starts = new Uint32Array(PARTS * PART_VALUES + 1);
  /** Positions of hashes, list after list. */
  private readonly members: Uint32Array;

  constructor(private readonly entries: readonly { readonly id: number; readonly hash: Uint8Array }[]) {
    this.words = new Uint32Array(entries.length * WORDS);
    entries.forEach(({ hash }, position) => this.words.set(toWords(hash), position * WORDS));
    this.members = new Uint32Array(entries.length * PARTS);
    this.sortIntoLists();
  }

  /** The id of the nearest hash within `PDQ_MATCH_DISTANCE` of `hash`, and its distance; null if there is none. */
  findNearest(hash: Uint8Array): Match | null {
    const wanted = toWords(hash);
    let nearest = -1;
    let limit = PDQ_MATCH_DISTANCE;
    const visit = (list: number): void => {
      const end = this.starts[list + 1] ?? 0;
      for (let at = this.starts[list] ?? 0; at < end; at++) {
        const position = this.members[at] ?? 0;
        const distance = this.distance(position, wanted, limit);
        if (distance > limit || (distance === limit && nearest >= 0 && position >= nearest)) continue;
        [nearest, limit] = [position, distance];
      }
    };
    for (let part = 0; part < PARTS; part++) {
      const value = partOf(wanted, 0, part);
      visit(part * PART_VALUES + value);
      for (let bit = 0; bit < PART_BITS; bit++) visit(part * PART_VALUES + (value ^ (1 << bit)));
    }
    const entry = this.entries[nearest];
    return entry ? { id: entry.id, distance: limit } : null;
  }

  /** Counts the members of each list, adds the counts up, then places the members: two passes over the hashes. */
  private sortIntoLists(): void {
    const { starts, members, words } = this;
    const each = (use: (list: number, position: number) => void): void => {
      for (let position = 0; position < this.entries.length; position++) {
        for (let part = 0; part < PARTS; part++) {
          use(part * PART_VALUES + partOf(words, position * WORDS, part), position);
        }
      }
    };
    each((list) => (starts[list] = (starts[list] ?? 0) + 1));
    let sum = 0;
    for (let list = 0; list < starts.length; list++) starts[list] = sum += starts[list] ?? 0;
    // Fills each list from its end, so that `starts` points to its beginning afterwards.
    each((list, position) => {
      const at = (starts[list] ?? 0) - 1;
      starts[list] = at;
      members[at] = position;
    });
  }

  /** The number of differing bits; if it exceeds `limit`, any number above `limit`. */
  private distance(position: number, wanted: Uint32Array, limit: number): number {
    let distance = 0;
    for (let word = 0; word < WORDS && distance <= limit; word++) {
      distance += countOnes((this.words[position * WORDS + word] ?? 0) ^ (wanted[word] ?? 0));
    }
    return distance;
  }
}

function partOf(words: Uint32Array, offset: number, part: number): number {
  const word = words[offset + (part >> 1)] ?? 0;
  return part % 2 === 0 ? word >>> PART_BITS : word & (PART_VALUES - 1);
}

function toWords(hash: Uint8Array): Uint32Array {
  if (hash.length !== WORDS * 4) throw new TypeError(`A PDQ hash has 32 bytes, not ${hash.length}`);
  const view = new DataView(hash.buffer, hash.byteOffset, hash.byteLength);
  return Uint32Array.from({ length: WORDS }, (_, word) => view.getUint32(word * 4));
}

/** Ones among 32 bits, counted in parallel (Warren, "Hacker's Delight", 5-1). */
function countOnes(bits: number): number {
  let ones = bits - ((bits >>> 1) & 0x55555555);
  ones = (ones & 0x33333333) + ((ones >>> 2) & 0x33333333);
  return Math.imul((ones + (ones >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
