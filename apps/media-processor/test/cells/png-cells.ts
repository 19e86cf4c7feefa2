import { deflateSync } from 'node:zlib';
import {
  before,
  END,
  file,
  header,
  palette,
  parts,
  replaced,
  rows,
  TYPES,
  u16,
  u32,
  type Part,
  type PngShape,
} from './png-builder';
import { legitimate, neighbours, type Pair, type RasterCell } from './raster-cell';

const SHAPES: readonly PngShape[] = [...TYPES].flatMap(([type, { depths }]) =>
  depths.flatMap((depth) => [
    { type, depth },
    { type, depth, interlaced: true },
  ]),
);
const nameOf = ({ type, depth, interlaced }: PngShape): string =>
  `type ${type}, ${depth} bits${interlaced ? ', interlaced' : ''}`;

const USUAL: readonly PngShape[] = [
  { type: 0, depth: 8 },
  { type: 2, depth: 8 },
  { type: 3, depth: 8 },
  { type: 6, depth: 8 },
];

const plain = (): RasterCell[] =>
  legitimate(
    'png',
    SHAPES.flatMap((shape) => [
      [nameOf(shape), file(parts(shape))] as const,
      ...[1, 2, 3, 4].map(
        (filter) =>
          [`${nameOf(shape)}, filter ${filter}`, file(parts({ ...shape, filter: () => filter }))] as const,
      ),
    ]),
  );

/** Palettes of every length, with indices up to the last that the depth allows. */
function palettes(): RasterCell[] {
  const some: Pair[] = [];
  for (const shape of SHAPES.filter(({ type }) => type === 3)) {
    const most = 2 ** shape.depth;
    const lengths = [0, 1, 2, most - 1, most, most + 1, 200, 255, 256, 257];
    for (const colours of new Set(lengths))
      for (const lastIndex of new Set(
        [0, 1, Math.min(colours, most) - 1, Math.min(colours, most - 1), most - 1].filter((n) => n >= 0),
      ))
        some.push([
          `${nameOf(shape)}, ${colours} colours, indices to ${lastIndex}`,
          file(replaced(parts({ ...shape, lastIndex }), 'PLTE', ['PLTE', palette(colours)])),
        ]);
    some.push([
      `${nameOf(shape)}, palette cut in a colour`,
      file(replaced(parts(shape), 'PLTE', ['PLTE', palette(most).subarray(1)])),
    ]);
    some.push([`${nameOf(shape)}, no palette`, file(replaced(parts(shape), 'PLTE'))]);
  }
  return neighbours('png', some);
}

/** Transparency of every length, and with values that the depth does not allow. */
function transparency(): RasterCell[] {
  const some: Pair[] = [];
  const add = (shape: PngShape, name: string, data: Uint8Array, all = parts(shape)): void => {
    some.push([`${nameOf(shape)}, tRNS ${name}`, file(before(all, 'IDAT', ['tRNS', data]))]);
  };
  for (const shape of SHAPES.filter(({ interlaced }) => !interlaced)) {
    const most = 2 ** shape.depth - 1;
    for (const length of [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 17, 200, 201, 255, 256, 257])
      add(shape, `of ${length} bytes`, Buffer.alloc(length, 0x40));
    for (const value of [
      0,
      1,
      most >> 1,
      most,
      most + 1,
      0x100,
      0x8000,
      0xff00,
      0xffff,
      0xff00 | (most & 255),
    ]) {
      add(shape, `grey ${value}`, u16(value & 0xffff));
      add(shape, `colour ${value}`, u16(value & 0xffff, value & 0xffff, value & 0xffff));
      add(shape, `red ${value}`, u16(value & 0xffff, 0, 0));
    }
    if (shape.type === 3) {
      const short = replaced(parts({ ...shape, lastIndex: Math.min(most, 199) }), 'PLTE', [
        'PLTE',
        palette(Math.min(most + 1, 200)),
      ]);
      for (const length of [1, 199, 200, 201, 202, 255, 256])
        add(
          shape,
          `of ${length} bytes for ${Math.min(most + 1, 200)} colours`,
          Buffer.from(Array.from({ length }, (_, i) => (i * 37) & 255)),
          short,
        );
      const beyond = replaced(parts(shape), 'PLTE', ['PLTE', palette(Math.ceil((most + 1) / 2))]);
      add(
        shape,
        'of half a byte for each colour, with indices beyond the palette',
        Buffer.alloc(most >> 2 || 1, 0),
        beyond,
      );
      const transparentLast = Buffer.alloc(Math.ceil((most + 1) / 2), 255);
      transparentLast[transparentLast.length - 1] = 0;
      add(shape, 'that clears the last colour, with indices beyond the palette', transparentLast, beyond);
    }
  }
  return neighbours('png', some);
}

