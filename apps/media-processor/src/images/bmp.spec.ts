import sharp from 'sharp';
import { decodeBmp } from './bmp';

type Colour = readonly [number, number, number, number?];

const [RED, GREEN, BLUE, WHITE]: Colour[] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
];
/** The pixels of every picture here, from the top: three in each row, so that rows are padded. */
const SHOWN = [RED, GREEN, BLUE, WHITE, RED, GREEN];

interface Parts {
  readonly header?: number;
  readonly bits: number;
  readonly compression?: number;
  readonly masks?: readonly number[];
  readonly palette?: readonly Colour[];
  /** Rows from the bottom up, or from the top down. */
  readonly rows: readonly (readonly number[])[];
  readonly isTopDown?: boolean;
}

/** A BMP of 3 × 2 pixels. */
function bmp({
  header = 40,
  bits,
  compression = 0,
  masks = [],
  palette = [],
  rows,
  isTopDown,
}: Parts): Buffer {
  const head = Buffer.alloc(14 + header);
  const inHeader = header > 40;
  masks.forEach((mask, i) => inHeader && head.writeUInt32LE(mask, 54 + 4 * i));
  const behind = inHeader
    ? []
    : masks.flatMap((mask) => [0, 8, 16, 24].map((shift) => (mask >>> shift) & 255));
  const colours = palette.flatMap(([r, g, b]) => (header === 12 ? [b, g, r] : [b, g, r, 0]));
  const padded = compression === 1 || compression === 2 ? rows : rows.map((row) => pad(row));
  head.write('BM', 'latin1');
  head.writeUInt32LE(head.length + behind.length + colours.length, 10);
  head.writeUInt32LE(header, 14);
  if (header === 12) {
    [3, 2, 1, bits].forEach((value, i) => head.writeUInt16LE(value, 18 + 2 * i));
  } else {
    head.writeInt32LE(3, 18);
    head.writeInt32LE(isTopDown ? -2 : 2, 22);
    head.writeUInt16LE(1, 26);
    head.writeUInt16LE(bits, 28);
    head.writeUInt32LE(compression, 30);
  }
  return Buffer.from([...head, ...behind, ...colours, ...padded.flat()]);
}

const pad = (row: readonly number[]): number[] => [
  ...row,
  ...Array.from({ length: (4 - (row.length % 4)) % 4 }, () => 0),
];
const words = (...values: readonly number[]): number[] =>
  values.flatMap((value) => [value & 255, value >> 8]);
const longs = (...values: readonly number[]): number[] =>
  values.flatMap((value) => [0, 8, 16, 24].map((shift) => (value >>> shift) & 255));

async function pixelsOf(file: Buffer): Promise<number[][]> {
  const { data, info } = await sharp(await decodeBmp(file))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 3, height: 2 });
  return Array.from({ length: 6 }, (_, i) => [...data.subarray(i * info.channels, (i + 1) * info.channels)]);
}

describe('decodeBmp', () => {
  const palette = [RED, GREEN, BLUE, WHITE] as Colour[];
  const indices = [[3, 0, 1], [0, 1, 2]] as const; // prettier-ignore

  it.each<[string, Parts]>([
    ['8 bits', { bits: 8, palette, rows: indices }],
    ['8 bits of OS/2', { header: 12, bits: 8, palette, rows: indices }],
    ['8 bits from the top down', { bits: 8, palette, rows: [...indices].reverse(), isTopDown: true }],
    ['4 bits', { bits: 4, palette, rows: [[0x30, 0x10], [0x01, 0x20]] }], // prettier-ignore
    ['2 bits', { bits: 2, palette, rows: [[0b11000100], [0b00011000]] }],
    ['24 bits', { bits: 24, rows: [[255, 255, 255, 0, 0, 255, 0, 255, 0], [0, 0, 255, 0, 255, 0, 255, 0, 0]] }], // prettier-ignore
    ['16 bits', { bits: 16, rows: [words(0x7fff, 0x7c00, 0x03e0), words(0x7c00, 0x03e0, 0x001f)] }],
    [
      '16 bits of 5, 6 and 5',
      {
        ...{ bits: 16, compression: 3, masks: [0xf800, 0x07e0, 0x001f] },
        rows: [words(0xffff, 0xf800, 0x07e0), words(0xf800, 0x07e0, 0x001f)],
      },
    ],
    [
      '32 bits, of which 8 mean nothing',
      { bits: 32, rows: [longs(0x12ffffff, 0xff0000, 0xff00), longs(0xff0000, 0xff00, 0xff)] },
    ],
    [
      '32 bits with unusual masks',
      {
        ...{ header: 124, bits: 32, compression: 3, masks: [0xff000000, 0xff0000, 0xff00, 0] },
        rows: [longs(0xffffff00, 0xff000000, 0xff0000), longs(0xff000000, 0xff0000, 0xff00)],
      },
    ],
    [
      '30 bits',
      {
        ...{ header: 56, bits: 32, compression: 3, masks: [0x3ff00000, 0xffc00, 0x3ff, 0] },
        rows: [longs(0x3fffffff, 0x3ff00000, 0xffc00), longs(0x3ff00000, 0xffc00, 0x3ff)],
      },
    ],
  ])('decodes %s', async (_, parts) => {
    expect(await pixelsOf(bmp(parts))).toEqual(SHOWN);
  });

  it('keeps transparency', async () => {
    const masks = [0xff0000, 0xff00, 0xff, 0xff000000];
    const rows = [longs(0xffffff, 0xff0000, 0xff00), longs(0x80ff0000, 0xff00ff00, 0xff)];
    const shown = await pixelsOf(bmp({ header: 108, bits: 32, compression: 3, masks, rows }));
    expect(shown.map(([, , , alpha]) => alpha)).toEqual([128, 255, 0, 0, 0, 0]);
    expect(shown[0]).toEqual([255, 0, 0, 128]);
  });

  it('decodes run lengths of 8 and 4 bits', async () => {
    const of8 = [[1, 3, 1, 0, 1, 1, 0, 0], [0, 3, 0, 1, 2, 0, 0, 1]]; // prettier-ignore
    const of4 = [[1, 0x30, 1, 0, 1, 0x10, 0, 0], [0, 3, 0x01, 0x20, 0, 1]]; // prettier-ignore
    expect(await pixelsOf(bmp({ bits: 8, compression: 1, palette, rows: of8 }))).toEqual(SHOWN);
    expect(await pixelsOf(bmp({ bits: 4, compression: 2, palette, rows: of4 }))).toEqual(SHOWN);
  });

  it.each<[string, Buffer]>([
    ['ends early', bmp({ bits: 24, rows: [[1, 2, 3, 4, 5, 6, 7, 8, 9]] })],
    ['ends within a run', bmp({ bits: 8, compression: 1, palette, rows: [[3, 1, 0]] })],
    ['holds a JPEG', bmp({ bits: 24, compression: 4, rows: [[], []] })],
    ["is coded by Huffman's code", bmp({ header: 64, bits: 1, compression: 3, rows: [[], []] })],
    ['has no header', Buffer.from('BM')],
  ])('refuses a file that %s', async (_, file) => {
    await expect(decodeBmp(file)).rejects.toThrow();
  });
});
