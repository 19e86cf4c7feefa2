import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { concatBytes } from '../src/bytes/arrays';
import { u32 } from '../src/bytes/numbers';
import { asciiBytes } from '../src/bytes/text';
import { FORMAT_NAMES, type FormatName } from '../src/facts/format-names';
import { inspect } from '../src/inspection/inspect';
import { writeBox } from '../src/isobmff/boxes';
import { readRewritten } from '../src/rewriting/rewrite';
import { noise } from '../src/testing/image-samples';
import { jxlCodestream } from '../src/testing/jxl-samples';
import { CANARY, hasCanary, SampleVideos, storedSample } from './sample-video';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The file as it is served. */
async function served(bytes: Uint8Array): Promise<{ format: FormatName; bytes: Buffer }> {
  // Files are read into Buffers, whose slices share their memory.
  const read = (offset: number, length: number): Promise<Buffer> =>
    Promise.resolve(Buffer.from(bytes.subarray(offset, Math.max(offset, offset + length))));
  const source = { size: bytes.length, read };
  const { facts, rewrite } = await inspect(source);
  return { format: facts.format, bytes: Buffer.from(await readRewritten(source, rewrite)) };
}

/** A file without personal data, and the same file with some. */
interface Sample {
  readonly name: string;
  readonly format: FormatName;
  clean(): Uint8Array | Promise<Uint8Array>;
  personal(): Uint8Array | Promise<Uint8Array>;
}

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'];
const VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libvorbis'];
const MPEG2 = ['-r', '25', '-c:v', 'mpeg2video', '-c:a', 'mp2'];
const TITLE = ['-metadata', `title=${CANARY}`, '-metadata', `comment=${CANARY}`];
const HANDLER = ['-metadata:s:v', `handler_name=${CANARY}`];
const SERVICE = ['-metadata', `service_name=${CANARY}`];

let videos: SampleVideos;
beforeAll(() => {
  videos = new SampleVideos();
});
afterAll(() => videos.remove());

function video(
  name: string,
  format: FormatName,
  extension: string,
  args: readonly string[],
  personal: readonly string[] = TITLE,
): Sample {
  const make = (more: readonly string[]): Buffer =>
    videos.make(extension, [...args, ...more], { seconds: 0.5 });
  return { name, format, clean: () => make([]), personal: () => make(personal) };
}

/** A packet of private stream 2, in which recorders write anything. */
const PRIVATE_PACKET = concatBytes([Uint8Array.of(0, 0, 1, 0xbf, 0, CANARY.length), asciiBytes(CANARY)]);

const VIDEOS: readonly Sample[] = [
  video('MP4', 'mp4', 'mp4', H264),
  video('MP4 with a handler', 'mp4', 'mp4', H264, HANDLER),
  video('MP4 with its index in front', 'mp4', 'mp4', [...H264, '-movflags', '+faststart']),
  video('fragmented MP4', 'mp4', 'mp4', [...H264, '-movflags', '+frag_keyframe+empty_moov', '-g', '3']),
  video('QuickTime', 'mov', 'mov', H264),
  video('QuickTime of JPEGs', 'mov', 'mov', ['-c:v', 'mjpeg', '-c:a', 'pcm_s16le'], HANDLER),
  video('ProRes', 'mov', 'mov', ['-c:v', 'prores_ks', '-c:a', 'pcm_s24le']),
  video('3GP', '3gp', '3gp', ['-c:v', 'mpeg4', '-c:a', 'aac'], HANDLER),
  video('WebM', 'matroska', 'webm', VP8),
  video('live WebM', 'matroska', 'webm', [...VP8, '-live', '1']),
  video('Matroska', 'matroska', 'mkv', ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'flac']),
  video('Matroska of Theora', 'matroska', 'mkv', ['-c:v', 'libtheora', '-c:a', 'libvorbis']),
  video('AVI', 'avi', 'avi', ['-c:v', 'mpeg4', '-c:a', 'libmp3lame']),
  video('MPEG-TS', 'mpegts', 'ts', H264, SERVICE),
  video('M2TS', 'mpegts', 'ts', [...MPEG2, '-mpegts_m2ts_mode', '1'], SERVICE),
  {
    ...video('MPEG-PS', 'mpegps', 'mpg', MPEG2),
    personal: () => concatBytes([videos.make('mpg', MPEG2, { seconds: 0.5 }), PRIVATE_PACKET]),
  },
  video('FLV', 'flv', 'flv', [...H264, '-ar', '44100']),
  video('ASF', 'asf', 'wmv', ['-c:v', 'wmv2', '-c:a', 'wmav2']),
  video('Ogg with Vorbis', 'ogg', 'ogv', ['-c:v', 'libtheora', '-c:a', 'libvorbis']),
  video('Ogg with FLAC', 'ogg', 'ogv', ['-c:v', 'libtheora', '-c:a', 'flac']),
];

