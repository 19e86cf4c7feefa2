/** How an uncompressed TIFF holds its pixels (TIFF 6.0), by the numbers of its tags. */
export interface TiffLayout {
  readonly bits: number;
  readonly channels: number;
  readonly photometric: number;
  readonly compression?: number;
  /** 2: each channel in a separate plane. */
  readonly planes?: 1 | 2;
  readonly isTiled?: boolean;
  /** 1: unsigned, 2: signed, 3: floating point. */
  readonly format?: number;
}

type Tag = readonly [tag: number, type: 3 | 4, values: readonly number[]];

const EDGE = 16;
const HEADER = 8;
const COLOURS: Readonly<Record<number, number>> = { 2: 3, 5: 4, 6: 3, 8: 3 };
const HALF = Buffer.from([0, 0, 0, 0x3f]);

/** A little-endian TIFF of 16 × 16 pixels; those in floating point are one half. */
export function tiffOf(layout: TiffLayout): Buffer {
  const { bits, channels, photometric, compression = 1, planes = 1, isTiled = false, format } = layout;
  const each = (value: number, count = channels): number[] => Array<number>(count).fill(value);
  const blocks = planes === 2 ? channels : 1;
  const bytes = Math.ceil((EDGE * bits * (channels / blocks)) / 8) * EDGE;
  const pixels = Buffer.alloc(bytes * blocks);
  for (let at = 0; at < pixels.length; at++)
    pixels[at] = format === 3 && bits === 32 ? (HALF[at % 4] ?? 0) : at * 7;
  const offsets = Array.from({ length: blocks }, (_, block) => HEADER + block * bytes);
  const extra = channels - (COLOURS[photometric] ?? 1);
  const place: Tag[] = isTiled
    ? [
        [322, 4, [EDGE]],
        [323, 4, [EDGE]],
        [324, 4, offsets],
        [325, 4, each(bytes, blocks)],
      ]
    : [
        [273, 4, offsets],
        [278, 4, [EDGE]],
        [279, 4, each(bytes, blocks)],
      ];
  const tags: Tag[] = [
    [256, 4, [EDGE]],
    [257, 4, [EDGE]],
    [258, 3, each(bits)],
    [259, 3, [compression]],
    [262, 3, [photometric]],
    [277, 3, [channels]],
    [284, 3, [planes]],
    ...(format ? [[339, 3, each(format)] as const] : []),
    ...(extra > 0 ? [[338, 3, each(0, extra)] as const] : []),
    ...(photometric === 3 && bits <= 8 ? [[320, 3, each(900, 3 << bits)] as const] : []),
    ...place,
  ];
  return Buffer.concat([head(HEADER + pixels.length), pixels, directory(tags, HEADER + pixels.length)]);
}

function head(directoryAt: number): Buffer {
  const bytes = Buffer.from('II*\0\0\0\0\0', 'latin1');
  bytes.writeUInt32LE(directoryAt, 4);
  return bytes;
}

/** A directory at `start`, with the values that don't fit into it behind it. */
function directory(tags: readonly Tag[], start: number): Buffer {
  const table = Buffer.alloc(2 + tags.length * 12 + 4);
  table.writeUInt16LE(tags.length, 0);
  const values: Buffer[] = [];
  let at = start + table.length;
  [...tags]
    .sort(([a], [b]) => a - b)
    .forEach(([tag, type, numbers], index) => {
      const bytes = Buffer.alloc(numbers.length * (type === 3 ? 2 : 4));
      numbers.forEach((value, place) =>
        type === 3 ? bytes.writeUInt16LE(value, place * 2) : bytes.writeUInt32LE(value, place * 4),
      );
      const entry = 2 + index * 12;
      table.writeUInt16LE(tag, entry);
      table.writeUInt16LE(type, entry + 2);
      table.writeUInt32LE(numbers.length, entry + 4);
      if (bytes.length <= 4) bytes.copy(table, entry + 8);
      else {
        table.writeUInt32LE(at, entry + 8);
        values.push(bytes);
        at += bytes.length;
      }
    });
  return Buffer.concat([table, ...values]);
}
