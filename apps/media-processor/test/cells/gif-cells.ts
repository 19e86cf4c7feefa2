import { legitimate, neighbours, RASTER_EDGE, type Pair, type RasterCell } from './raster-cell';

const EDGE = RASTER_EDGE;

const u16le = (...values: readonly number[]): Buffer =>
  Buffer.from(values.flatMap((n) => [n & 255, (n >> 8) & 255]));

/** Codes of the LZW of GIF, by number and of growing length (GIF89a, appendix F). */
class CodeWriter {
  private readonly bytes: number[] = [];
  private held = 0;
  private bits = 0;

  put(code: number, length: number): void {
    this.held |= code << this.bits;
    for (this.bits += length; this.bits >= 8; this.bits -= 8, this.held >>>= 8)
      this.bytes.push(this.held & 255);
  }

  finish(): Buffer {
    return Buffer.from(this.bits > 0 ? [...this.bytes, this.held & 255] : this.bytes);
  }
}

interface Coding {
  readonly codeSize?: number;
  readonly clearFirst?: boolean;
  readonly end?: boolean;
  /** A code after this number of pixels, which may be wrong. */
  readonly bad?: { readonly after: number; readonly code: number };
  /** Whether the table is cleared when it is full. */
  readonly clears?: boolean;
}

/** Pixels as literal codes, whose length grows as in a compressed stream. */
function coded(
  indices: readonly number[],
  { codeSize = 4, clearFirst = true, end = true, bad, clears = true }: Coding = {},
): Buffer {
  const writer = new CodeWriter();
  const clear = 1 << codeSize;
  let [length, next, isFirst] = [codeSize + 1, clear + 2, true];
  if (clearFirst) writer.put(clear, length);
  for (const [place, index] of indices.entries()) {
    writer.put(bad?.after === place ? bad.code : index, length);
    if (!isFirst && next < 4096) next++;
    isFirst = false;
    if (next === 1 << length && length < 12) length++;
    if (next === 4096 && clears) {
      writer.put(clear, length);
      [length, next, isFirst] = [codeSize + 1, clear + 2, true];
    }
  }
  if (end) writer.put(clear + 1, length);
  return writer.finish();
}

function blocks(data: Buffer, size = 255): Buffer {
  const out: Buffer[] = [];
  for (let at = 0; at < data.length; at += size) {
    const part = data.subarray(at, at + size);
    out.push(Buffer.of(part.length), part);
  }
  return Buffer.concat([...out, Buffer.of(0)]);
}

interface Frame {
  readonly left?: number;
  readonly top?: number;
  readonly width?: number;
  readonly height?: number;
  readonly interlaced?: boolean;
  readonly disposal?: number;
  readonly transparent?: number;
  readonly reserved?: number;
  readonly control?: Buffer | null;
  readonly colours?: number;
  readonly codeSize?: number;
  readonly shift?: number;
  readonly lastIndex?: number;
  readonly coding?: Coding;
  readonly data?: Buffer;
  readonly blockSize?: number;
}

const palette = (colours: number, shift = 0): Buffer =>
  Buffer.from(
    Array.from({ length: colours }, (_, i) => [
      (i * 67 + shift) & 255,
      (i * 151 + 40) & 255,
      (255 - i * 29) & 255,
    ]).flat(),
  );

const INTERLACE = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const;

function indicesOf({ width = EDGE, height = EDGE, interlaced, shift = 0, lastIndex = 15 }: Frame): number[] {
  const order = interlaced
    ? INTERLACE.flatMap(([from, step]) =>
        Array.from({ length: Math.max(0, Math.ceil((height - from) / step)) }, (_, i) => from + i * step),
      )
    : [...Array(height).keys()];
  return order.flatMap((y) => Array.from({ length: width }, (_, x) => (x + y * 3 + shift) % (lastIndex + 1)));
}

function frame(options: Frame): Buffer {
  const {
    left = 0,
    top = 0,
    width = EDGE,
    height = EDGE,
    interlaced,
    disposal = 1,
    transparent,
    reserved = 0,
  } = options;
  const { control, colours = 0, codeSize = 4, coding, data, blockSize } = options;
  const flags = reserved | (disposal << 2) | (transparent === undefined ? 0 : 1);
  const usual = Buffer.concat([Buffer.of(0x21, 0xf9, 4, flags), u16le(10), Buffer.of(transparent ?? 0, 0)]);
  const table = colours > 0 ? 0x80 | (Math.ceil(Math.log2(Math.max(2, colours))) - 1) : 0;
  return Buffer.concat([
    control === undefined ? usual : (control ?? Buffer.alloc(0)),
    Buffer.of(0x2c),
    u16le(left, top, width, height),
    Buffer.of(table | (interlaced ? 0x40 : 0)),
    palette(colours, 90),
    Buffer.of(codeSize),
    blocks(data ?? coded(indicesOf(options), { codeSize, ...coding }), blockSize),
  ]);
}

interface Screen {
  readonly width?: number;
  readonly height?: number;
  readonly colours?: number;
  readonly background?: number;
  readonly version?: string;
  readonly end?: Buffer;
}