function picture(channels: 3 | 4 = 3): sharp.Sharp {
  return sharp(noise(24, 10, channels), { raw: { width: 24, height: 10, channels } });
}

/** In Exif and in XMP, because not every format has both. */
function withArtist(plain: sharp.Sharp): sharp.Sharp {
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><artist>${CANARY}</artist></x:xmpmeta>`;
  return plain.withExif({ IFD0: { Artist: CANARY } }).withXmp(xmp);
}

/** A picture as this project's encoders write it, and the same with an artist's name. */
function image(
  name: string,
  format: FormatName,
  encode: (image: sharp.Sharp) => sharp.Sharp,
  change: (bytes: Buffer) => Uint8Array = (bytes) => bytes,
): Sample {
  const plain = (): sharp.Sharp => encode(picture());
  return {
    name,
    format,
    clean: async () => change(await plain().toBuffer()),
    personal: async () => change(await withArtist(plain()).toBuffer()),
  };
}

/** An AVIF with HEVC's names of boxes, which is enough for readers of containers. */
function asHeic(avif: Buffer): Buffer {
  const text = avif
    .toString('latin1')
    .replaceAll('avif', 'heic')
    .replaceAll('av01', 'hvc1')
    .replaceAll('av1C', 'hvcC');
  return Buffer.from(text, 'latin1');
}

const GIF_HEAD = 13;
function withComment(gif: Buffer, text: string): Buffer {
  const table = (gif[10] ?? 0) & 0x80 ? 3 << (((gif[10] ?? 0) & 7) + 1) : 0;
  const comment = Buffer.concat([Buffer.of(0x21, 0xfe, text.length), Buffer.from(text), Buffer.of(0)]);
  return Buffer.concat([gif.subarray(0, GIF_HEAD + table), comment, gif.subarray(GIF_HEAD + table)]);
}

/** A BMP of two rows, whose pixels start at a multiple of 16 bytes, with `gap` in the bytes before them. */
function bmp(gap: string): Buffer {
  const bytes = Buffer.alloc(64 + 16);
  bytes.write('BM', 'latin1');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(64, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(2, 18);
  bytes.writeInt32LE(2, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  bytes.write(gap, 54, 'latin1');
  bytes.fill(0x55, 64);
  return bytes;
}

const LINKED = 0x4c494e4b;

/** A BMP of one row whose header links to a profile by its path on the author's disk. */
function linkedBmp(path: string): Buffer {
  const bytes = Buffer.alloc(14 + 124 + 8 + path.length);
  bytes.write('BM', 'latin1');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(14 + 124, 10);
  bytes.writeUInt32LE(124, 14);
  bytes.writeInt32LE(2, 18);
  bytes.writeInt32LE(1, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  bytes.writeUInt32LE(path === '' ? 0 : LINKED, 14 + 56);
  bytes.writeUInt32LE(path === '' ? 0 : 124 + 8, 14 + 112);
  bytes.writeUInt32LE(path.length, 14 + 116);
  bytes.write(path, 14 + 124 + 8, 'latin1');
  return bytes;
}

/** A JPEG XL in two parts, as written by encoders that learn its length last. */
function jxl(...extra: readonly Uint8Array[]): Uint8Array {
  const codestream = jxlCodestream({ names: ['\0'.repeat(16)] });
  return concatBytes([
    asciiBytes('\0\0\0\x0cJXL \r\n\x87\n'),
    writeBox('ftyp', asciiBytes('jxl '), u32(0), asciiBytes('jxl ')),
    writeBox('jxll', Uint8Array.of(5)),
    writeBox('jxlp', u32(0), codestream.subarray(0, 4)),
    ...extra,
    writeBox('jxlp', u32(0x80000001), codestream.subarray(4)),
  ]);
}

/** A drawing as the upload writes it: shapes in a frame. */
function svg(comment: string): Buffer {
  const size = 'width="8" height="4" viewBox="0 0 8 4"';
  const shape = '<path fill="#000000" stroke="none" d="M 0 0 L 8 0 L 8 4 L 0 4 Z"/>';
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}><svg ${size}><defs/>${shape}${comment}</svg></svg>`,
  );
}