/** Chunks that a picture may hold, with contents that change it if a program reads them. */
const CHUNKS: readonly Part[] = [
  ['IHDR', header({ type: 0, depth: 1, width: 8, height: 8 })],
  ['PLTE', palette(256)],
  ['PLTE', Buffer.alloc(3)],
  ['tRNS', u16(0)],
  ['tRNS', Buffer.alloc(6)],
  ['tRNS', Buffer.alloc(128)],
  ['gAMA', u32(200_000)],
  ['gAMA', u32(25_000)],
  ['gAMA', u32(100)],
  ['sRGB', Buffer.of(0)],
  ['cHRM', u32(31_270, 32_900, 15_000, 6000, 64_000, 33_000, 30_000, 60_000)],
  ['cICP', Buffer.of(9, 16, 0, 1)],
  ['cICP', Buffer.of(12, 13, 0, 1)],
  ['sBIT', Buffer.of(1, 1, 1, 1)],
  ['sBIT', Buffer.of(1)],
  ['bKGD', u16(0xff, 0, 0)],
  ['bKGD', Buffer.of(9)],
  ['hIST', Buffer.alloc(512)],
  ['pHYs', Buffer.concat([u32(1000, 10), Buffer.of(0)])],
  ['oFFs', Buffer.concat([u32(4, 4), Buffer.of(0)])],
  ['sTER', Buffer.of(1)],
  ['vpAg', Buffer.concat([u32(32, 32), Buffer.of(0)])],
  ['caNv', u32(32, 32, 8, 8)],
  ['tIME', Buffer.alloc(7)],
  ['eXIf', Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex')],
  ['acTL', u32(1, 0)],
  ['fcTL', Buffer.concat([u32(0, 16, 16, 0, 0), u16(0, 10), Buffer.of(0, 0)])],
  ['fdAT', u32(0)],
  ['IDAT', Buffer.alloc(0)],
  ['IDAT', deflateSync(Buffer.alloc(2000))],
  ['IEND', Buffer.alloc(0)],
  ['CgBI', Buffer.alloc(4)],
  ['ABCD', Buffer.alloc(4)],
  ['abCD', Buffer.alloc(4)],
];

function places(): RasterCell[] {
  const some: Pair[] = [];
  for (const shape of USUAL)
    for (const part of CHUNKS) {
      const whole = parts(shape);
      const [type, content] = part;
      const name = `${nameOf(shape)}, ${type} of ${Buffer.from(content.subarray(0, 8)).toString('hex') || 'nothing'}`;
      const pixels = whole.find(([one]) => one === 'IDAT')?.[1] as Uint8Array;
      const split: Part[] = [
        ['IDAT', pixels.subarray(0, 20)],
        ['IDAT', pixels.subarray(20)],
      ];
      const at = (where: string, all: readonly Part[]): void =>
        void some.push([`${name} ${where}`, file(all)]);
      at('before the header', [part, ...whole]);
      at('after the header', before(whole, shape.type === 3 ? 'PLTE' : 'IDAT', part));
      at('before the pixels', before(whole, 'IDAT', part));
      at('twice', before(whole, 'IDAT', part, [type, Buffer.from(content).reverse()]));
      at('between the pixels', replaced(whole, 'IDAT', split[0] as Part, part, split[1] as Part));
      at('after the pixels', before(whole, 'IEND', part));
      at('with a wrong checksum', before(whole, 'IDAT', [type, content, 'checksum']));
      at('one byte too long', before(whole, 'IDAT', [type, Buffer.concat([content, Buffer.of(0)])]));
      if (content.length > 0) at('one byte too short', before(whole, 'IDAT', [type, content.subarray(1)]));
    }
  return neighbours('png', some);
}

const changed = (bytes: Buffer, at: number, value: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at < 0 ? copy.length + at : at] = value;
  return copy;
};

