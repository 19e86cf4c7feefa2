import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describeWithFfmpeg } from '@vitrine/testing';
import sharp from 'sharp';
import { makeApng } from '../../test/samples/apng';
import {
  ADOBE_RGB,
  codedPatches,
  displayP3,
  hlg,
  hueOf,
  inSpace,
  labOf,
  meanDeltaE,
  PATCHES,
  PATCHES_SIZE,
  patchesOf,
  patchPicture,
  pq,
  PRO_PHOTO,
  profileOf,
  SAME,
  SRGB_GAMMA,
  type Coding,
  type RgbSpace,
  type Triple,
} from '../../test/samples/colours';
import { makeHeic, makeHeif, tilesOfAvif } from '../../test/samples/heic';
import { ImageBench, type MadeImage } from '../../test/samples/image-bench';
import { quarters } from '../../test/samples/pictures';
import { PNG_SIGNATURE, pngChunk } from './png/png-chunks';
import { FEW_PICTURES } from '../../test/samples/hevc';

/** `quarters(64, 32)` as a JPEG XL codestream, because no available encoder writes orientations into it. */
const JPEG_XL_QUARTERS = '/wrHLRBQXBIIAgEApABLOGmYyoP3K0gIgDp/PgblBYIAmNaaA/gO8hcRJOr3' + 'TxTqL69hjQhZcg==';
const srgb: Coding = (light) =>
  light.map((value) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)) as Triple;
/** A red and a white that are brighter than the white of a page, and patches that are not. */
const BRIGHT: readonly Triple[] = [
  [200, 60, 50],
  [400, 60, 50],
  [50, 70, 170],
  [220, 190, 60],
  [255, 255, 255],
  [450, 450, 450],
];

type Options = Partial<Parameters<ImageBench['process']>[1]>;

