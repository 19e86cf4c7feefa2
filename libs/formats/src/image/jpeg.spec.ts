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
const file = (...parts: Uint8Array[]): Uint8Array => concatBytes([SOI, ...parts, EOI]);

describe('inspectJpeg', () => {
  it('skips stuffed bytes, restarts and fill bytes within a scan', async () => {
    const bytes = file(frame(10), scan(1, 0xff, 0, 2, 0xff, 0xd0, 3, 0xff, 0xd7, 0xff, 0xff, 0, 4));
    expect((await scrub(inspectJpeg, bytes)).rewrite).toBeNull();
  });

  it('removes a comment between scans', async () => {
    const comment = Uint8Array.of(0xff, 0xfe, 0, 6, ...asciiBytes('here'));
    const { scrubbed } = await scrub(inspectJpeg, file(frame(10), scan(1), comment, scan(2)));
    expect(scrubbed).toEqual(file(frame(10), scan(1), scan(2)));
  });

  it('reads a missing height from the number of lines after the scan', async () => {
    const lines = Uint8Array.of(0xff, 0xdc, 0, 4, 0, 33);
    expect((await scrub(inspectJpeg, file(frame(0), scan(1), lines))).facts).toMatchObject({
      width: 24,
      height: 33,
    });
    await expect(scrub(inspectJpeg, file(frame(0), scan(1)))).rejects.toThrow(UnreadableFileError);
  });

  it.each([
    ['has no end', concatBytes([SOI, frame(10), scan(1, 2, 3)])],
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
