import sharp from 'sharp';
import { concatBytes } from '../bytes/arrays';
import { asciiBytes } from '../bytes/text';
import { UnreadableFileError } from '../errors/file-errors';
import { noise } from '../testing/image-samples';
import { scrub } from '../testing/scrub';
import { inspectJpeg } from './jpeg';

const SOI = Uint8Array.of(0xff, 0xd8);
const EOI = Uint8Array.of(0xff, 0xd9);
const frame = (height: number): Uint8Array =>
  Uint8Array.of(0xff, 0xc0, 0, 11, 8, 0, height, 0, 24, 1, 1, 0x11, 0);
const scan = (...data: number[]): Uint8Array => Uint8Array.of(0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, ...data);
const segment = (marker: number, ...content: number[]): Uint8Array =>
  Uint8Array.of(0xff, marker, 0, content.length + 2, ...content);
/** A table of quantisation, and tables of codes of one value each. */
const TABLES = concatBytes([
  segment(0xdb, 0, ...Array<number>(64).fill(1)),
  ...[0, 0x10].map((id) => segment(0xc4, id, 1, ...Array<number>(15).fill(0), 0)),
]);
const file = (...parts: Uint8Array[]): Uint8Array => concatBytes([SOI, TABLES, ...parts, EOI]);

describe('inspectJpeg', () => {
  describe('without an end marker', () => {
    const pictures = {
      baseline: { quality: 90 },
      'with smaller colours': { quality: 90, chromaSubsampling: '4:2:0' },
      progressive: { quality: 90, progressive: true },
      'progressive with smaller colours': { quality: 75, progressive: true, chromaSubsampling: '4:2:0' },
      'with own tables of codes': { quality: 40, optimiseCoding: true },
    } satisfies Record<string, sharp.JpegOptions>;
    const make = (options: sharp.JpegOptions): Promise<Buffer> =>
      sharp(noise(75, 53, 3), { raw: { width: 75, height: 53, channels: 3 } })
        .jpeg(options)
        .toBuffer();

    // Promise [formats]: A complete JPEG without its end marker gets one.
    it.each(Object.entries(pictures))('gets one if the picture is complete: %s', async (_, options) => {
      const whole = await make(options);
      for (const end of [-2, -1])
        expect(Buffer.from((await scrub(inspectJpeg, whole.subarray(0, end))).scrubbed)).toEqual(whole);
    });

    it.each(Object.entries(pictures))('is refused if the picture is not complete: %s', async (_, options) => {
      const whole = await make(options);
      for (const end of [-5, -6, -40, -600])
        await expect(scrub(inspectJpeg, whole.subarray(0, end))).rejects.toThrow(UnreadableFileError);
    });

    it('is refused if other bytes follow the picture', async () => {
      const whole = await make({});
      const more = concatBytes([whole.subarray(0, -2), new Uint8Array(10)]);
      await expect(scrub(inspectJpeg, more)).rejects.toThrow(UnreadableFileError);
    });

    it('is refused if it lacks its last scan', async () => {
      const whole = await make({ progressive: true });
      const lastScan = whole.lastIndexOf(Buffer.from([0xff, 0xda]));
      const before = whole.subarray(0, lastScan);
      // The tables of the last scan come before it.
      const end = before.lastIndexOf(Buffer.from([0xff, 0xc4]));
      await expect(scrub(inspectJpeg, whole.subarray(0, end))).rejects.toThrow(UnreadableFileError);
    });

    it('gets one if its scans have restart markers', async () => {
      // A grey picture of two blocks: each is the code 0 for no difference, and the code 0 for the end of the block.
      const dri = segment(0xdd, 0, 1);
      const one = Uint8Array.of(0xff, 0xc0, 0, 11, 8, 0, 8, 0, 16, 1, 1, 0x11, 0);
      const [whole, cut] = [
        [0x3f, 0xff, 0xd0, 0x3f],
        [0x3f, 0xff, 0xd0],
      ].map((data) => concatBytes([SOI, TABLES, dri, one, scan(...data)]));
      expect((await scrub(inspectJpeg, whole ?? SOI)).scrubbed).toEqual(concatBytes([whole ?? SOI, EOI]));
      await expect(scrub(inspectJpeg, cut ?? SOI)).rejects.toThrow(UnreadableFileError);
    });
  });

  const frameOf = (marker: number, depth: number, height: number, ...components: number[]): Uint8Array =>
    Uint8Array.of(
      ...[
        0xff,
        marker,
        0,
        8 + components.length,
        depth,
        0,
        height,
        0,
        24,
        components.length / 3,
        ...components,
      ],
    );
  const GREY = [1, 0x11, 0];
  it.each([
    ['Lossless JPEG', frameOf(0xc3, 8, 10, ...GREY)],
    ['JPEG-LS', frameOf(0xf7, 8, 10, ...GREY)],
    ['Hierarchical JPEG', frameOf(0xc5, 8, 10, ...GREY)],
    ['JPEG with arithmetic coding', frameOf(0xc9, 8, 10, ...GREY)],
    ['JPEG with 12 bits in each channel', frameOf(0xc1, 12, 10, ...GREY)],
    ['JPEG with 2 channels', frameOf(0xc0, 8, 10, ...GREY, 2, 0x11, 0)],
    ['JPEG whose height follows its pixels', frameOf(0xc0, 8, 0, ...GREY)],
    ['JPEG with an unusual sampling of its channels', frameOf(0xc0, 8, 10, ...GREY, 2, 0x21, 0, 3, 0x31, 0)],
  ])('refuses by name: %s', async (name, bytes) => {
    await expect(scrub(inspectJpeg, file(bytes, scan(1)))).rejects.toThrow(`${name} is not supported.`);
  });

  it.each([
    ['a scan twice', [frame(10), scan(1), scan(1)], 'repeated or missing scans'],
    [
      'a part of the coefficients',
      [frame(10), Uint8Array.of(0xff, 0xda, 0, 8, 1, 1, 0, 0, 62, 0, 1)],
      'invalid scan',
    ],
    [
      'a new table after its first use',
      [
        Uint8Array.of(0xff, 0xc2, 0, 11, 8, 0, 10, 0, 24, 1, 1, 0x11, 0),
        Uint8Array.of(0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0, 1),
        segment(0xdb, 0, ...Array<number>(64).fill(2)),
      ],
      'changes its quantisation',
    ],
  ])('refuses %s', async (_, parts, message) => {
    await expect(scrub(inspectJpeg, file(...parts))).rejects.toThrow(message);
  });

  it('refuses a picture without its tables', async () => {
    for (const bytes of [
      concatBytes([SOI, frame(10), scan(1), EOI]),
      file(frame(10), Uint8Array.of(0xff, 0xda, 0, 8, 1, 1, 0x11, 0, 63, 0, 1)),
    ])
      await expect(scrub(inspectJpeg, bytes)).rejects.toThrow('A table of the JPEG is missing.');
  });

  describe('writes Adobe’s segment as all programs read it', () => {
    const adobe = (transform: number): Uint8Array =>
      segment(0xee, ...asciiBytes('Adobe'), 0, 100, 0, 0, 0, 0, transform);
    const JFIF = segment(0xe0, ...asciiBytes('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0);
    const colours = (...ids: number[]): Uint8Array =>
      frameOf(0xc0, 8, 10, ...ids.flatMap((id) => [id, 0x11, 0]));
    const scans = (...ids: number[]): Uint8Array =>
      Uint8Array.of(
        ...[0xff, 0xda, 0, 6 + ids.length * 2, ids.length, ...ids.flatMap((id) => [id, 0]), 0, 63, 0, 1],
      );
    const of = (head: readonly Uint8Array[], ...ids: number[]): Uint8Array =>
      concatBytes([SOI, ...head, TABLES, colours(...ids), scans(...ids), EOI]);
    const RGB = [0x52, 0x47, 0x42];
    it.each([
      ['inks without it', of([], 1, 2, 3, 4), of([adobe(0)], 1, 2, 3, 4)],
      ['inks with an unknown one', of([adobe(1)], 1, 2, 3, 4), of([adobe(2)], 1, 2, 3, 4)],
      ['colours with an unknown one', of([adobe(7)], 1, 2, 3), of([adobe(1)], 1, 2, 3)],
      ['one that contradicts JFIF', of([JFIF, adobe(0)], 1, 2, 3), of([JFIF], 1, 2, 3)],
      ['components named RGB', of([], ...RGB), of([adobe(0)], ...RGB)],
      ['two', of([adobe(1), adobe(0)], 1, 2, 3), of([adobe(0)], 1, 2, 3)],
    ])('%s', async (_, bytes, expected) => {
      expect((await scrub(inspectJpeg, bytes)).scrubbed).toEqual(expected);
      expect((await scrub(inspectJpeg, expected)).rewrite).toBeNull();
    });
  });

  it('skips stuffed bytes, restarts and fill bytes within a scan', async () => {
    const bytes = file(frame(10), scan(1, 0xff, 0, 2, 0xff, 0xd0, 3, 0xff, 0xd7, 0xff, 0xff, 0, 4));
    expect((await scrub(inspectJpeg, bytes)).rewrite).toBeNull();
  });

  it('removes a comment between scans', async () => {
    const comment = Uint8Array.of(0xff, 0xfe, 0, 6, ...asciiBytes('here'));
    const two = Uint8Array.of(0xff, 0xc2, 0, 11, 8, 0, 10, 0, 24, 1, 1, 0x11, 0);
    const step = (from: number, to: number): Uint8Array =>
      Uint8Array.of(0xff, 0xda, 0, 8, 1, 1, 0, from, to, 0, 1);
    const { scrubbed } = await scrub(inspectJpeg, file(two, step(0, 0), comment, step(1, 63)));
    expect(scrubbed).toEqual(file(two, step(0, 0), step(1, 63)));
  });

  // Promise [formats]: A truncated JPEG is refused.
  it.each([
    ['ends within a segment', concatBytes([SOI, frame(10).subarray(0, 8)])],
    ['has no frame', file(scan(1))],
    ['has no scan', file(frame(10))],
    ['has two frames', file(frame(10), frame(10), scan(1))],
    ['has a segment without length', file(Uint8Array.of(0xff, 0xfe, 0, 1))],
    ['is two in one', file(SOI, frame(10), scan(1))],
  ])('refuses a file that %s', async (_, bytes) => {
    await expect(scrub(inspectJpeg, bytes)).rejects.toThrow(UnreadableFileError);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('removes all EXIF except orientation %d', async (orientation) => {
    const raw = { width: 24, height: 10, channels: 3 as const };
    const bytes = await sharp(noise(24, 10, 3), { raw })
      .withExif({ IFD0: { Model: 'Camera' } })
      .withMetadata({ orientation })
      .jpeg()
      .toBuffer();
    const { facts, scrubbed } = await scrub(inspectJpeg, bytes);
    const [width, height] = orientation >= 5 ? [10, 24] : [24, 10];
    expect(facts).toMatchObject({ width, height });
    expect((await sharp(scrubbed).metadata()).orientation ?? 1).toBe(orientation);
    expect(Buffer.from(scrubbed).includes('Camera')).toBe(false);
  });

  it.each([
    ['BYTE', 1, [6, 0, 0, 0]],
    ['SBYTE', 6, [6, 0, 0, 0]],
    ['SSHORT', 8, [0, 6, 0, 0]],
    ['LONG', 4, [0, 0, 0, 6]],
    ['SLONG', 9, [0, 0, 0, 6]],
  ])('reads an orientation of type %s', async (_, type, value) => {
    const exif = [...asciiBytes('Exif\0\0MM\0*'), 0, 0, 0, 8, 0, 1, 1, 18, 0, type, 0, 0, 0, 1, ...value];
    const bytes = file(Uint8Array.of(0xff, 0xe1, 0, exif.length + 2, ...exif), frame(10), scan(1));
    const { facts, scrubbed } = await scrub(inspectJpeg, bytes);
    expect(facts).toMatchObject({ width: 10, height: 24 });
    expect((await scrub(inspectJpeg, scrubbed)).facts).toMatchObject({ width: 10, height: 24 });
    expect((await sharp(scrubbed).metadata()).orientation).toBe(6);
  });
});
