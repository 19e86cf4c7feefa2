import { legitimate, neighbours, RASTER_EDGE, sampleAt, type Pair, type RasterCell } from './raster-cell';

const EDGE = RASTER_EDGE;

interface Bmp {
  readonly header?: number;
  readonly width?: number;
  readonly height?: number;
  readonly bits?: number;
  readonly compression?: number;
  readonly planes?: number;
  readonly usedColours?: number;
  /** Colours that are written. */
  readonly colours?: number;
  readonly masks?: readonly number[];
  /** Where the pixels begin, counted from where they are. */
  readonly offset?: number;
  readonly gap?: number;
  readonly lastIndex?: number;
  readonly rows?: Buffer;
  readonly alpha?: number;
  readonly colourSpace?: number;
  readonly imageBytes?: number;
  readonly fileBytes?: number;
}

const palette = (colours: number, bytes: number): Buffer =>
  Buffer.from(
    Array.from({ length: colours }, (_, i) =>
      [(255 - i * 29) & 255, (i * 151 + 40) & 255, (i * 67) & 255, 0].slice(0, bytes),
    ).flat(),
  );

function usualRows({
  width = EDGE,
  height = EDGE,
  bits = 24,
  masks,
  lastIndex = 2 ** Math.min(bits, 8) - 1,
  alpha = 0xff,
}: Bmp): Buffer {
  const stride = Math.ceil((width * bits) / 32) * 4;
  const out = Buffer.alloc(stride * Math.abs(height));
  const places = masks ?? (bits === 16 ? [0x7c00, 0x3e0, 0x1f] : [0xff0000, 0xff00, 0xff]);
  for (let y = 0; y < Math.abs(height); y++)
    for (let x = 0; x < width; x++) {
      const row = y * stride;
      if (bits <= 8) {
        const at = row + ((x * bits) >> 3);
        const index = (x + y * 3) % (lastIndex + 1);
        out[at] = (out[at] ?? 0) | (index << (8 - bits - ((x * bits) & 7)));
        continue;
      }
      let value = 0;
      for (const [channel, mask] of places.entries()) {
        const low = 31 - Math.clz32(mask & -mask);
        const sample =
          channel === 3 ? (alpha === 0xff ? sampleAt(x, y, 3) : alpha / 255) : sampleAt(x, y, channel);
        if (mask !== 0) value = (value | (Math.round(sample * (mask >>> low)) << low)) >>> 0;
      }
      if (!masks && bits === 32) value = (value | (alpha << 24)) >>> 0;
      out.writeUIntLE(
        bits === 16 ? value & 0xffff : bits === 24 ? value & 0xffffff : value,
        row + (x * bits) / 8,
        bits / 8,
      );
    }
  return out;
}

export function bmp(options: Bmp): Buffer {
  const {
    header = 40,
    width = EDGE,
    height = EDGE,
    bits = 24,
    compression = 0,
    planes = 1,
    offset = 0,
    gap = 0,
  } = options;
  const entry = header === 12 ? 3 : 4;
  const { colours = bits <= 8 ? 2 ** bits : 0, usedColours = 0, masks, colourSpace = 0x73524742 } = options;
  const head = Buffer.alloc(14 + header);
  const isOutside = masks && header <= 40;
  const outside = Buffer.alloc(isOutside ? 4 * masks.length : 0);
  const rows = options.rows ?? usualRows(options);
  head.write('BM', 'latin1');
  const start = head.length + outside.length + colours * entry + gap;
  head.writeUInt32LE(options.fileBytes ?? start + rows.length, 2);
  head.writeUInt32LE(start + offset, 10);
  head.writeUInt32LE(header, 14);
  if (header === 12) {
    for (const [index, value] of [width, height, planes, bits].entries())
      head.writeUInt16LE(value & 0xffff, 18 + 2 * index);
  } else {
    head.writeInt32LE(width, 18);
    head.writeInt32LE(height, 22);
    head.writeUInt16LE(planes, 26);
    head.writeUInt16LE(bits, 28);
    if (header >= 40) {
      head.writeUInt32LE(compression, 30);
      head.writeUInt32LE(options.imageBytes ?? rows.length, 34);
      head.writeUInt32LE(usedColours, 46);
    }
    for (const [index, mask] of (masks ?? []).entries()) {
      if (isOutside) outside.writeUInt32LE(mask >>> 0, 4 * index);
      else if (54 + 4 * index + 4 <= head.length) head.writeUInt32LE(mask >>> 0, 54 + 4 * index);
    }
    if (header >= 108) head.writeUInt32LE(colourSpace, 14 + 56);
  }
  return Buffer.concat([head, outside, palette(colours, entry), Buffer.alloc(gap, 0x6b), rows]);
}