/** Pixels that are compressed wrongly, too short or too long. */
function streams(): RasterCell[] {
  const some: Pair[] = [];
  for (const shape of [
    ...USUAL,
    { type: 3, depth: 4 },
    { type: 3, depth: 8, interlaced: true },
    { type: 6, depth: 8, interlaced: true },
  ]) {
    const whole = parts(shape);
    const raw = rows(shape);
    const packed = deflateSync(raw);
    const rowBytes = raw.length / 16;
    const add = (name: string, ...by: readonly Uint8Array[]): void =>
      void some.push([
        `${nameOf(shape)}, ${name}`,
        file(replaced(whole, 'IDAT', ...by.map((data): Part => ['IDAT', data]))),
      ]);
    add('in parts of one byte', ...Array.from(packed, (byte) => Buffer.of(byte)));
    add(
      'with empty parts',
      Buffer.alloc(0),
      packed.subarray(0, 9),
      Buffer.alloc(0),
      packed.subarray(9),
      Buffer.alloc(0),
    );
    add('stored', deflateSync(raw, { level: 0 }));
    add('with a small window', deflateSync(raw, { windowBits: 9 }));
    add('with a window that is too small', changed(changed(packed, 0, 0x08), 1, 0x1d));
    add('with a window that is too large', changed(changed(packed, 0, 0x88), 1, 0x1c));
    add('with a dictionary', changed(packed, 1, 0xbb));
    add('without compression method', changed(packed, 0, 0x79));
    add('with a wrong sum', changed(packed, -1, (packed.at(-1) ?? 0) ^ 1));
    for (const cut of [1, 2, 3, 4, 5, 8, 12]) add(`cut by ${cut} bytes`, packed.subarray(0, -cut));
    add('followed by other bytes', Buffer.concat([packed, Buffer.alloc(40, 7)]));
    add('followed by another stream', packed, deflateSync(Buffer.alloc(raw.length, 1)));
    for (const more of [1, rowBytes, 2 * rowBytes])
      add(`with ${more} bytes more`, deflateSync(Buffer.concat([raw, Buffer.alloc(more, 3)])));
    for (const less of [1, rowBytes - 1, rowBytes, 4 * rowBytes, 15 * rowBytes])
      add(`with ${less} bytes less`, deflateSync(raw.subarray(0, -Math.floor(less))));
    add('empty');
    add('of nothing', deflateSync(Buffer.alloc(0)));
    for (const filter of [5, 6, 127, 255])
      for (const row of [0, 1, 8, 15]) {
        const at = [...Array(row).keys()].length * rowBytes;
        if (!shape.interlaced)
          add(`with filter ${filter} in row ${row}`, deflateSync(changed(raw, at, filter)));
        else add(`with filter ${filter} in pass ${row}`, deflateSync(changed(raw, 0, filter)));
      }
    for (const type of ['IHDR', 'PLTE', 'IDAT', 'IEND'])
      if (whole.some(([one]) => one === type))
        some.push([
          `${nameOf(shape)}, ${type} with a wrong checksum`,
          file(whole.map((one): Part => (one[0] === type ? [one[0], one[1], 'checksum'] : one))),
        ]);
    const bytes = file(whole);
    for (const cut of [1, 4, 11, 12, 13, 16, 17, 20, 24, 40, 60])
      some.push([`${nameOf(shape)}, the file cut by ${cut} bytes`, bytes.subarray(0, -cut)]);
    some.push([`${nameOf(shape)}, bytes after the end`, Buffer.concat([bytes, Buffer.alloc(30, 5), bytes])]);
  }
  return neighbours('png', some);
}