export const gif = (
  frames: readonly Frame[],
  {
    width = EDGE,
    height = EDGE,
    colours = 16,
    background = 0,
    version = '89a',
    end = Buffer.of(0x3b),
  }: Screen = {},
): Buffer =>
  Buffer.concat([
    Buffer.from(`GIF${version}`, 'latin1'),
    u16le(width, height),
    Buffer.of(colours > 0 ? 0xf0 | (Math.log2(colours) - 1) : 0x70, background, 0),
    palette(colours),
    ...frames.map(frame),
    end,
  ]);

/** A second frame that shows what the first has left. */
const SECOND: Frame = { left: 4, top: 4, width: 8, height: 8, shift: 5 };

function valid(): RasterCell[] {
  const some: Pair[] = [];
  for (const interlaced of [false, true])
    for (const colours of [2, 4, 8, 16, 32, 64, 128, 256]) {
      const codeSize = Math.max(2, Math.log2(colours));
      const lastIndex = colours - 1;
      some.push([
        `${colours} colours${interlaced ? ', interlaced' : ''}`,
        gif([{ interlaced, codeSize, lastIndex }], { colours }),
      ]);
      some.push([
        `${colours} local colours${interlaced ? ', interlaced' : ''}`,
        gif([{ interlaced, codeSize, lastIndex, colours }], { colours: 0 }),
      ]);
      some.push([
        `${colours} colours and 8 bits`,
        gif([{ interlaced, codeSize: 8, lastIndex }], { colours }),
      ]);
    }
  for (const disposal of [0, 1, 2, 3])
    for (const transparent of [undefined, 0, 3])
      for (const second of [undefined, 3]) {
        some.push([
          `disposal ${disposal}, transparent ${transparent}, then ${second}`,
          gif([
            { disposal, transparent },
            { ...SECOND, transparent: second, disposal },
            { ...SECOND, left: 0, shift: 2, transparent: 1 },
          ]),
        ]);
        some.push([
          `a part first, disposal ${disposal}, transparent ${transparent}, then ${second}`,
          gif([
            { ...SECOND, disposal, transparent },
            { ...SECOND, left: 0, transparent: second, disposal },
            { shift: 2, transparent: 1 },
          ]),
        ]);
      }
  some.push(['version 87a', gif([{ control: null }], { version: '87a' })]);
  some.push(['frames in blocks of one byte', gif([{ blockSize: 1 }])]);
  some.push(['its last byte missing', gif([{}, SECOND], { end: Buffer.alloc(0) })]);
  return legitimate('gif', some);
}

function fields(): RasterCell[] {
  const some: Pair[] = [];
  const both = (name: string, odd: Frame, screen: Screen = {}): void => {
    some.push([`${name}, alone`, gif([odd], screen)]);
    some.push([`${name}, first`, gif([odd, SECOND], screen)]);
    some.push([`${name}, second`, gif([{}, { ...SECOND, ...odd }], screen)]);
  };
  for (const codeSize of [0, 1, 2, 3, 5, 7, 8, 9, 10, 11, 12, 13, 255]) {
    both(`code size ${codeSize}`, {
      codeSize: Math.min(codeSize, 255),
      data: coded(indicesOf({ lastIndex: Math.min(15, (1 << Math.min(codeSize, 8)) - 1) }), {
        codeSize: Math.min(codeSize, 11),
      }),
    });
    both(`code size ${codeSize} of a stream of 4`, { codeSize, data: coded(indicesOf({})) });
  }
  for (const disposal of [4, 5, 6, 7])
    for (const transparent of [undefined, 3])
      both(`disposal ${disposal}, transparent ${transparent}`, { disposal, transparent });
  for (const reserved of [0x20, 0x40, 0x80, 0xe0, 2]) both(`reserved bits ${reserved}`, { reserved });
  for (const transparent of [15, 16, 100, 255]) both(`transparent ${transparent}`, { transparent });
  for (const colours of [0, 2, 4, 8]) {
    both(`indices beyond ${colours} colours`, {}, { colours });
    both(`indices beyond ${colours} local colours`, { colours });
    both(`indices beyond ${colours} colours, transparent 9`, { transparent: 9 }, { colours });
    both(`indices beyond ${colours} colours of 8 bits`, { codeSize: 8, lastIndex: 255 }, { colours });
    both(`transparent index beyond ${colours} colours`, { transparent: 15 }, { colours });
  }
  for (const place of [
    { left: 8 },
    { top: 8 },
    { left: 8, top: 8 },
    { left: 16 },
    { top: 16 },
    { left: 200 },
    { left: 65_535, top: 65_535 },
    { width: 20 },
    { height: 20 },
    { width: 20, height: 24 },
    { width: 0 },
    { height: 0 },
    { width: 1 },
    { height: 1 },
  ])
    for (const interlaced of [false, true])
      both(`frame at ${JSON.stringify(place)}${interlaced ? ', interlaced' : ''}`, { ...place, interlaced });
  for (const [width, height] of [
    [0, 0],
    [0, 16],
    [16, 0],
    [8, 8],
    [1, 1],
    [20, 16],
    [16, 20],
  ] as const)
    some.push(
      [`canvas of ${width} × ${height}`, gif([{}, SECOND], { width, height })],
      [`canvas of ${width} × ${height}, still`, gif([{}], { width, height })],
    );
  for (const background of [1, 15, 16, 255])
    both(`background ${background}`, { ...SECOND, disposal: 2 }, { background });
  const control = (...bytes: number[]): Buffer => Buffer.of(0x21, 0xf9, ...bytes);
  const controls: Readonly<Record<string, Buffer>> = {
    'two controls': Buffer.concat([control(4, 9, 10, 0, 3, 0), control(4, 4, 10, 0, 0, 0)]),
    'two controls, the second transparent': Buffer.concat([
      control(4, 4, 10, 0, 3, 0),
      control(4, 9, 10, 0, 3, 0),
    ]),
    'a control of 3 bytes': control(3, 9, 10, 0, 0),
    'a control of 5 bytes': control(5, 9, 10, 0, 3, 0, 0),
    'a control of 0 bytes': control(0),
    'a control in two blocks': control(2, 9, 10, 2, 0, 3, 0),
    'a control with a second block': control(4, 9, 10, 0, 3, 1, 7, 0),
    'a control without an end': control(4, 9, 10, 0, 3),
    'a control before a comment': Buffer.concat([
      control(4, 9, 10, 0, 3, 0),
      Buffer.of(0x21, 0xfe, 1, 65, 0),
    ]),
    'a control before a plain text': Buffer.concat([
      control(4, 9, 10, 0, 3, 0),
      Buffer.of(0x21, 1, 12, 0, 0, 0, 0, 16, 0, 16, 0, 8, 8, 1, 0, 1, 65, 0),
    ]),
    'an unknown extension': Buffer.of(0x21, 0x42, 3, 1, 2, 3, 0),
    zeros: Buffer.of(0, 0),
    'an unknown block': Buffer.of(0x55),
    'an early end': Buffer.of(0x3b),
  };
  for (const [name, bytes] of Object.entries(controls)) both(name, { control: bytes });
  return neighbours('gif', some);
}

