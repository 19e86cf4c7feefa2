import fc from 'fast-check';
import {
  bannableHashes,
  lookupsOf,
  MAX_BANNED_SCENES,
  PDQ_MATCH_DISTANCE,
  PDQ_MIN_QUALITY,
  PerceptualHashIndex,
} from './perceptual-hash.rules';

const anyHash = fc.uint8Array({ minLength: 32, maxLength: 32 });
const anyBits = fc.uniqueArray(fc.integer({ min: 0, max: 255 }), { maxLength: 64 });

function flip(hash: Uint8Array, bits: readonly number[]): Uint8Array {
  const flipped = Uint8Array.from(hash);
  for (const bit of bits) flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return flipped;
}

const differingBits = (a: Uint8Array, b: Uint8Array): number =>
  a.reduce((sum, byte, at) => sum + (byte ^ (b[at] ?? 0)).toString(2).replaceAll('0', '').length, 0);

describe('PerceptualHashIndex', () => {
  it('finds the same hash as a comparison with each hash', () => {
    fc.assert(
      fc.property(fc.array(anyHash, { maxLength: 20 }), fc.nat(), anyBits, (hashes, pick, bits) => {
        const entries = hashes.map((hash, position) => ({ id: position + 1, hash }));
        const wanted = flip(hashes[pick % hashes.length] ?? new Uint8Array(32), bits);
        const distances = hashes.map((hash) => differingBits(hash, wanted));
        const least = Math.min(...distances);
        const expected =
          least <= PDQ_MATCH_DISTANCE ? { id: distances.indexOf(least) + 1, distance: least } : null;
        expect(new PerceptualHashIndex(entries).findNearest(wanted)).toEqual(expected);
      }),
    );
  });

  // Promise [moderation]: A picture that looks like a banned one is rejected: up to 31 of 256 bits may
  // differ.
  it('matches at a distance of 31 bits and not of 32', () => {
    const hash = new Uint8Array(32).fill(0x5a);
    const index = new PerceptualHashIndex([{ id: 1, hash }]);
    const bits = Array.from({ length: PDQ_MATCH_DISTANCE + 1 }, (_, bit) => bit * 7);
    expect(index.findNearest(flip(hash, bits.slice(1)))).toEqual({ id: 1, distance: PDQ_MATCH_DISTANCE });
    expect(index.findNearest(flip(hash, bits))).toBeNull();
  });

  it('reads a hash that is part of a larger buffer', () => {
    const hash = Buffer.alloc(100).fill(0xff, 3, 35).subarray(3, 35);
    const index = new PerceptualHashIndex([{ id: 1, hash }]);
    expect(index.findNearest(new Uint8Array(32).fill(0xff))).toEqual({ id: 1, distance: 0 });
  });

  it('throws for hashes that do not have 32 bytes', () => {
    const index = new PerceptualHashIndex([]);
    expect(() => index.findNearest(new Uint8Array(31))).toThrow(TypeError);
  });
});

describe('lookupsOf', () => {
  it('returns the hash, those of its other orientations, and the complement of each', () => {
    const turned = Buffer.concat(Array.from({ length: 7 }, (_, index) => Buffer.alloc(32, index)));
    const hash = { pdq: 'ab'.repeat(32), quality: PDQ_MIN_QUALITY, at: 0, turned: turned.toString('base64') };
    const bytes = [0xab, 0, 1, 2, 3, 4, 5, 6];
    expect(lookupsOf(hash)).toEqual(
      bytes.flatMap((byte) => [Buffer.alloc(32, byte), Buffer.alloc(32, 0xff - byte)]),
    );
  });

  it('returns nothing for a picture of low quality', () => {
    expect(lookupsOf({ pdq: 'ab'.repeat(32), quality: PDQ_MIN_QUALITY - 1, at: 0 })).toEqual([]);
  });
});

describe('bannableHashes', () => {
  const numbered = (index: number): string => index.toString(16).padStart(64, '0');
  const bytes = (...indexes: number[]): Buffer[] =>
    indexes.map((index) => Buffer.from(numbered(index), 'hex'));

  it('leaves out hashes of low quality', () => {
    const hashes = [0, PDQ_MIN_QUALITY - 1, PDQ_MIN_QUALITY, 100].map((quality, index) => ({
      ...{ pdq: numbered(index), quality, at: index },
    }));
    expect(bannableHashes(hashes)).toEqual(bytes(2, 3));
  });

  it('includes a still without its border, and a video scene without it only if the whole frame has enough quality', () => {
    const logo = [
      { pdq: numbered(1), quality: 10, at: 0 },
      { pdq: numbered(2), quality: 90, at: 0, border_cut: true },
    ];
    const letterboxed = [
      { pdq: numbered(3), quality: 60, at: 4 },
      { pdq: numbered(4), quality: 90, at: 4, border_cut: true },
    ];
    expect(bannableHashes(logo)).toEqual(bytes(2));
    expect(bannableHashes([...logo, ...letterboxed])).toEqual(bytes(3, 4));
  });

  it(`includes the first ${MAX_BANNED_SCENES} scenes at most`, () => {
    const scenes = Array.from({ length: MAX_BANNED_SCENES + 5 }, (_, at) => ({
      pdq: numbered(at),
      quality: 90,
      at,
    }));
    expect(bannableHashes(scenes)).toHaveLength(MAX_BANNED_SCENES);
  });
});
