import sharp from 'sharp';
import {
  legitimate,
  neighbours,
  RASTER_EDGE as EDGE,
  spliced,
  withByte,
  type Pair,
  type RasterCell,
} from './raster-cell';
import { softPicture } from './soft-picture';

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
const u32le = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

interface Riff {
  readonly type: string;
  readonly data: Buffer;
}

function riffChunks(file: Buffer, from = 12): Riff[] {
  const out: Riff[] = [];
  for (let at = from; at + 8 <= file.length;) {
    const length = file.readUInt32LE(at + 4);
    out.push({ type: file.toString('latin1', at, at + 4), data: file.subarray(at + 8, at + 8 + length) });
    at += 8 + length + (length % 2);
  }
  return out;
}

const riffChunk = ({ type, data }: Riff): Buffer =>
  Buffer.concat([ascii(type), u32le(data.length), data, Buffer.alloc(data.length % 2)]);

function webp(chunks: readonly Riff[], size?: number): Buffer {
  const body = Buffer.concat(chunks.map(riffChunk));
  return Buffer.concat([ascii('RIFF'), u32le(size ?? body.length + 4), ascii('WEBP'), body]);
}

const extended = (flags: number, width = EDGE, height = EDGE): Riff => {
  const data = Buffer.alloc(10);
  data[0] = flags;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return { type: 'VP8X', data };
};

