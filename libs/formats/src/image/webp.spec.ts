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

  it('updates flags and size', async () => {
    const scrubbed = Buffer.from((await scrub(inspectWebp, plain)).scrubbed);
    expect((plain[20] ?? 0) & XMP_FLAG).toBe(XMP_FLAG);
    expect((scrubbed[20] ?? 0) & (EXIF_FLAG | XMP_FLAG)).toBe(EXIF_FLAG);
    expect(scrubbed.readUInt32LE(4)).toBe(scrubbed.length - 8);
    expect(await sharp(scrubbed).metadata()).toMatchObject({ width: 8, height: 4, orientation: 8 });
  });

  it('refuses a truncated file', async () => {
    for (let length = 12; length < plain.length - 1; length += 11) {
      await expect(scrub(inspectWebp, plain.subarray(0, length))).rejects.toThrow(UnreadableFileError);
    }
  });

  describe('a file of frames with empty chunks', () => {
    const chunk = (type: string, ...data: readonly Uint8Array[]): Uint8Array => {
      const content = concatBytes(data);
      const size = Buffer.alloc(4);
      size.writeUInt32LE(content.length);
      return concatBytes([asciiBytes(type), size, content]);
    };
    const animation = (frames: number, chunks: number): Uint8Array => {
      const frame = chunk('ANMF', new Uint8Array(16), ...Array<Uint8Array>(chunks).fill(chunk('JUNK')));
      const header = chunk('VP8X', Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 0, 0));
      return chunk('RIFF', asciiBytes('WEBP'), header, ...Array<Uint8Array>(frames).fill(frame));
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