function headers(): RasterCell[] {
  const some: Pair[] = [];
  const pixels: Part = ['IDAT', deflateSync(rows({ type: 2, depth: 8 }))];
  for (const type of [0, 1, 2, 3, 4, 5, 6, 7, 8])
    for (const depth of [0, 1, 2, 3, 4, 5, 8, 12, 16, 32]) {
      if (TYPES.get(type)?.depths.includes(depth)) continue;
      some.push([
        `header of type ${type}, ${depth} bits`,
        file([['IHDR', header({ type, depth })], ['PLTE', palette(256)], pixels, END]),
      ]);
    }
  for (const options of [
    { compression: 1 },
    { filtering: 1 },
    { filtering: 64 },
    { interlacing: 2 },
    { interlacing: 255 },
  ])
    some.push([
      `header with ${JSON.stringify(options)}`,
      file([['IHDR', header({ type: 2, depth: 8 }, options)], pixels, END]),
    ]);
  for (const [width, height] of [
    [0, 16],
    [16, 0],
    [16, 17],
    [17, 16],
    [16, 15],
    [15, 16],
    [0x80000000, 16],
    [16, 0xffffffff],
  ] as const)
    some.push([
      `header of ${width} × ${height}`,
      file([['IHDR', header({ type: 2, depth: 8, width, height })], pixels, END]),
    ]);
  return neighbours('png', some);
}

/** Every way to say what the values of the pixels mean. */
function colours(): RasterCell[] {
  const some: Pair[] = [];
  const gammas = [
    undefined,
    0,
    10_000,
    25_000,
    35_000,
    45_455,
    55_556,
    75_000,
    100_000,
    150_000,
    200_000,
    400_000,
  ];
  const points: Readonly<Record<string, Buffer | undefined>> = {
    none: undefined,
    sRGB: u32(31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6000),
    P3: u32(31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6000),
    'BT.2020': u32(31_270, 32_900, 70_800, 29_200, 17_000, 79_700, 13_100, 4600),
    zero: Buffer.alloc(32),
    swapped: u32(31_270, 32_900, 15_000, 6000, 30_000, 60_000, 64_000, 33_000),
  };
  for (const shape of USUAL)
    for (const gamma of gammas)
      for (const [name, point] of Object.entries(points))
        for (const intent of [undefined, 0, 4]) {
          const added: Part[] = [
            ...(gamma === undefined ? [] : [['gAMA', u32(gamma)] as const]),
            ...(point ? [['cHRM', point] as const] : []),
            ...(intent === undefined ? [] : [['sRGB', Buffer.of(intent)] as const]),
          ];
          if (added.length > 0)
            some.push([
              `${nameOf(shape)}, gamma ${gamma}, points ${name}, intent ${intent}`,
              file(before(parts(shape), 'IDAT', ...added)),
            ]);
        }
  for (const shape of [USUAL[0], USUAL[1], USUAL[3], { type: 2, depth: 16 }] as readonly PngShape[])
    for (const primaries of [0, 1, 2, 5, 9, 12, 22])
      for (const transfer of [1, 2, 4, 8, 13, 16, 18])
        some.push([
          `${nameOf(shape)}, cICP ${primaries} ${transfer}`,
          file(before(parts(shape), 'IDAT', ['cICP', Buffer.of(primaries, transfer, 0, 1)])),
        ]);
  for (const rest of [
    [0, 0],
    [1, 1],
    [0, 2],
    [9, 1],
  ])
    some.push([
      `cICP 9 16 ${rest.join(' ')}`,
      file(before(parts({ type: 2, depth: 8 }), 'IDAT', ['cICP', Buffer.of(9, 16, ...rest)])),
    ]);
  return neighbours('png', some);
}

/** PNG stills: every depth, and what is next to a valid file. */
export const pngCells = (): RasterCell[] => [
  ...plain(),
  ...palettes(),
  ...transparency(),
  ...places(),
  ...streams(),
  ...headers(),
  ...colours(),
];
