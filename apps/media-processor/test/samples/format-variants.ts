import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { makeApng } from './apng';
import { avifCells } from './avif-cells';
import type { CodedCell } from './coded-cell';
import { makeHeic } from './heic';
import { jpegCells } from './jpeg-cells';
import type { Bench } from './jobs';
import { type TiffLayout, tiffOf } from './tiff-layout';
import { webpCells } from './webp-cells';
import { FEW_PICTURES } from './hevc';

/** Makes the file of a row of docs/formats.md. */
export type MakeVariant = () => Promise<Buffer>;

const AV1 = ['-map', '0:v', '-frames:v', '3', '-c:v', 'libaom-av1', '-cpu-used', '8', '-pix_fmt', 'yuv420p'];
const BT709 = ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709'];
const RGB8: TiffLayout = { photometric: 2, bits: 8, channels: 3 };
const SHARP = { raw: { width: 48, height: 32, channels: 3 as const } };
const picture = (): sharp.Sharp => sharp(Buffer.alloc(48 * 32 * 3, 90), SHARP);
const animation = (): sharp.Sharp =>
  sharp(Buffer.from(Array.from({ length: 48 * 64 * 3 }, (_, at) => at % 251)), {
    raw: { width: 48, height: 64, channels: 3, pageHeight: 32 },
  });