const IMAGES: readonly Sample[] = [
  image('JPEG', 'jpeg', (each) => each.jpeg()),
  image('progressive JPEG', 'jpeg', (each) => each.jpeg({ progressive: true })),
  image('JPEG with orientation and profile', 'jpeg', (each) => each.jpeg().withMetadata({ orientation: 6 })),
  image('PNG', 'png', (each) => each.png()),
  image('PNG with orientation and profile', 'png', (each) => each.png().withMetadata({ orientation: 6 })),
  image('WebP', 'webp', (each) => each.webp()),
  image('upright WebP with profile', 'webp', (each) => each.webp().withMetadata({ orientation: 1 })),
  image('AVIF', 'avif', (each) => each.avif()),
  image('HEIC', 'heic', (each) => each.avif(), asHeic),
  image('TIFF', 'tiff', (each) => each.tiff({ compression: 'lzw' })),
  image('TIFF of JPEG strips', 'tiff', (each) => each.tiff({ compression: 'jpeg' })),
  image('tiled BigTIFF', 'tiff', (each) =>
    each.tiff({ tile: true, tileWidth: 16, tileHeight: 16, bigtiff: true }),
  ),
  {
    name: 'GIF',
    format: 'gif',
    clean: async () => withComment(await picture().gif().toBuffer(), 'Created with GIMP'),
    personal: async () => withComment(await picture().gif().toBuffer(), CANARY),
  },
  {
    name: 'JPEG by ffmpeg',
    format: 'jpeg',
    clean: () => videos.run('jpg', ['-f', 'lavfi', '-i', 'testsrc2=size=32x16', '-frames:v', '1']),
    personal: () =>
      Buffer.concat([
        videos.run('jpg', ['-f', 'lavfi', '-i', 'testsrc2=size=32x16', '-frames:v', '1']),
        Buffer.from(CANARY),
      ]),
  },
  {
    name: 'AVIF sequence',
    format: 'avif',
    clean: () => storedSample('sequence.avif'),
    personal: () => storedSample('sequence-named.avif'),
  },
  {
    name: 'BMP with a place for a profile',
    format: 'bmp',
    clean: () => linkedBmp(''),
    personal: () => linkedBmp(CANARY),
  },
  { name: 'BMP', format: 'bmp', clean: () => bmp(''), personal: () => bmp(CANARY) },
  {
    name: 'JPEG XL',
    format: 'jxl',
    clean: () => jxl(),
    personal: () => jxl(writeBox('Exif', asciiBytes(CANARY))),
  },
  { name: 'SVG', format: 'svg', clean: () => svg(''), personal: () => svg(`<!--${CANARY}-->`) },
];

describe('the served original', () => {
  it('is tested in every format', () => {
    const tried = new Set([...VIDEOS, ...IMAGES].map(({ format }) => format));
    expect([...tried].sort()).toEqual([...FORMAT_NAMES].sort());
  });

  // Promise [formats]: An original without personal data is served byte for byte.
  it.each([...VIDEOS, ...IMAGES])(
    'equals the uploaded file if that holds nothing personal: $name',
    async (sample) => {
      const sent = await sample.clean();
      const original = await served(sent);
      expect(original.format).toBe(sample.format);
      expect(sha256(original.bytes)).toBe(sha256(sent));
    },
  );

  // Promise [formats]: Names of programs stay in an original.
  it.each([...VIDEOS, ...IMAGES])(
    'is without personal data and keeps names of programs: $name',
    async (sample) => {
      const sent = Buffer.from(await sample.personal());
      expect(hasCanary(sent)).toBe(true);
      const original = await served(sent);
      expect(hasCanary(original.bytes)).toBe(false);
      expect(original.bytes.includes('Lavf')).toBe(sent.includes('Lavf'));
      const again = await served(original.bytes);
      expect(sha256(again.bytes)).toBe(sha256(original.bytes));
    },
  );
});
