import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import {
  ADOBE_RGB,
  codedPatches,
  meanDeltaE,
  PATCHES_SIZE,
  patchesOf,
  patchPicture,
  PRO_PHOTO,
  profileOf,
  SAME,
  SRGB_GAMMA,
  type Coding,
  type Triple,
} from '../../test/samples/colours';
import { makeHeif, tilesOfAvif } from '../../test/samples/heic';
import { ImageBench } from '../../test/samples/image-bench';
import { encodeAlternative } from '../pixels/encoders';
import { compactProfile } from './colour/wide-gamut';
import { decodeFor, withGamut } from './decode-still';
import { openSource } from './image-source';
import { PNG_SIGNATURE, pngChunk } from './png/png-chunks';
import { wrapInTiff } from './tiff-wrapper';

/** Colours at the edges of a gamut and within it, as code values. */
const VIVID: readonly Triple[] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 128, 0],
  [128, 128, 128],
  [200, 100, 60],
];
/** Code values without any conversion: `codedPatches` makes light of them first. */
const asWritten: Coding = (light) =>
  light.map((value) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)) as Triple;
const size = { tileWidth: PATCHES_SIZE.width, tileHeight: PATCHES_SIZE.height };

describe('variants of pictures with colours outside of sRGB', () => {
  let bench: ImageBench;
  let p3: Buffer;
  beforeAll(async () => {
    bench = await ImageBench.open();
    p3 = await builtIn('p3');
  });
  afterAll(() => bench.close());

  const vivid = (): sharp.Sharp => patchPicture(codedPatches(asWritten, VIVID));

  const pngWith = async (profile: Buffer): Promise<Buffer> => {
    const png = await vivid().png({ compressionLevel: 1 }).toBuffer();
    const iccp = pngChunk('iCCP', Buffer.concat([Buffer.from('p\0\0', 'latin1'), deflateSync(profile)]));
    return Buffer.concat([PNG_SIGNATURE, png.subarray(8, 33), iccp, png.subarray(33)]);
  };
  const webpWith = async (profile: Buffer): Promise<Buffer> =>
    sharp(await pngWith(profile), { ignoreIcc: true })
      .keepIccProfile()
      .webp({ lossless: true })
      .toBuffer();
  const avifWith = async (
    colours: { profile: Buffer } | { nclx: [number, number, number, 0 | 1] },
  ): Promise<Buffer> => {
    const plain = await vivid()
      .avif({ bitdepth: 10, quality: 98, effort: 0, chromaSubsampling: '4:4:4' })
      .toBuffer();
    return makeHeif(tilesOfAvif(plain, size), { ...PATCHES_SIZE, nclx: [1, 13, 6, 1], ...colours });
  };

  /** The values in a WebP by ffmpeg, which ignores profiles; those in an AVIF by libheif, without its profile. */
  const codes = async (file: Buffer, ext: string): Promise<Triple[]> => {
    if (ext === 'avif') return patchesOf(await sharp(file, { ignoreIcc: true }).png().toBuffer());
    const path = join(bench.files.folder, `decoded.${ext}`);
    await writeFile(path, file);
    const { width, height } = await sharp(file).metadata();
    const raw = bench.files.make('decoded.rgb', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgb24');
    const pixels = sharp(await readFile(raw), { raw: { width, height, channels: 3 } });
    return patchesOf(await pixels.png().toBuffer());
  };

  /** The colours of a file in Display P3, as Little CMS reads its profile; at 16 bits, sharp doesn't pass through sRGB. */
  const inP3 = async (file: Buffer): Promise<Triple[]> => {
    const { icc } = await sharp(file).metadata();
    const opened = sharp(file, { ignoreIcc: true }).removeAlpha();
    const { data, info } = await opened.raw().toBuffer({ resolveWithObject: true });
    const layout = { width: info.width, height: info.height, channels: 3, depth: 16 } as const;
    const { tiff, pixels } = wrapInTiff(layout, icc);
    data.forEach((value, at) => pixels.writeUInt16LE(value * 257, at * 2));
    const converted = sharp(tiff).withIccProfile('p3').raw({ depth: 'uchar' });
    const { data: shown } = await converted.toBuffer({ resolveWithObject: true });
    const raw = { width: info.width, height: info.height, channels: 3 } as const;
    return patchesOf(await sharp(shown, { raw }).png().toBuffer());
  };

  const largestError = (made: readonly Triple[], expected: readonly Triple[]): number =>
    Math.max(...made.flatMap((one, n) => one.map((value, c) => Math.abs(value - (expected[n]?.[c] ?? 0)))));

  // Promise [files]: WebP and AVIF sizes keep colours outside of sRGB.
  it.each([
    ['webp', (profile: Buffer) => webpWith(profile)],
    ['avif', (profile: Buffer) => avifWith({ profile })],
  ])('have the values of a Display P3 source, and its meaning: %s', async (format, make) => {
    const made = await bench.process(await make(p3), { format });
    const file = await made.read('xs');
    expect(largestError(await codes(file, format), VIVID)).toBeLessThan(12);
    // Red that was clipped to sRGB would be 234, 51, 35 there.
    expect(largestError(await inP3(file), VIVID)).toBeLessThan(12);
  });

  it.each([
    ['Adobe RGB', ADOBE_RGB],
    ['ProPhoto RGB', PRO_PHOTO],
  ])('have the colours of a source in %s', async (_, space) => {
    const file = await webpWith(profileOf(space));
    const made = await (await bench.process(file, { format: 'webp' })).read('xs');
    expect(largestError(await codes(made, 'webp'), VIVID)).toBeLessThan(12);
    expect(meanDeltaE(await inP3(made), await inP3(file))).toBeLessThan(SAME);
  });

  it('are judged as viewers in sRGB see them', async () => {
    const file = await webpWith(p3);
    const made = await bench.process(file, { format: 'webp' });
    const [frame] = made.frames;
    const shown = await patchesOf(await made.readKey(frame ?? ''));
    expect(meanDeltaE(shown, await patchesOf(file))).toBeLessThan(SAME);
    // The value itself, taken for sRGB, would be paler.
    expect(shown[5]?.[0]).toBeGreaterThan(210);
  });

  it.each([
    ['a PNG with a profile', 'png', () => pngWith(p3)],
    ['an AVIF with code points', 'avif', () => avifWith({ nclx: [12, 13, 6, 1] })],
  ])('keep the gamut when they are made later: %s', async (_, format, make) => {
    const source = await openSource(await bench.files.job(await make(), { format }));
    for (const ext of ['webp', 'avif'] as const) {
      const still = await decodeFor(ext, source, { width: 96, height: 64 });
      const file = await encodeAlternative(withGamut(still), ext).toBuffer();
      expect(largestError(await inP3(file), VIVID)).toBeLessThan(12);
    }
  });

  it('are in sRGB without a profile for sources whose colours are', async () => {
    for (const profile of [profileOf(SRGB_GAMMA), Buffer.from(p3).fill(0xff, 132)]) {
      const made = await (await bench.process(await webpWith(profile), { format: 'webp' })).read('xs');
      expect((await sharp(made).metadata()).icc).toBeUndefined();
    }
  });
});

describe('compactProfile', () => {
  it('makes a small profile without the texts of the source', async () => {
    const profile = await builtIn('p3');
    const made = compactProfile(profile) as Buffer;
    expect(made.length).toBeLessThan(450);
    expect(made.readUInt32BE(0)).toBe(made.length);
    const named = profileOf(ADOBE_RGB);
    const signed = Buffer.from(named);
    // The device's model and maker, the creator and the identifier are in the header.
    signed.write('CANARYCANARY', 48, 'latin1');
    signed.write('CANARYCANARYCANARY', 80, 'latin1');
    signed.write('CANARY', signed.indexOf('none'), 'latin1');
    expect(compactProfile(signed)).toEqual(compactProfile(named));
    expect(compactProfile(signed)?.includes('CANARY')).toBe(false);
  });

  it('refuses spaces within sRGB, tables, other white points and curves that it can’t write', async () => {
    expect(compactProfile(await builtIn('srgb'))).toBeNull();
    expect(compactProfile(await builtIn('cmyk'))).toBeNull();
    const p3 = await builtIn('p3');
    const changed = (change: (profile: Buffer) => void): Buffer => {
      const copy = Buffer.from(p3);
      change(copy);
      return copy;
    };
    const tag = (name: string): number => p3.readUInt32BE(p3.indexOf(name, 132, 'latin1') + 4);
    expect(compactProfile(changed((copy) => copy.write('A2B0', p3.indexOf('cprt'), 'latin1')))).toBeNull();
    expect(compactProfile(changed((copy) => copy.writeInt32BE(70_000, tag('rXYZ') + 8)))).toBeNull();
    const curve = p3.indexOf('rTRC', 132, 'latin1');
    expect(compactProfile(changed((copy) => copy.writeUInt32BE(tag('rXYZ'), curve + 4)))).toBeNull();
    const linear = Array.from({ length: 256 }, (_, code) => code * 257);
    const table = Buffer.from(Uint16Array.from(linear, (value, code) => (code === 250 ? 0 : value)).buffer);
    const jump = Buffer.concat([p3, Buffer.from('curv\0\0\0\0\0\0\x01\0', 'latin1'), table.swap16()]);
    for (const name of ['rTRC', 'gTRC', 'bTRC'])
      jump.writeUInt32BE(p3.length, jump.indexOf(name, 132, 'latin1') + 4);
    expect(compactProfile(jump)).toBeNull();
  });

  it('returns a profile or null for any bytes', async () => {
    const p3 = await builtIn('p3');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(p3.length - 1), fc.nat(255))), fc.nat(p3.length), (edits, end) => {
        const copy = Buffer.from(p3);
        for (const [at, value] of edits) copy[at] = value;
        const made = compactProfile(copy.subarray(0, end));
        expect(made === null || made.length < 450).toBe(true);
      }),
    );
  });
});

/** A profile that libvips brings. */
async function builtIn(name: 'srgb' | 'p3' | 'cmyk'): Promise<Buffer> {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#123456' } });
  const { icc } = await sharp(await picture.withIccProfile(name).tiff().toBuffer()).metadata();
  if (!icc) throw new Error(`No profile in a picture with ${name}`);
  return icc;
}
