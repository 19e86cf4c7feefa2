import sharp from 'sharp';
import { UnreadableFileError } from '../media-format';
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

  it('makes flags and size say what is left', async () => {
    const scrubbed = Buffer.from((await scrub(inspectWebp, plain)).scrubbed);
    expect((plain[20] ?? 0) & XMP_FLAG).toBe(XMP_FLAG);
    expect((scrubbed[20] ?? 0) & (EXIF_FLAG | XMP_FLAG)).toBe(EXIF_FLAG);
    expect(scrubbed.readUInt32LE(4)).toBe(scrubbed.length - 8);
    expect(await sharp(scrubbed).metadata()).toMatchObject({ width: 8, height: 4, orientation: 8 });
  });

  it('refuses a file that is cut off', async () => {
    for (let length = 12; length < plain.length - 1; length += 11) {
      await expect(scrub(inspectWebp, plain.subarray(0, length))).rejects.toThrow(UnreadableFileError);
    }
  });
});