const OF_565 = [0xf800, 0x7e0, 0x1f];
const OF_8888 = [0xff0000, 0xff00, 0xff, 0xff000000];

function valid(): RasterCell[] {
  const some: Pair[] = [];
  for (const header of [12, 40, 52, 56, 108, 124])
    for (const bits of [1, 4, 8, 16, 24, 32])
      for (const height of [EDGE, -EDGE]) {
        if (header === 12 && (height < 0 || bits === 16 || bits === 32)) continue;
        some.push([`${bits} bits, header of ${header}, height ${height}`, bmp({ header, bits, height })]);
      }
  for (const header of [40, 52, 56, 108, 124]) {
    some.push([`565, header of ${header}`, bmp({ header, bits: 16, compression: 3, masks: OF_565 })]);
    some.push([
      `masks of 32 bits, header of ${header}`,
      bmp({ header, bits: 32, compression: 3, masks: OF_8888.slice(0, 3) }),
    ]);
    if (header >= 56)
      some.push([`alpha, header of ${header}`, bmp({ header, bits: 32, compression: 3, masks: OF_8888 })]);
    if (header >= 56)
      some.push([
        `alpha of zero, header of ${header}`,
        bmp({ header, bits: 32, compression: 3, masks: OF_8888, alpha: 0 }),
      ]);
  }
  for (const bits of [1, 4, 8])
    for (const colours of [2, (2 ** bits) >> 1, 2 ** bits - 1].filter((n) => n >= 2 && n < 2 ** bits))
      some.push([
        `${bits} bits, ${colours} colours`,
        bmp({ bits, colours, usedColours: colours, lastIndex: colours - 1 }),
      ]);
  some.push(['a gap before the pixels', bmp({ gap: 10 })]);
  some.push(['8 bits with a gap', bmp({ bits: 8, gap: 6 })]);
  some.push(['no number of bytes', bmp({ imageBytes: 0, fileBytes: 0 })]);
  const full = Array.from({ length: EDGE }, (_, y) => [EDGE, y, 0, 0]).flat();
  some.push(['runs', bmp({ bits: 8, compression: 1, rows: Buffer.from([...full, 0, 1]) })]);
  some.push([
    'runs of 4 bits',
    bmp({
      bits: 4,
      compression: 2,
      rows: Buffer.from([...Array.from({ length: EDGE }, (_, y) => [EDGE, y | 0x70, 0, 0]).flat(), 0, 1]),
    }),
  ]);
  return legitimate('bmp', some);
}

