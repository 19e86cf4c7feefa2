import sharp from 'sharp';
import { concatBytes } from '../bytes/arrays';
import { MemorySource } from '../bytes/memory-source';
import { asciiBytes } from '../bytes/text';
import { UnreadableFileError } from '../errors/file-errors';
import { noise } from '../testing/image-samples';
import { scrub } from '../testing/scrub';
import { inspectWebp } from './webp';

const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;

describe('inspectWebp', () => {
  let plain: Buffer;

  beforeAll(async () => {
    const raw = { width: 8, height: 4, channels: 3 as const };
    plain = await sharp(noise(8, 4, 3), { raw })
      .withExif({ IFD0: { Artist: 'Ann' } })
      .withMetadata({ orientation: 8 })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
      .webp()
      .toBuffer();
  });

  it('updates flags and size, and removes the orientation, which browsers ignore', async () => {
    const { facts, scrubbed: bytes } = await scrub(inspectWebp, plain);
    const scrubbed = Buffer.from(bytes);
    expect((plain[20] ?? 0) & XMP_FLAG).toBe(XMP_FLAG);
    expect((scrubbed[20] ?? 0) & (EXIF_FLAG | XMP_FLAG)).toBe(0);
    expect(scrubbed.readUInt32LE(4)).toBe(scrubbed.length - 8);
    expect((await sharp(scrubbed).metadata()).orientation).toBeUndefined();
    expect(facts).toMatchObject({ width: 8, height: 4 });
  });

  it('removes the profile of an animation, which browsers ignore, and keeps that of a still', async () => {
    const raw = { width: 8, height: 8, channels: 3 as const };
    const still = await sharp(noise(8, 8, 3), { raw })
      .withIccProfile('p3')
      .webp()
      .toBuffer();
    const frames = sharp(noise(8, 8, 3), { raw: { ...raw, pageHeight: 4 }, pages: -1 });
    const animation = await frames
      .withIccProfile('p3')
      .webp({ delay: [100, 100] })
      .toBuffer();
    for (const [file, stays] of [
      [still, true],
      [animation, false],
    ] as const) {
      expect(file.includes('ICCP')).toBe(true);
      expect(Buffer.from((await scrub(inspectWebp, file)).scrubbed).includes('ICCP')).toBe(stays);
    }
  });

  it('refuses a truncated file', async () => {
    for (let length = 12; length < plain.length - 1; length += 11) {
      await expect(scrub(inspectWebp, plain.subarray(0, length))).rejects.toThrow(UnreadableFileError);
    }
  });

  const chunk = (type: string, ...data: readonly Uint8Array[]): Uint8Array => {
    const content = concatBytes(data);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(content.length);
    return concatBytes([asciiBytes(type), size, content]);
  };
  const webp = (...chunks: readonly Uint8Array[]): Uint8Array => chunk('RIFF', asciiBytes('WEBP'), ...chunks);
  const header = (flags: number, width = 1, height = 1): Uint8Array =>
    chunk('VP8X', Uint8Array.of(flags, 0, 0, 0, width - 1, 0, 0, height - 1, 0, 0));
  /** A lossless picture of one pixel without data, which this reader doesn't look at. */
  const pixel = (mark = 0x10): Uint8Array => chunk('VP8L', Uint8Array.of(0x2f, 0, 0, 0, mark, 0));
  /** The flags of a frame are the last byte of its header. */
  const frame = (content: readonly Uint8Array[], { left = 0, width = 1, flags = 0 } = {}): Uint8Array =>
    chunk('ANMF', Uint8Array.of(left, 0, 0, 0, 0, 0, width - 1, 0, 0, 0, 0, 0, 9, 0, 0, flags), ...content);
  const control = chunk('ANIM', new Uint8Array(6));
  const scrubbed = async (bytes: Uint8Array): Promise<Uint8Array> =>
    (await scrub(inspectWebp, bytes)).scrubbed;

  it.each([
    [
      'a translucent frame',
      webp(header(2), control, frame([pixel()])),
      webp(header(0x12), control, frame([pixel()])),
    ],
    ['a translucent still', webp(header(0), pixel()), webp(header(0x10), pixel())],
    ['a lossless still that says it is opaque', webp(pixel(0)), webp(pixel())],
    ['a canvas of another size', webp(header(0x10, 9, 9), pixel()), webp(header(0x10), pixel())],
    ['reserved flags', webp(header(0xd0), pixel()), webp(header(0x10), pixel())],
    ['a second picture', webp(header(0x10), pixel(), pixel(0)), webp(header(0x10), pixel())],
    [
      'pictures beside frames',
      webp(header(0x12), pixel(), control, frame([pixel()]), pixel()),
      webp(header(0x12), control, frame([pixel()])),
    ],
    [
      'a second picture in a frame',
      webp(header(0x12), control, frame([pixel(), pixel(0)])),
      webp(header(0x12), control, frame([pixel()])),
    ],
    [
      'transparency of a lossless picture',
      webp(header(0x10), chunk('ALPH', Uint8Array.of(1, 0)), pixel()),
      webp(header(0x10), pixel()),
    ],
    [
      'reserved flags of a frame',
      webp(header(0x12), control, frame([pixel()], { flags: 0xfe })),
      webp(header(0x12), control, frame([pixel()], { flags: 2 })),
    ],
    [
      'trailing bytes',
      concatBytes([webp(header(0x10), pixel()), Uint8Array.of(1, 2)]),
      webp(header(0x10), pixel()),
    ],
  ])('writes %s again', async (_, bytes, expected) => {
    expect(Buffer.from(await scrubbed(bytes)).toString('latin1')).toBe(
      Buffer.from(expected).toString('latin1'),
    );
    expect((await scrub(inspectWebp, expected)).rewrite).toBeNull();
  });

  it.each([
    ['has no frames', webp(header(2), control), 'The WebP has no picture.'],
    ['has frames of a still', webp(header(0), frame([pixel()])), 'The WebP has no picture.'],
    ['has an animation without a header', webp(header(2), frame([pixel()])), 'has no header'],
    ['has a frame without a picture', webp(header(2), control, frame([])), 'has no picture'],
    [
      'has a frame of another size',
      webp(header(2, 9), control, frame([pixel()], { width: 2 })),
      'another size',
    ],
    [
      'has a frame outside of its canvas',
      webp(header(2), control, frame([pixel()], { left: 1 })),
      'WebP with frames outside of its canvas is not supported.',
    ],
    ['has an unknown version', webp(pixel(0x30)), 'invalid header'],
  ])('refuses a file that %s', async (_, bytes, message) => {
    await expect(scrub(inspectWebp, bytes)).rejects.toThrow(message);
  });

  describe('a file of frames with empty chunks', () => {
    const animation = (frames: number, chunks: number): Uint8Array => {
      const one = frame([...Array<Uint8Array>(chunks).fill(chunk('JUNK')), pixel()]);
      return webp(header(2), control, ...Array<Uint8Array>(frames).fill(one));
    };

    it('is refused if it has too many chunks in all', async () => {
      await expect(scrub(inspectWebp, animation(4, 30_000))).rejects.toThrow(UnreadableFileError);
    });

    it('is read with few reads', async () => {
      const memory = new MemorySource(animation(2, 30_000));
      const read = jest.spyOn(memory, 'read');
      await inspectWebp(memory);
      expect(read.mock.calls.length).toBeLessThan(20);
    });
  });
});
