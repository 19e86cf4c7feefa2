import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { VariantName } from '@vitrine/contracts';
import sharp from 'sharp';
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
  SRGB_GAMMA,
  type Coding,
  type RgbSpace,
  type Triple,
} from '../../test/samples/colours';
import { makeApng } from '../../test/samples/apng';
import { makeHeic, makeHeif, tilesOfAvif, tilesOfMp4, type HeifTiles } from '../../test/samples/heic';
import { Bench } from '../../test/samples/jobs';
import { quarters } from '../../test/samples/pictures';
import type { MediaJob } from '../worker/protocol';
import { ImageProcessor } from './image-processor';
import { restrictLoaders } from './open-image';
import { PNG_SIGNATURE, pngChunk } from './png-chunks';

// Encoders and fresh processes are slow on a busy machine.
jest.setTimeout(120_000);

/** The picture of `quarters(64, 32)` as a JPEG XL codestream: no encoder at hand writes orientations into it. */
const JPEG_XL_QUARTERS = '/wrHLRBQXBIIAgEApABLOGmYyoP3K0gIgDp/PgblBYIAmNaaA/gO8hcRJOr3' + 'TxTqL69hjQhZcg==';
/** CIE76; below 2.3 two colours next to each other look the same. */
const SAME = 2.3;
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