function fields(): RasterCell[] {
  const some: Pair[] = [];
  const add = (options: Bmp): void =>
    void some.push([
      JSON.stringify(options, (key, value: unknown) => (key === 'rows' ? undefined : value)),
      bmp(options),
    ]);
  for (const header of [0, 12, 16, 20, 36, 40, 44, 48, 52, 56, 60, 64, 100, 108, 120, 124, 128])
    for (const bits of [0, 1, 2, 3, 4, 5, 8, 15, 16, 24, 32, 48, 64])
      if (header >= 12) add({ header, bits, rows: Buffer.alloc(EDGE * EDGE * 8, 0x37) });
  for (const compression of [1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 0x80000000])
    for (const bits of [0, 1, 4, 8, 16, 24, 32])
      for (const header of [40, 64, 108])
        add({
          header,
          bits,
          compression: compression >>> 0,
          masks:
            compression === 3 || compression === 6 ? OF_8888.slice(0, compression === 6 ? 4 : 3) : undefined,
        } as Bmp);
  for (const bits of [1, 2, 4, 8])
    for (const usedColours of [0, 1, 2, 2 ** bits - 1, 2 ** bits, 2 ** bits + 1, 300, 0xffff, 0xffffffff])
      for (const colours of [1, (2 ** bits) >> 1 || 1, 2 ** bits, 300]) add({ bits, usedColours, colours });
  for (const bits of [1, 4, 8, 16, 24, 32])
    for (const offset of [-1024, -1000, -54, -20, -4, -3, -1, 1, 2, 4, 100, 1_000_000]) {
      const start = 54 + (bits <= 8 ? 4 * 2 ** bits : 0);
      if (start + offset >= 0) add({ bits, offset });
    }
  for (const bits of [16, 24, 32])
    for (const usedColours of [1, 2, 256, 1000])
      for (const colours of [0, usedColours]) add({ bits, usedColours, colours: Math.min(colours, 256) });
  for (const height of [0, 1, -1, 15, 17, -17, 0x7fffffff, -0x80000000])
    for (const bits of [8, 24]) add({ bits, height, rows: usualRows({ bits }) });
  for (const width of [0, 1, 15, 17, -16, 0x7fffffff])
    for (const bits of [8, 24]) add({ bits, width, rows: usualRows({ bits }) });
  for (const planes of [0, 2, 255]) add({ planes });
  for (const colourSpace of [0, 1, 0x57696e20, 0x4c494e4b, 0x4d424544])
    for (const header of [108, 124]) add({ header, colourSpace });
  const masks: readonly (readonly number[])[] = [
    [0xff0000, 0xff00, 0xff],
    [0xff, 0xff00, 0xff0000],
    [0xff000000, 0xff0000, 0xff00],
    [0, 0xff00, 0xff],
    [0xff0000, 0, 0],
    [0, 0, 0],
    [0xff0000, 0xff0000, 0xff0000],
    [0xffff00, 0xff00, 0xff],
    [0xf00f00, 0xff, 0xff000],
    [0xffff0000, 0xff00, 0xff],
    [0x3ff00000, 0xffc00, 0x3ff],
    [0x7c00, 0x3e0, 0x1f],
    [0xf800, 0x7e0, 0x1f],
    [0xf00, 0xf0, 0xf],
    [0x7f0000, 0x3f00, 0x1f],
    [1, 2, 4],
    [0x80000000, 0x40000000, 0x20000000],
    [0xff0000, 0xff00, 0xff, 0xff000000],
    [0xff0000, 0xff00, 0xff, 0xff0000],
    [0xff0000, 0xff00, 0xff, 0x80000000],
    [0xff0000, 0xff00, 0xff, 0x7f000000],
    [0x7c00, 0x3e0, 0x1f, 0x8000],
    [0xf00, 0xf0, 0xf, 0xf000],
    [0xff0000, 0xff00, 0xff, 0],
    [0xffffffff, 0, 0, 0],
  ];
  for (const one of masks)
    for (const bits of [16, 24, 32])
      for (const header of [40, 52, 56, 108, 124])
        for (const alpha of [0xff, 0]) {
          if (header < 56 && one.length > 3) continue;
          if (alpha === 0 && one.length < 4) continue;
          const rows =
            bits === 24
              ? usualRows({ bits })
              : usualRows({ bits, masks: bits === 16 ? one.map((mask) => mask & 0xffff) : one, alpha });
          some.push([
            `${bits} bits, header of ${header}, masks ${one.map((mask) => mask.toString(16)).join(' ')}, alpha ${alpha}`,
            bmp({ header, bits, compression: 3, masks: one, rows }),
          ]);
        }
  for (const alpha of [0, 1, 0x80, 0xff])
    for (const header of [40, 56, 108, 124])
      add({ header, bits: 32, alpha, masks: undefined } as unknown as Bmp);
  for (const header of [56, 108, 124]) {
    const idle = bmp({ header, bits: 32, alpha: 0 });
    idle.writeUInt32LE(0xff000000, 14 + 52);
    some.push([`an alpha mask without effect, header of ${header}`, idle]);
  }
  return neighbours('bmp', some);
}

