import { readFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { makeApng } from './apng';
import { makeHeic } from './heic';
import { H264, latin, type HostileFile } from './hostile-file';
import type { Bench } from './jobs';
import { animation, photo } from './pictures';
import { FEW_PICTURES } from './hevc';

const HEVC = [
  ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', `${FEW_PICTURES}:info=0`],
  ...['-pix_fmt', 'yuv420p', '-tag:v', 'hvc1'],
];

/** A GIF with this size in its header, and almost no picture after it. */
export function gifBomb(width: number, height: number): Buffer {
  const header = latin('GIF89a\0\0\0\0\xf0\0\0\0\0\0\xff\xff\xff,\0\0\0\0\0\0\0\0\0\x02\x02D\x01\0;');
  for (const at of [6, 24]) {
    header.writeUInt16LE(width, at);
    header.writeUInt16LE(height, at + 2);
  }
  return header;
}

/** A complete grey PNG of 11,000 × 11,000: more than a hundred million pixels in a few hundred kilobytes. */
export const pngBomb = (): Promise<Buffer> =>
  sharp({
    create: { width: 11_000, height: 11_000, channels: 3, background: '#000' },
    limitInputPixels: false,
  })
    .toColourspace('b-w')
    .png({ compressionLevel: 9 })
    .toBuffer();

/** Small files that claim to be large pictures. */
export async function bombs(bench: Bench): Promise<HostileFile[]> {
  const image = (
    what: string,
    format: string,
    bytes: Buffer,
    outcome: HostileFile['outcome'] = 'refused',
    frames = 1,
  ): HostileFile => ({ ...{ what, kind: 'image', format, bytes, outcome, frames } });
  const dot = await sharp({ create: { width: 1, height: 1, channels: 4, background: '#f00' } })
    .png()
    .toBuffer();
  const animated = await sharp(gifBomb(4000, 4000), { pages: -1 }).metadata();
  const gifFrame = gifBomb(4000, 4000).subarray(19, -1);
  const flicker = Buffer.concat([
    gifBomb(4000, 4000).subarray(0, 19),
    ...Array<Buffer>(100).fill(gifFrame),
    latin(';'),
  ]);
  const video = await readFile(
    bench.make('one.mp4', '-f', 'lavfi', '-i', 'testsrc=s=64x64', '-frames:v', '1', ...HEVC),
  );
  const bmp = Buffer.alloc(58);
  bmp.write('BM', 0, 'latin1');
  for (const [at, value] of [
    [10, 54],
    [14, 40],
    [18, 40_000],
    [22, 40_000],
  ] as const) {
    bmp.writeUInt32LE(value, at);
  }
  bmp.writeUInt16LE(1, 26);
  bmp.writeUInt16LE(24, 28);
  return [
    image('a GIF of 65,535 × 65,535', 'gif', gifBomb(65_535, 65_535)),
    image('a GIF of 9,900 × 9,900', 'gif', gifBomb(9_900, 9_900), 'either'),
    image('a GIF of 100 frames of 4,000 × 4,000', 'gif', flicker, 'refused', animated.pages ?? 100),
    image('a PNG of 11,000 × 11,000', 'png', await pngBomb()),
    image('a PNG that says 60,000 × 60,000', 'png', pngOf(60_000, 60_000, deflateSync(Buffer.alloc(100)))),
    image('an APNG that says 60,000 × 60,000', 'png', apngBomb(60_000, dot), 'refused', 2),
    image(
      'a PNG of 90 megapixels',
      'png',
      pngOf(9_000, 10_000, deflateSync(Buffer.alloc(90_010_000))),
      'either',
    ),
    image('a PNG with a text of 64 mebibytes', 'png', withText(dot, 64 * 1024 * 1024), 'either'),
    image('a TIFF that says 60,000 × 60,000', 'tiff', tiffBomb(60_000, 1)),
    image('a TIFF whose strip is elsewhere', 'tiff', tiffBomb(100, 0x7fffffff)),
    image('a BMP that says 40,000 × 40,000', 'bmp', bmp),
    image(
      'a HEIC that says 40,000 × 40,000',
      'heic',
      makeHeic(video, { width: 40_000, height: 40_000 }),
      'either',
    ),
    image('an AVIF that says 40,000 × 40,000', 'avif', await avifBomb()),
  ];
}

export async function brokenPictures(bench: Bench): Promise<HostileFile[]> {
  const cut = async (encoded: Promise<Buffer> | Buffer, length: number): Promise<Buffer> =>
    (await encoded).subarray(0, length);
  const image = (what: string, format: string, bytes: Buffer): HostileFile => ({
    ...{ what, kind: 'image', format, bytes, outcome: 'refused' },
  });
  const picture = await photo(300, 200);
  const square = await sharp({ create: { width: 20, height: 20, channels: 4, background: '#f00' } })
    .png()
    .toBuffer();
  const outside = makeApng(
    [
      { png: square, delay: [1, 10] },
      { png: square, left: 10, delay: [1, 10] },
    ],
    0,
  );
  const gif = await animation(40, 20, 4).gif().toBuffer();
  return [
    image('a truncated JPEG', 'jpeg', await cut(picture.clone().jpeg().toBuffer(), 4000)),
    image('a truncated PNG', 'png', await cut(picture.clone().png().toBuffer(), 9000)),
    image('a truncated WebP', 'webp', await cut(picture.clone().webp().toBuffer(), 2000)),
    image('a truncated AVIF', 'avif', await cut(picture.clone().avif({ effort: 0 }).toBuffer(), 1500)),
    { ...image('a truncated GIF', 'gif', gif.subarray(0, gif.length - 40)), frames: 4, outcome: 'either' },
    image('an SVG that is no XML', 'svg', latin('<svg xmlns="http://www.w3.org/2000/svg"><rect')),
    image('HEIC that is none', 'heic', latin('\0\0\0\x18ftypheic\0\0\0\0mif1heic')),
    image('a JPEG XL that is none', 'jxl', latin('\xff\x0a junk')),
    image(
      'a PNG that the upload took for a JPEG',
      'jpeg',
      await photo(30, 20).then((p) => p.png().toBuffer()),
    ),
    image(
      'an SVG that the upload took for a PNG',
      'png',
      latin('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ),
    image('an APNG frame outside of its canvas', 'png', outside),
    image('a video that the upload took for a GIF', 'gif', await readFile(bench.make('video.mp4', ...SHORT))),
  ];
}

const SHORT = ['-f', 'lavfi', '-i', 'testsrc=s=64x64:d=0.2:r=10', ...H264];

const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([latin(type), data]);
  const out = Buffer.concat([Buffer.alloc(4), body, Buffer.alloc(4)]);
  out.writeUInt32BE(data.length, 0);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
};

/** A grey PNG with this size in its header and these deflated rows. */
function pngOf(width: number, height: number, rows: Buffer, extra: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const end = [pngChunk('IDAT', rows), pngChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([latin('\x89PNG\r\n\x1a\n'), pngChunk('IHDR', header), ...extra, ...end]);
}

/** An APNG of two dots on a canvas of this edge. */
function apngBomb(edge: number, dot: Buffer): Buffer {
  const file = makeApng(
    [
      { png: dot, delay: [1, 10] },
      { png: dot, delay: [1, 10] },
    ],
    0,
  );
  file.writeUInt32BE(edge, 16);
  file.writeUInt32BE(edge, 20);
  file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
  return file;
}

/** A PNG with a compressed text that inflates to this number of bytes. */
const withText = (png: Buffer, length: number): Buffer =>
  Buffer.concat([
    png.subarray(0, 33),
    pngChunk('zTXt', Buffer.concat([latin('Comment\0\0'), deflateSync(Buffer.alloc(length, 'a'))])),
    png.subarray(33),
  ]);

/** A grey little-endian TIFF of this edge, whose one strip begins at an offset. */
function tiffBomb(edge: number, offset: number): Buffer {
  const tags: readonly (readonly [tag: number, value: number])[] = [
    [256, edge],
    [257, edge],
    [258, 8],
    [259, 1],
    [262, 1],
    [273, offset],
    [277, 1],
    [278, edge],
    [279, 0x7ffffff0],
  ];
  const file = Buffer.alloc(8 + 2 + tags.length * 12 + 4);
  file.write('II*\0', 0, 'latin1');
  file.writeUInt32LE(8, 4);
  file.writeUInt16LE(tags.length, 8);
  for (const [index, [tag, value]] of tags.entries()) {
    const at = 10 + index * 12;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(4, at + 2);
    file.writeUInt32LE(1, at + 4);
    file.writeUInt32LE(value, at + 8);
  }
  return file;
}

/** A real AVIF whose header gives 40,000 × 40,000 (`ispe`, ISO/IEC 23008-12). */
async function avifBomb(): Promise<Buffer> {
  const file = await (await photo(64, 64)).avif({ effort: 0 }).toBuffer();
  const extent = file.indexOf('ispe') + 8;
  file.writeUInt32BE(40_000, extent);
  file.writeUInt32BE(40_000, extent + 4);
  return file;
}