/** Streams that are cut, wrong, too short or too long. */
function streams(): RasterCell[] {
  const some: Pair[] = [];
  const indices = indicesOf({});
  for (const interlaced of [false, true]) {
    const shape = interlaced ? ', interlaced' : '';
    const own = indicesOf({ interlaced });
    const both = (name: string, odd: Frame): void => {
      some.push([`${name}${shape}, alone`, gif([{ ...odd, interlaced }])]);
      some.push([`${name}${shape}, first`, gif([{ ...odd, interlaced }, SECOND])]);
      some.push([`${name}${shape}, last`, gif([{ shift: 9 }, { ...odd, interlaced }])]);
      some.push([
        `${name}${shape}, over a transparent one`,
        gif([
          { transparent: 3, disposal: 2 },
          { ...odd, interlaced, transparent: 2 },
        ]),
      ]);
    };
    for (const pixels of [0, 1, 15, 16, 17, 32, 100, 128, 255]) {
      both(`${pixels} pixels, then the end`, { data: coded(own.slice(0, pixels)) });
      both(`${pixels} pixels, without the end`, { data: coded(own.slice(0, pixels), { end: false }) });
    }
    for (const more of [1, 16, 100, 256])
      both(`${more} pixels more`, { data: coded([...own, ...Array<number>(more).fill(2)]) });
    both('no end', { coding: { end: false } });
    both('no clear', { coding: { clearFirst: false } });
    both('bytes after the end', { data: Buffer.concat([coded(own), Buffer.alloc(40, 0x5a)]) });
    both('no data', { data: Buffer.alloc(0) });
    for (const after of [0, 1, 20, 130])
      for (const code of [16, 17, 18, 19, 30, 31])
        both(`code ${code} after ${after} pixels`, { coding: { bad: { after, code } } });
    const bytes = gif([{ shift: 9 }, { interlaced }]);
    for (let cut = 1; cut < 200; cut += 7)
      some.push([`cut by ${cut} bytes${shape}`, bytes.subarray(0, -cut)]);
    const one = gif([{ interlaced }]);
    for (let cut = 1; cut < 200; cut += 9)
      some.push([`a still cut by ${cut} bytes${shape}`, one.subarray(0, -cut)]);
  }
  const long = Array.from({ length: 120 * 120 }, (_, i) => (i * 7 + (i >> 4)) & 15);
  for (const clears of [true, false])
    some.push([
      `a long frame that ${clears ? 'clears' : 'keeps'} a full table`,
      gif([{ width: 120, height: 120, data: coded(long, { clears }) }], { width: 120, height: 120 }),
    ]);
  some.push(['bytes after the trailer', Buffer.concat([gif([{}]), gif([{ shift: 4 }])])]);
  some.push(['indices only', gif([{ data: coded(indices, { clearFirst: false, end: false }) }])]);
  return neighbours('gif', some);
}

/** GIF, still and animated. */
export const gifCells = (): RasterCell[] => [...valid(), ...fields(), ...streams()];