/** Run lengths that skip pixels, end early, or leave the picture. */
function runs(): RasterCell[] {
  const some: Pair[] = [];
  for (const [bits, compression] of [
    [8, 1],
    [4, 2],
  ] as const)
    for (const height of [EDGE, -EDGE]) {
      const row = (y: number): number[] => [EDGE, bits === 8 ? y * 16 + 5 : (y << 4) | 9, 0, 0];
      const all = Array.from({ length: EDGE }, (_, y) => row(y));
      const add = (name: string, ...codes: readonly (readonly number[])[]): void => {
        for (const colours of [undefined, 4])
          some.push([
            `${bits} bits, height ${height}, ${colours ?? 'all'} colours: ${name}`,
            bmp({
              bits,
              height,
              compression,
              ...(colours && { colours, usedColours: colours }),
              rows: Buffer.from(codes.flat()),
            }),
          ]);
      };
      add('a movement', row(0), [0, 2, 3, 2], ...all.slice(3), [0, 1]);
      add('a movement to the right', [4, 7, 0, 2, 4, 0, 8, 3, 0, 0], ...all.slice(1), [0, 1]);
      add('a movement out of the picture', row(0), [0, 2, 200, 200], [5, 5], [0, 1]);
      add('a movement at the start', [0, 2, 0, 8], ...all.slice(8), [0, 1]);
      add('short rows', ...all.map((_, y) => [y + 1, y, 0, 0]), [0, 1]);
      add('rows without pixels', ...all.flatMap((one, y) => (y % 2 ? [[0, 0]] : [one])), [0, 1]);
      add('an early end', ...all.slice(0, 5), [0, 1]);
      add('an end at once', [0, 1]);
      add('no end', ...all);
      add('no end in the middle', ...all.slice(0, 7));
      add('long rows', ...all.map((_, y) => [20, y, 0, 0]), [0, 1]);
      add('rows without ends', ...all.map(([count = 0, value = 0]) => [count, value]), [0, 1]);
      add('too many rows', ...all, row(3), row(4), [0, 1]);
      add(
        'literal pixels',
        ...all.map((_, y) => [
          0,
          EDGE,
          ...Array.from({ length: bits === 8 ? EDGE : EDGE / 2 }, (__, x) => (x * 16 + y) & 255),
          0,
          0,
        ]),
        [0, 1],
      );
      add(
        'literal pixels of an odd number',
        ...all.map((_, y) => [
          0,
          13,
          ...Array.from({ length: bits === 8 ? 14 : 8 }, (__, x) => (x * 16 + y) & 255),
          3,
          y,
          0,
          0,
        ]),
        [0, 1],
      );
      add(
        'too many literal pixels',
        [0, 40, ...Array.from({ length: bits === 8 ? 40 : 20 }, (_, x) => x)],
        ...all.slice(1),
        [0, 1],
      );
      add(
        'literal pixels without padding',
        ...all.map((_, y) => [
          0,
          15,
          ...Array.from({ length: bits === 8 ? 15 : 8 }, (__, x) => (x + y) & 255),
          0,
          0,
        ]),
        [0, 1],
      );
      add('the last end of row missing', ...all.slice(0, -1), [EDGE, 1], [0, 1]);
      add('bytes after the end', ...all, [0, 1], [9, 9, 9, 9]);
    }
  return neighbours('bmp', some);
}

/** BMP in all versions. */
export const bmpCells = (): RasterCell[] => [...valid(), ...fields(), ...runs()];