/** The files of docs/formats.md, by the section of the page and the name of the row. */
export async function formatVariants(
  bench: Bench,
): Promise<ReadonlyMap<string, ReadonlyMap<string, MakeVariant>>> {
  const cells = new Map<string, CodedCell>();
  for (const cell of [...(await webpCells()), ...(await avifCells()), ...(await jpegCells())])
    cells.set(cell.name, cell);
  const cell =
    (name: string): MakeVariant =>
    async () => {
      const found = cells.get(name);
      if (!found) throw new Error(`There is no cell ${name}`);
      return found.file;
    };
  const tiff =
    (layout: Partial<TiffLayout>): MakeVariant =>
    async () =>
      tiffOf({ ...RGB8, ...layout });
  const made =
    (image: sharp.Sharp): MakeVariant =>
    () =>
      image.toBuffer();
  let number = 0;
  /** The output of ffmpeg for a second of a moving picture and a tone. */
  const video =
    (extension: string, ...args: string[]): MakeVariant =>
    () => {
      const inputs = [
        '-f',
        'lavfi',
        '-i',
        'testsrc2=size=96x64:rate=25:duration=0.4',
        '-f',
        'lavfi',
        '-i',
        'sine=duration=0.4',
      ];
      return readFile(bench.make(`variant-${number++}.${extension}`, ...inputs, ...args));
    };
  const sound =
    (extension: string, ...args: string[]): MakeVariant =>
    () =>
      readFile(
        bench.make(`variant-${number++}.${extension}`, '-f', 'lavfi', '-i', 'sine=duration=0.4', ...args),
      );
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', FEW_PICTURES, '-tag:v', 'hvc1'];
  const hevcFrame = async (): Promise<Buffer> =>
    readFile(
      bench.make(
        `variant-${number++}.mp4`,
        ...['-f', 'lavfi', '-i', 'testsrc2=size=96x64', '-frames:v', '1', '-pix_fmt', 'yuv420p', ...hevc],
      ),
    );
  const heic =
    (options: object): MakeVariant =>
    async () =>
      makeHeic(await hevcFrame(), { width: 96, height: 64, ...options });
  const still =
    (extension: string, ...args: string[]): MakeVariant =>
    () =>
      readFile(
        bench.make(
          `variant-${number++}.${extension}`,
          '-f',
          'lavfi',
          '-i',
          'testsrc2=size=48x32',
          '-frames:v',
          '1',
          ...args,
        ),
      );
  const joined =
    (make: MakeVariant, before: Buffer): MakeVariant =>
    async () =>
      Buffer.concat([before, await make()]);

  const sections: Record<string, Record<string, MakeVariant>> = {
    JPEG: {
      baseline: cell('JPEG: full'),
      'with smaller colours': cell('JPEG: half'),
      progressive: cell('JPEG: progressive'),
      grey: cell('JPEG: grey'),
      'CMYK or YCCK': cell('JPEG: fourInks'),
      'complete, without an end marker': cell('JPEG: full, no end'),
      'cut in the picture': cell('JPEG: full, cut'),
      lossless: cell('JPEG: full, frame c3'),
      hierarchical: cell('JPEG: full, frame c5'),
      'arithmetic coding': cell('JPEG: full, frame c9'),
      'JPEG-LS': cell('JPEG: grey, frame f7'),
      '12 bits': cell('JPEG: full, 12 bits'),
      'the height behind the pixels': cell('JPEG: full, height 0 and a line count'),
      'sizes of channels that don’t divide each other': cell('JPEG: full, sampling 51'),
      'repeated scans': cell('JPEG: full, the last scan twice'),
      'new quantisation between scans': cell('JPEG: progressive, other quantisation before the last scan'),
      'channels named RGB, with JFIF': cell('JPEG: full, components 82,71,66, JFIF'),
      'without tables': cell('JPEG: full, no tables of codes'),
    },
    WebP: {
      lossy: cell('WebP: opaque alone'),
      lossless: cell('WebP: lossless alone'),
      'with transparency': cell('WebP: lossy with the flag of transparency'),
      animated: cell('WebP: animated lossless with the flag'),
      'an unknown kind of transparency': cell('WebP: transparency of kind 2, 0'),
      'frames outside of the canvas': cell('WebP: a frame outside of the canvas'),
      'frames of another size than their pictures': cell('WebP: a frame of another size'),
      'no picture': cell('WebP: no frames'),
    },
    AVIF: {
      '8 bits': cell('AVIF: plain'),
      '10 bits': cell('AVIF: deep'),
      grey: cell('AVIF: grey'),
      'rotated or mirrored': cell('AVIF: columns, rotation'),
      'cropped (shown whole)': cell('AVIF: a crop in the middle'),
      'with transparency': cell('AVIF: transparency of the type “urn:mpeg:hevc:2015:auxid:1”'),
      'premultiplied transparency': cell('AVIF: premultiplied with “urn:mpeg:hevc:2015:auxid:1”'),
      'transparency of another depth': cell('AVIF: transparency of 10 bits'),
      'layers, or several frames in one picture': cell('AVIF: a picture twice'),
      'unknown matrix coefficients': cell('AVIF: matrix 14'),
      'another size than it says': cell('AVIF: a size of other pixels'),
      'a sequence': cell('AVIF: sequence'),
      'a sequence in full range': video('avif', ...AV1, '-color_range', 'pc'),
      'a sequence with unknown matrix coefficients': video('avif', ...AV1, '-colorspace', 'ycgco'),
      'a sequence whose box contradicts it': async () => {
        const file = await video('avif', ...AV1, ...BT709)();
        // The matrix in the box of the track; that of the still comes first.
        file.writeUInt16BE(9, file.lastIndexOf('colrnclx') + 12);
        return file;
      },
    },
    HEIC: {
      '8 bits': heic({}),
      rotated: heic({ turns: 1 }),
      cropped: heic({ crop: { left: 8, top: 8, width: 48, height: 32 } }),
    },
    TIFF: {
      'RGB of 8 bits': tiff({}),
      'RGB of 16 bits': tiff({ bits: 16 }),
      'RGB with two more channels': tiff({ channels: 5 }),
      'RGB in floating point of 32 bits': tiff({ bits: 32, format: 3 }),
      'grey of 1 bit': tiff({ photometric: 1, channels: 1, bits: 1 }),
      'grey in floating point of 32 bits': tiff({ photometric: 1, channels: 1, bits: 32, format: 3 }),
      'a palette': tiff({ photometric: 3, channels: 1 }),
      CMYK: tiff({ photometric: 5, channels: 4 }),
      'Lab of 16 bits': tiff({ photometric: 8, bits: 16 }),
      LZW: made(picture().tiff({ compression: 'lzw' })),
      Deflate: made(picture().tiff({ compression: 'deflate' })),
      PackBits: made(picture().tiff({ compression: 'packbits' })),
      JPEG: made(picture().tiff({ compression: 'jpeg' })),
      'strips in separate planes': tiff({ planes: 2 }),
      'Lab of 8 bits': tiff({ photometric: 8 }),
      'tiles in separate planes': tiff({ planes: 2, isTiled: true }),
      'integers of 32 bits': tiff({ bits: 32 }),
      'floating point of 64 bits': tiff({ bits: 64, format: 3 }),
      '12 bits': tiff({ bits: 12 }),
      'RGB of 4 bits': tiff({ bits: 4 }),
      'six channels': tiff({ channels: 6 }),
      LZMA: tiff({ compression: 34925 }),
      'JPEG of the obsolete kind': tiff({ compression: 6 }),
      'raw of a camera': tiff({ photometric: 32803, channels: 1 }),
      'a transparency mask alone': tiff({ photometric: 4, channels: 1, bits: 1 }),
    },
    PNG: {
      still: made(picture().png()),
      animated: async () => {
        const png = await picture().png().toBuffer();
        return makeApng(
          [
            { png, delay: [1, 10] },
            { png, delay: [1, 10] },
          ],
          0,
        );
      },
    },
    GIF: { still: made(picture().gif()), animated: made(animation().gif({ delay: [100, 100] })) },
    BMP: { '24 bits': still('bmp') },
    'JPEG XL': { still: still('jxl', '-c:v', 'libjxl') },
    SVG: {
      drawing: async () =>
        Buffer.from(
          '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
        ),
    },
    MP4: {
      'H.264': video('mp4', ...h264),
      HEVC: video('mp4', ...hevc, '-c:a', 'aac'),
      'sound alone': sound('mp4', '-c:a', 'aac'),
    },
    QuickTime: { 'H.264': video('mov', ...h264) },
    '3GP': { 'H.263': video('3gp', '-s', '176x144', '-c:v', 'h263', '-c:a', 'aac') },
    'Matroska and WebM': {
      VP9: video('webm', '-c:v', 'libvpx-vp9', '-c:a', 'libopus'),
      'H.264': video('mkv', ...h264),
      'sound alone': sound('mka', '-f', 'matroska'),
    },
    AVI: { 'MPEG-4': video('avi', '-c:v', 'mpeg4', '-c:a', 'libmp3lame') },
    'MPEG transport stream': {
      'H.264': video('ts', ...h264),
      'that begins in the middle of a packet': joined(video('ts', ...h264), Buffer.alloc(1000, 9)),
      'without packets in the first 64 KiB': joined(video('ts', ...h264), Buffer.alloc(1 << 16, 9)),
    },
    'MPEG program stream': { 'MPEG-2': video('mpg', '-c:v', 'mpeg2video', '-c:a', 'mp2') },
    FLV: { 'H.263': video('flv', '-c:v', 'flv', '-c:a', 'libmp3lame', '-ar', '44100') },
    ASF: { 'WMV 2': video('wmv', '-c:v', 'wmv2', '-c:a', 'wmav2') },
    Ogg: {
      Theora: video('ogv', '-c:v', 'libtheora', '-c:a', 'libvorbis'),
      'sound alone': sound('ogg', '-c:a', 'libvorbis'),
    },
    'Other types': {
      text: async () => Buffer.from('hello, world'),
      PDF: async () => Buffer.from('%PDF-1.7\n'),
    },
  };
  return new Map(Object.entries(sections).map(([name, rows]) => [name, new Map(Object.entries(rows))]));
}