describeWithFfmpeg('colours of the variants', () => {
  let bench: ImageBench;
  beforeAll(async () => {
    bench = await ImageBench.open();
  });
  afterAll(() => bench.close());

  const process = (file: Buffer, format: string, options: Options = {}): Promise<MadeImage> =>
    bench.process(file, { format, ...options });

  const xsPatches = async (file: Buffer, format: string, options = {}): Promise<Triple[]> =>
    patchesOf(await (await process(file, format, options)).read('xs'));

  const size = { tileWidth: PATCHES_SIZE.width, tileHeight: PATCHES_SIZE.height };

  const png16 = (samples: Buffer): Promise<Buffer> =>
    patchPicture(samples).png({ compressionLevel: 1 }).toBuffer();

  /** A PNG with more chunks after its header. */
  const withChunks = (png: Buffer, ...chunks: Buffer[]): Buffer =>
    Buffer.concat([PNG_SIGNATURE, png.subarray(8, 33), ...chunks, png.subarray(33)]);

  const codePoints = (primaries: number, transfer: number): Buffer =>
    pngChunk('cICP', Buffer.from([primaries, transfer, 0, 1]));

  const avif = async (samples: Buffer, nclx: readonly [number, number]): Promise<Buffer> => {
    const plain = await patchPicture(samples)
      .avif({ bitdepth: 10, quality: 95, effort: 0, chromaSubsampling: '4:4:4' })
      .toBuffer();
    return makeHeif(tilesOfAvif(plain, size), { ...PATCHES_SIZE, nclx: [...nclx, 6, 1] });
  };

  /** One HEVC picture in MP4, 10 bits, in the matrix of BT.2020. */
  const hevc10 = async (samples: Buffer): Promise<Buffer> => {
    const raw = join(bench.files.folder, 'patches.rgb48');
    await writeFile(raw, samples);
    return readFile(
      bench.files.make(
        'patches.mp4',
        ...['-f', 'rawvideo', '-pix_fmt', 'rgb48le', '-s', `${PATCHES_SIZE.width}x${PATCHES_SIZE.height}`],
        ...[
          '-i',
          raw,
          '-vf',
          'scale=out_color_matrix=bt2020:out_range=tv,format=yuv420p10le',
          '-frames:v',
          '1',
        ],
        ...['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1'],
        ...['-x265-params', `crf=4:${FEW_PICTURES}:info=0`],
      ),
    );
  };
  /** Two pictures in linear light, as AV1 in MP4. */
  const linearAv1 = async (): Promise<Buffer> => {
    const raw = join(bench.files.folder, 'linear.rgb48');
    await writeFile(
      raw,
      codedPatches((light) => light),
    );
    const path = bench.files.make(
      'linear.mp4',
      ...['-f', 'rawvideo', '-pix_fmt', 'rgb48le', '-s', `${PATCHES_SIZE.width}x${PATCHES_SIZE.height}`],
      ...['-stream_loop', '1', '-i', raw, '-c:v', 'libaom-av1', '-crf', '4', '-cpu-used', '8'],
      ...['-vf', 'scale=out_color_matrix=bt709:out_range=tv,format=yuv444p10le', '-color_range', 'tv'],
      ...[
        '-color_primaries',
        'bt709',
        '-color_trc',
        'linear',
        '-colorspace',
        'bt709',
        '-movflags',
        'write_colr',
      ],
    );
    return readFile(path);
  };

  /** The same file with other names of the same length. */
  const renamed = (file: Buffer, from: string, to: string): Buffer =>
    Buffer.from(file.toString('latin1').replaceAll(from, to), 'latin1');

  /** An AVIF without a colour box, whose AV1 picture declares linear light. */
  const linearAvif = async (): Promise<Buffer> =>
    makeHeif(tilesOfAvif(await linearAv1(), size), PATCHES_SIZE);
  const heic = async (samples: Buffer, nclx: readonly [number, number]): Promise<Buffer> =>
    makeHeic(await hevc10(samples), { ...PATCHES_SIZE, nclx: [...nclx, 9, 0] });

  const jxl = async (samples: Buffer, primaries: string, transfer: string): Promise<Buffer> => {
    const raw = join(bench.files.folder, 'patches-jxl.rgb48');
    await writeFile(raw, samples);
    return readFile(
      bench.files.make(
        'patches.jxl',
        ...['-color_primaries', primaries, '-color_trc', transfer],
        ...['-f', 'rawvideo', '-pix_fmt', 'rgb48le', '-s', `${PATCHES_SIZE.width}x${PATCHES_SIZE.height}`],
        ...['-i', raw, '-color_primaries', primaries, '-color_trc', transfer],
        ...['-c:v', 'libjxl', '-distance', '0.1', '-effort', '1'],
      ),
    );
  };

  const HDR_FILES: [string, string, (light: readonly Triple[]) => Promise<Buffer>][] = [
    ['AVIF in PQ', 'avif', (light) => avif(codedPatches(pq, light), [9, 16])],
    ['AVIF in HLG', 'avif', (light) => avif(codedPatches(hlg, light), [9, 18])],
    ['HEIC in PQ', 'heic', (light) => heic(codedPatches(pq, light), [9, 16])],
    ['HEIC in HLG', 'heic', (light) => heic(codedPatches(hlg, light), [9, 18])],
    [
      'PNG in PQ',
      'png',
      async (light) => withChunks(await png16(codedPatches(pq, light)), codePoints(9, 16)),
    ],
    [
      'PNG in HLG',
      'png',
      async (light) => withChunks(await png16(codedPatches(hlg, light)), codePoints(9, 18)),
    ],
    ['JPEG XL in PQ', 'jxl', (light) => jxl(codedPatches(pq, light), 'bt2020', 'smpte2084')],
    ['JPEG XL in HLG', 'jxl', (light) => jxl(codedPatches(hlg, light), 'bt2020', 'arib-std-b67')],
  ];

  it.each(HDR_FILES)('are those of sRGB, without highlights: %s', async (_, format, make) => {
    expect(meanDeltaE(await xsPatches(await make(PATCHES), format), PATCHES)).toBeLessThan(SAME);
  });

  it.each(HDR_FILES)('keep hues and dark colours, with highlights: %s', async (_, format, make) => {
    const made = await xsPatches(await make(BRIGHT), format);
    const [red, brightRed, blue, , white, brightWhite] = made as [
      Triple,
      Triple,
      Triple,
      Triple,
      Triple,
      Triple,
    ];
    expect(
      meanDeltaE(
        [red, blue],
        [
          [200, 60, 50],
          [50, 70, 170],
        ],
      ),
    ).toBeLessThan(4);
    expect(Math.abs(hueOf(brightRed) - hueOf([200, 60, 50]))).toBeLessThan(12);
    expect(Math.min(...brightWhite)).toBeGreaterThan(240);
    expect(labOf(white)[0]).toBeGreaterThan(75);
    expect(labOf(white)[0]).toBeLessThan(labOf(brightWhite)[0]);
  });

  it.each<[string, string, () => Promise<Buffer>]>([
    ['AVIF in Display P3 by code points', 'avif', () => avif(codedPatches(displayP3), [12, 13])],
    ['HEIC in Display P3 by code points', 'heic', () => heic(codedPatches(displayP3), [12, 13])],
    [
      'PNG in Display P3 by code points',
      'png',
      async () => withChunks(await png16(codedPatches(displayP3)), codePoints(12, 13)),
    ],
    ['JPEG XL in Display P3', 'jxl', () => jxl(codedPatches(displayP3), 'smpte432', 'iec61966-2-1')],
    ['AVIF in linear light by its AV1 header', 'avif', () => linearAvif()],
    ['10-bit AVIF', 'avif', () => avif(codedPatches(srgb), [1, 13])],
    ['10-bit HEIC', 'heic', () => heic(codedPatches(srgb), [1, 13])],
    ['16-bit PNG', 'png', () => png16(codedPatches(srgb))],
    [
      'PNG in linear light by gAMA',
      'png',
      async () =>
        withChunks(
          await png16(codedPatches((light) => light)),
          pngChunk('gAMA', Buffer.from([0, 1, 0x86, 0xa0])),
        ),
    ],
  ])('are those of sRGB: %s', async (_, format, make) => {
    expect(meanDeltaE(await xsPatches(await make(), format), PATCHES)).toBeLessThan(SAME);
  });

  it('are those of sRGB for a PNG with the primaries of Adobe RGB in cHRM', async () => {
    const numbers = [31_270, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6_000];
    const body = Buffer.alloc(32);
    numbers.forEach((value, index) => body.writeUInt32BE(value, index * 4));
    const gamma = Buffer.alloc(4);
    gamma.writeUInt32BE(Math.round((100_000 * 256) / 563));
    const file = withChunks(
      await png16(codedPatches(inSpace(ADOBE_RGB))),
      pngChunk('gAMA', gamma),
      pngChunk('cHRM', body),
    );
    expect(meanDeltaE(await xsPatches(file, 'png'), PATCHES)).toBeLessThan(SAME);
  });

  it.each<[string, RgbSpace]>([
    ['sRGB', SRGB_GAMMA],
    ['Adobe RGB', ADOBE_RGB],
    ['ProPhoto RGB', PRO_PHOTO],
  ])('are those of sRGB for JPEG, PNG and HEIC with a profile of %s', async (_, space) => {
    const samples = codedPatches(inSpace(space));
    const profile = profileOf(space);
    const iccp = pngChunk('iCCP', Buffer.concat([Buffer.from('p\0\0', 'latin1'), deflateSync(profile)]));
    const files: [string, Buffer][] = [
      ['png', withChunks(await png16(samples), iccp)],
      [
        'jpeg',
        withJpegProfile(
          await sharp(await png16(samples))
            .jpeg({ quality: 98 })
            .toBuffer(),
          profile,
        ),
      ],
      ['heic', makeHeic(await hevc10(samples), { ...PATCHES_SIZE, profile, nclx: [1, 13, 9, 0] })],
    ];
    for (const [format, file] of files)
      expect([format, meanDeltaE(await xsPatches(file, format), PATCHES) < SAME]).toEqual([format, true]);
  });

  it('are those of the base picture for a JPEG with a gain map and an appended video', async () => {
    const jpeg = (patches: readonly Triple[]): Promise<Buffer> =>
      patchPicture(codedPatches(srgb, patches)).toColourspace('srgb').jpeg({ quality: 98 }).toBuffer();
    const map = await jpeg(PATCHES.map(() => [0, 0, 0]));
    const video = bench.files.make(
      'motion.mp4',
      '-f',
      'lavfi',
      '-i',
      'testsrc=s=64x64:d=0.2:r=10',
      '-c:v',
      'libx264',
    );
    const file = Buffer.concat([await jpeg(PATCHES), map, await readFile(video)]);
    expect(meanDeltaE(await xsPatches(file, 'jpeg', { ext: 'jpg' }), PATCHES)).toBeLessThan(SAME);
  });

  it('are those of sRGB for every frame of an animated PNG with code points', async () => {
    const frame = await png16(codedPatches(displayP3));
    const moving = makeApng(
      [
        { png: frame, delay: [1, 10] },
        { png: frame, delay: [1, 10] },
      ],
      0,
    );
    const file = withChunks(moving, codePoints(12, 13));
    expect(meanDeltaE(await xsPatches(file, 'png', { frames: 2 }), PATCHES)).toBeLessThan(SAME);
  });

  it('are those of sRGB for an AVIF sequence in linear light, by its box and by its AV1 header', async () => {
    const sequence = renamed(await linearAv1(), '\0\0\0\0vide', '\0\0\0\0pict');
    for (const file of [sequence, renamed(sequence, 'colrnclx', 'freenclx')])
      expect(meanDeltaE(await xsPatches(file, 'avif', { frames: 2 }), PATCHES)).toBeLessThan(SAME);
  });

  it('are those of sRGB for an AVIF sequence with a profile', async () => {
    const linear = profileOf({ ...SRGB_GAMMA, gamma: 1 });
    const sequence = renamed(await linearAv1(), '\0\0\0\0vide', '\0\0\0\0pict');
    const at = sequence.indexOf('colrnclx');
    // The boxes around it grow by the profile. Offsets into the file stay, because the media data come first.
    const file = Buffer.concat([
      sequence.subarray(0, at + 4),
      Buffer.from('prof'),
      linear,
      sequence.subarray(at + 15),
    ]);
    for (const type of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'av01', 'colr']) {
      const start = file.lastIndexOf(type, at) - 4;
      file.writeUInt32BE(file.readUInt32BE(start) + linear.length - 7, start);
    }
    expect(meanDeltaE(await xsPatches(file, 'avif', { frames: 2 }), PATCHES)).toBeLessThan(SAME);
  });

  it('are those of sRGB for a JPEG XL without ffmpeg, in HDR and in Display P3', async () => {
    for (const [primaries, transfer, coding] of [
      ['bt709', 'iec61966-2-1', srgb],
      ['smpte432', 'iec61966-2-1', displayP3],
    ] as const) {
      const file = await jxl(codedPatches(coding), primaries, transfer);
      expect(meanDeltaE(await xsPatches(file, 'jxl', { withFfmpeg: false }), PATCHES)).toBeLessThan(SAME);
    }
    const bright = await jxl(codedPatches(pq, BRIGHT), 'bt2020', 'smpte2084');
    const [red, , blue] = await xsPatches(bright, 'jxl', { withFfmpeg: false });
    expect(Math.abs(hueOf(red as Triple) - hueOf([200, 60, 50]))).toBeLessThan(12);
    expect(Math.abs(hueOf(blue as Triple) - hueOf([50, 70, 170]))).toBeLessThan(12);
  });

  /** Which of red, green and blue each quarter has. */
  const corners = async (picture: Buffer): Promise<string> =>
    [
      ...(await sharp(picture)
        .removeAlpha()
        .resize(2, 2, { kernel: 'nearest', fit: 'fill' })
        .raw()
        .toBuffer()),
    ]
      .map((value) => (value > 127 ? 1 : 0))
      .join('');

  const uprightCorners = async (orientation: number): Promise<string> => {
    const turned = await (await quarters(64, 32)).withMetadata({ orientation }).png().toBuffer();
    return corners(await sharp(turned).autoOrient().png().toBuffer());
  };

  it.each(['png', 'webp', 'tiff', 'avif'] as const)(
    'are at their places for each of the 8 orientations of a %s',
    async (format) => {
      for (let orientation = 1; orientation <= 8; orientation++) {
        const stored = (await quarters(64, 32)).withMetadata({ orientation });
        const file = await (
          format === 'webp' ? stored.webp({ lossless: true }) : stored[format]()
        ).toBuffer();
        const made = await process(file, format);
        expect(await corners(await made.read('xs'))).toBe(await uprightCorners(orientation));
        expect(made.width > made.height).toBe(orientation < 5);
      }
    },
  );

  it.each([true, false])(
    'are at their places for each orientation of a JPEG XL, with ffmpeg: %s',
    async (withFfmpeg) => {
      for (let orientation = 1; orientation <= 8; orientation++) {
        const file = Buffer.from(JPEG_XL_QUARTERS, 'base64');
        // Three bits of the header, 27 bits from the start.
        file[3] = ((file[3] ?? 0) & ~0x38) | ((orientation - 1) << 3);
        const made = await process(file, 'jxl', { withFfmpeg });
        expect(await corners(await made.read('xs'))).toBe(await uprightCorners(orientation));
        expect(made.width > made.height).toBe(orientation < 5);
      }
    },
  );

  it('are kept for a panorama of 16,000 × 3,000', async () => {
    const file = await sharp({ create: { width: 16_000, height: 3000, channels: 3, background: '#3070b0' } })
      .jpeg()
      .toBuffer();
    const made = await process(file, 'jpeg', { ext: 'jpg' });
    expect(made).toMatchObject({ width: 16_000, height: 3000 });
    expect(await sharp(await made.read('xl')).metadata()).toMatchObject({ width: 5120, height: 960 });
  });
});

/** A JPEG with a profile in one APP2 segment (ICC.1 annex B.4). */
function withJpegProfile(jpeg: Buffer, profile: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0xffe2, 0);
  head.writeUInt16BE(profile.length + 16, 2);
  const name = Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1');
  return Buffer.concat([jpeg.subarray(0, 2), head, name, profile, jpeg.subarray(2)]);
}