describe('colours of the variants', () => {
  let bench: Bench;
  const processor = new ImageProcessor();

  beforeAll(async () => {
    restrictLoaders();
    bench = await Bench.open();
  });
  afterAll(() => bench.close());

  interface Made {
    readonly width: number;
    readonly height: number;
    read(name: VariantName): Promise<Buffer>;
  }

  async function process(
    file: Buffer,
    format: string,
    { withFfmpeg = true, ...media }: Partial<MediaJob['media']> & { readonly withFfmpeg?: boolean } = {},
  ): Promise<Made> {
    const job = await bench.job(file, { format, ...media });
    const tools = withFfmpeg ? job.tools : { ...job.tools, ffmpeg: '' };
    const { variants, files, width, height } = await processor.process({ ...job, tools });
    const read = async (name: VariantName): Promise<Buffer> => {
      const key = variants.find((variant) => variant.name === name)?.key;
      const made = files.find((entry) => entry.key === key);
      return readFile(made ? join(job.folder, made.file) : job.source);
    };
    return { width, height, read };
  }

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
    const raw = join(bench.folder, 'patches.rgb48');
    await writeFile(raw, samples);
    return readFile(
      bench.make(
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
        ...['-x265-params', 'crf=4:log-level=none:info=0'],
      ),
    );
  };
  const heic = async (samples: Buffer, nclx: readonly [number, number]): Promise<Buffer> =>
    makeHeic(await hevc10(samples), { ...PATCHES_SIZE, nclx: [...nclx, 9, 0] });

  const jxl = async (samples: Buffer, primaries: string, transfer: string): Promise<Buffer> => {
    const raw = join(bench.folder, 'patches-jxl.rgb48');
    await writeFile(raw, samples);
    return readFile(
      bench.make(
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
    const film = bench.make(
      'motion.mp4',
      '-f',
      'lavfi',
      '-i',
      'testsrc=s=64x64:d=0.2:r=10',
      '-c:v',
      'libx264',
    );
    const file = Buffer.concat([await jpeg(PATCHES), map, await readFile(film)]);
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

  describe('HEIC', () => {
    /** One HEVC picture of `filter`, in MP4. */
    const hevc = (filter: string): Promise<Buffer> =>
      readFile(
        bench.make(
          'tile.mp4',
          ...['-f', 'lavfi', '-i', filter, '-frames:v', '1', '-pix_fmt', 'yuv420p', '-tag:v', 'hvc1'],
          ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:info=0'],
        ),
      );
    const mean = async (file: Buffer): Promise<number[]> =>
      (await sharp(file).stats()).channels.map((channel) => Math.round(channel.mean));

    it.each([true, false])(
      'is turned and mirrored as its properties say, with ffmpeg: %s',
      async (withFfmpeg) => {
        const picture = await (await quarters(128, 64)).png().toBuffer();
        const path = join(bench.folder, 'quarters.png');
        await writeFile(path, picture);
        const mp4 = await readFile(
          bench.make(
            'quarters.mp4',
            ...['-i', path, '-frames:v', '1', '-pix_fmt', 'yuv420p', '-tag:v', 'hvc1', '-c:v', 'libx265'],
            ...['-x265-params', 'crf=4:log-level=none:info=0'],
          ),
        );
        for (const turns of [0, 1, 2, 3]) {
          for (const mirror of [undefined, 'rows', 'columns'] as const) {
            const file = makeHeic(mp4, { width: 128, height: 64, turns, ...(mirror ? { mirror } : {}) });
            const made = await process(file, 'heic', { withFfmpeg });
            let expected = sharp(
              await sharp(picture)
                .rotate(360 - turns * 90)
                .png()
                .toBuffer(),
            );
            if (mirror === 'rows') expected = expected.flip();
            if (mirror === 'columns') expected = expected.flop();
            const upright = await expected
              .resize(2, 2, { kernel: 'nearest', fit: 'fill' })
              .removeAlpha()
              .raw()
              .toBuffer();
            const shown = await sharp(await made.read('xl'))
              .resize(2, 2, { kernel: 'nearest', fit: 'fill' })
              .raw()
              .toBuffer();
            const letters = (pixels: Buffer): string =>
              [...pixels].map((value) => (value > 127 ? '1' : '0')).join('');
            expect([turns, mirror, letters(shown)]).toEqual([turns, mirror, letters(upright)]);
          }
        }
      },
    );

    it('has the tiles of a grid in order, and is cropped to the size of the picture', async () => {
      const parts = [];
      for (const colour of ['0xff0000', '0x00ff00', '0xffffff', '0x0000ff'])
        parts.push(tilesOfMp4(await hevc(`color=${colour}:s=64x64`), { tileWidth: 64, tileHeight: 64 }));
      const [first] = parts;
      if (!first) throw new Error('No tile');
      const grid = { ...first, columns: 2, tiles: parts.flatMap(({ tiles: own }) => own) };
      const made = await process(makeHeif(grid, { width: 100, height: 90 }), 'heic');
      expect(made).toMatchObject({ width: 100, height: 90 });
      const { data } = await sharp(await made.read('xl'))
        .raw()
        .toBuffer({ resolveWithObject: true });
      const at = (x: number, y: number): string =>
        [...data.subarray((y * 100 + x) * 3, (y * 100 + x) * 3 + 3)].map((v) => (v > 127 ? 1 : 0)).join('');
      expect([at(60, 60), at(68, 60), at(60, 68), at(68, 68), at(99, 89)]).toEqual([
        '100',
        '010',
        '111',
        '001',
        '001',
      ]);
    });

    it('keeps its transparency', async () => {
      const tile = { tileWidth: 128, tileHeight: 128 };
      const alpha = tilesOfMp4(
        await readFile(
          bench.make(
            'alpha.mp4',
            ...[
              '-f',
              'lavfi',
              '-i',
              'color=black:s=128x128,drawbox=w=64:h=128:color=white:t=fill,format=gray',
            ],
            ...['-frames:v', '1', '-vf', 'scale=out_range=pc,format=gray', '-color_range', 'pc'],
            ...['-c:v', 'libx265', '-tag:v', 'hvc1', '-x265-params', 'range=full:log-level=none:info=0'],
          ),
        ),
        tile,
      );
      const colours = tilesOfMp4(await hevc('color=0xc03020:s=128x128'), tile);
      const made = await process(makeHeif(colours, { width: 128, height: 128, alpha }), 'heic');
      const { data, info } = await sharp(await made.read('xl'))
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(info.channels).toBe(4);
      expect([data[(64 * 128 + 20) * 4 + 3], data[(64 * 128 + 100) * 4 + 3]]).toEqual([255, 0]);
    });

    it.each([
      ['HEIC with ffmpeg', 'heic', true],
      ['HEIC without ffmpeg', 'heic', false],
      ['AVIF', 'avif', true],
    ])('divides premultiplied colours by their alpha: %s', async (_, format, withFfmpeg) => {
      const tile = { tileWidth: 192, tileHeight: 192 };
      const plane = async (colour: string): Promise<HeifTiles> => {
        if (format === 'heic') return tilesOfMp4(await hevc(`color=${colour}:s=192x192`), tile);
        const create = {
          width: 192,
          height: 192,
          channels: 3,
          background: colour.replace('0x', '#'),
        } as const;
        return tilesOfAvif(await sharp({ create }).avif({ quality: 90, effort: 0 }).toBuffer(), tile);
      };
      // Half of 200, 100 and 40. Grey of limited range means the same in full: 16 to 235 is 0 to 255.
      const [colours, alpha] = [await plane('0x643214'), await plane('0x808080')];
      const file = makeHeif(colours, { width: 192, height: 192, alpha, isPremultiplied: true });
      const made = await process(file, format, { withFfmpeg });
      const { data } = await sharp(await made.read('xs'))
        .raw()
        .toBuffer({ resolveWithObject: true });
      const [red = 0, green = 0, blue = 0, coverage = 0] = data;
      expect(Math.abs(coverage - 128)).toBeLessThan(6);
      expect(meanDeltaE([[red, green, blue]], [[200, 100, 40]])).toBeLessThan(4);
    });

    it('is decoded with 48 megapixels in tiles', async () => {
      const tile = await hevc('color=0x3070b0:s=672x672');
      const grid = tilesOfMp4(tile, { tileWidth: 672, tileHeight: 672 }, { count: 12 * 9, columns: 12 });
      const made = await process(makeHeif(grid, { width: 8064, height: 6048 }), 'heic');
      expect(made).toMatchObject({ width: 8064, height: 6048 });
      const [r = 0, g = 0, b = 0] = await mean(await made.read('xl'));
      expect(meanDeltaE([[r, g, b]], [[0x30, 0x70, 0xb0]])).toBeLessThan(SAME);
    });

    it.each<[string, () => Promise<Buffer>]>([
      [
        'a tile that is larger than its file says',
        async () => makeHeic(await hevc('color=red:s=1280x1280'), { width: 64, height: 64 }),
      ],
      [
        'a unit that ends outside of its tile',
        async () => {
          const tiles = tilesOfMp4(await hevc('testsrc=s=64x64'), { tileWidth: 64, tileHeight: 64 });
          const [coded = Buffer.alloc(0)] = tiles.tiles;
          return makeHeif({ ...tiles, tiles: [coded.subarray(0, -3)] }, { width: 64, height: 64 });
        },
      ],
      [
        'a tile of noise',
        async () => {
          const tiles = tilesOfMp4(await hevc('testsrc=s=64x64'), { tileWidth: 64, tileHeight: 64 });
          const noise = Buffer.alloc(400, 0xa5);
          noise.writeUInt32BE(396, 0);
          return makeHeif({ ...tiles, tiles: [noise] }, { width: 64, height: 64 });
        },
      ],
    ])('is refused with %s', async (_, make) => {
      await expect(process(await make(), 'heic')).rejects.toThrow(/could not be decoded|too many pixels/);
    });
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
    expect(await sharp(await made.read('xl')).metadata()).toMatchObject({ width: 1920, height: 360 });
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