/** WebP: what its extended header says of its content, and the order and number of its chunks. */
export async function webpCells(): Promise<RasterCell[]> {
  const stills: Readonly<Record<string, Buffer>> = {
    lossy: await softPicture(3).webp().toBuffer(),
    'lossy with alpha': await softPicture(4).webp().toBuffer(),
    lossless: await softPicture(3).webp({ lossless: true }).toBuffer(),
    'lossless with alpha': await softPicture(4).webp({ lossless: true }).toBuffer(),
  };
  const moving: Readonly<Record<string, Buffer>> = {
    'lossy animation': await softPicture(3, 3).webp({ delay: 100 }).toBuffer(),
    'lossless animation with alpha': await softPicture(4, 3).webp({ lossless: true, delay: 100 }).toBuffer(),
    'lossy animation with alpha': await softPicture(4, 3).webp({ delay: 100 }).toBuffer(),
    'animation with a profile': await softPicture(3, 3).withIccProfile('p3').webp({ delay: 100 }).toBuffer(),
  };
  const valid: Pair[] = [...Object.entries(stills), ...Object.entries(moving)];
  const some: Pair[] = [];
  for (const [name, file] of Object.entries(stills)) {
    const own = riffChunks(file).filter(({ type }) => type !== 'VP8X');
    const pixels = own.filter(({ type }) => type !== 'ICCP');
    for (const flags of [0, 1, 2, 4, 8, 0x10, 0x12, 0x20, 0x2c, 0x3e, 0x40, 0x80])
      some.push([`${name}, flags ${flags}`, webp([extended(flags), ...own])]);
    for (const [width, height] of [
      [1, 1],
      [8, 8],
      [15, 16],
      [16, 17],
      [32, 32],
      [0x1000000, 16],
    ] as const)
      some.push([
        `${name}, canvas of ${width} × ${height}`,
        webp([extended(0x10, width, height), ...pixels]),
      ]);
    some.push(
      [`${name}, pixels twice`, webp([...own, ...own])],
      [`${name}, extended, pixels twice`, webp([extended(0x10), ...pixels, ...pixels])],
    );
    some.push(
      [`${name}, extended header last`, webp([...own, extended(0x10)])],
      [`${name}, extended header twice`, webp([extended(0x10), extended(0), ...own])],
    );
    some.push(
      [`${name}, unknown chunk first`, webp([{ type: 'ABCD', data: Buffer.alloc(5) }, ...own])],
      [
        `${name}, unknown chunk in between`,
        webp([extended(0x10), { type: 'ABCD', data: Buffer.alloc(5) }, ...own]),
      ],
    );
    for (const alpha of [0, 0x40, 0x80, 0xff])
      some.push([
        `${name}, another alpha chunk of ${alpha}`,
        webp([
          extended(0x10),
          { type: 'ALPH', data: Buffer.concat([Buffer.of(0), Buffer.alloc(EDGE * EDGE, alpha)]) },
          ...pixels,
        ]),
      ]);
    some.push([
      `${name}, alpha after the pixels`,
      webp([
        extended(0x10),
        ...pixels,
        { type: 'ALPH', data: Buffer.concat([Buffer.of(0), Buffer.alloc(EDGE * EDGE, 0)]) },
      ]),
    ]);
    for (const size of [0, 4, 12, 100, file.length - 9, file.length, 0xffffffff])
      some.push([`${name}, size of ${size}`, webp(riffChunks(file), size)]);
    for (const cut of [1, 2, 8, 20, 40]) some.push([`${name}, cut by ${cut}`, file.subarray(0, -cut)]);
    some.push([`${name}, followed by itself`, Buffer.concat([file, file])]);
    for (const orientation of [1, 3, 6, 8])
      some.push([
        `${name}, orientation ${orientation}`,
        await sharp(file).withMetadata({ orientation }).webp({ lossless: true }).toBuffer(),
      ]);
  }
  for (const [name, file] of Object.entries(moving)) {
    const own = riffChunks(file);
    const frames = own.filter(({ type }) => type === 'ANMF');
    const loop = own.find(({ type }) => type === 'ANIM') as Riff;
    const [first, second] = frames as [Riff, Riff, ...Riff[]];
    for (const flags of [0, 2, 4, 0x10, 0x12, 0x32, 0x3e, 0xff])
      some.push([`${name}, flags ${flags}`, webp([extended(flags), loop, ...frames])]);
    for (const [width, height] of [
      [8, 8],
      [15, 16],
      [17, 16],
      [32, 32],
    ] as const)
      some.push([
        `${name}, canvas of ${width} × ${height}`,
        webp([extended(0x12, width, height), loop, ...frames]),
      ]);
    some.push(
      [`${name}, no loop chunk`, webp([extended(0x12), ...frames])],
      [`${name}, loop chunk last`, webp([extended(0x12), ...frames, loop])],
      [`${name}, two loop chunks`, webp([extended(0x12), loop, loop, ...frames])],
    );
    some.push(
      [`${name}, no frames`, webp([extended(0x12), loop])],
      [`${name}, one frame`, webp([extended(0x12), loop, first])],
    );
    some.push(
      [
        `${name}, a still first`,
        webp([extended(0x12), ...riffChunks(stills['lossy'] as Buffer), loop, ...frames]),
      ],
      [
        `${name}, a still last`,
        webp([extended(0x12), loop, ...frames, ...riffChunks(stills['lossless'] as Buffer)]),
      ],
    );
    for (const [at, values] of [
      [0, [1, 8, 0xff]],
      [3, [1, 8]],
      [6, [0, 7, 14, 16, 31]],
      [9, [0, 7, 14, 16]],
      [12, [0, 10]],
      [15, [0, 1, 2, 3, 4, 0xff]],
    ] as const)
      for (const value of values)
        some.push([
          `${name}, byte ${at} of a frame is ${value}`,
          webp([
            extended(0x12),
            loop,
            first,
            { type: 'ANMF', data: withByte(second.data, at, value) },
            ...frames.slice(2),
          ]),
        ]);
    for (const value of [0, 0x80, 0xff])
      some.push([
        `${name}, background ${value}`,
        webp([extended(0x12), { type: 'ANIM', data: Buffer.of(value, value, 0, 0xff, 0, 0) }, ...frames]),
      ]);
    some.push([
      `${name}, an unknown chunk in a frame`,
      webp([
        extended(0x12),
        loop,
        {
          type: 'ANMF',
          data: spliced(first.data, 16, 16, riffChunk({ type: 'ABCD', data: Buffer.alloc(4) })),
        },
        second,
      ]),
    ]);
    some.push([
      `${name}, an alpha chunk in a frame`,
      webp([
        extended(0x12),
        loop,
        {
          type: 'ANMF',
          data: spliced(
            first.data,
            16,
            16,
            riffChunk({ type: 'ALPH', data: Buffer.concat([Buffer.of(0), Buffer.alloc(EDGE * EDGE, 0)]) }),
          ),
        },
        second,
      ]),
    ]);
    some.push([
      `${name}, a frame of nothing`,
      webp([extended(0x12), loop, first, { type: 'ANMF', data: second.data.subarray(0, 16) }]),
    ]);
  }
  return [...legitimate('webp', valid), ...neighbours('webp', some)];
}
