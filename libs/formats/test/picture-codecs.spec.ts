import { describeWithFfmpeg } from '@vitrine/testing';
import { MemorySource } from '../src/bytes/memory-source';
import { UnsupportedVariantError } from '../src/errors/file-errors';
import { inspect } from '../src/inspection/inspect';
import { scrub } from '../src/testing/scrub';
import { CANARY, SampleVideos } from './sample-video';

let videos: SampleVideos;
beforeAll(() => {
  videos = new SampleVideos();
});
afterAll(() => videos.remove());

const made = new Map<string, Buffer>();

/** A copy of a short video. */
function make(extension: string, codec: string): Buffer {
  const key = `${extension} ${codec}`;
  const args = ['-strict', '-2', '-c:v', ...codec.split(' ')];
  const known = made.get(key) ?? videos.make(extension, args, { sound: false, seconds: 0.2 });
  made.set(key, known);
  return Buffer.from(known);
}

const scrubbed = async (bytes: Buffer): Promise<Buffer> =>
  Buffer.from((await scrub(inspect, bytes)).scrubbed);

/** The file with another code of the same length in every place of the first one. */
function renamed(bytes: Buffer, from: string, to: string): Buffer {
  const copy = Buffer.from(bytes);
  expect(copy.includes(from)).toBe(true);
  for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at + 4)) copy.write(to, at, 'latin1');
  return copy;
}

async function expectRefused(bytes: Buffer, name: string): Promise<void> {
  await expect(inspect(new MemorySource(bytes))).rejects.toThrow(
    new UnsupportedVariantError(`Videos with ${name} frames are not supported.`),
  );
}

describe('a video whose frames can hold texts', () => {
  // Promise [formats]: A video is accepted only in codecs whose frames hold no metadata, or are scrubbed.
  it.each([
    ['mov', 'png', 'PNG'],
    ['avi', 'png', 'PNG'],
    ['mkv', 'png', 'PNG'],
    ['mov', 'tiff', 'TIFF'],
    ['mov', 'gif -pix_fmt rgb8', 'GIF'],
    ['mov', 'jpeg2000', 'JPEG 2000'],
    ['avi', 'jpeg2000', 'JPEG 2000'],
    ['mkv', 'jpeg2000', 'JPEG 2000'],
    ['mov', 'targa', 'TGA'],
    ['mkv', 'dpx', 'DPX'],
    ['avi', 'ljpeg -pix_fmt yuvj420p', 'lossless or unusual JPEG'],
    ['avi', 'magicyuv -pix_fmt gbrp', 'M8RG'],
    // Its packets cut frames, so those that can hold texts are not scrubbed.
    ['wmv', 'mjpeg', 'MJPG'],
  ])('is refused by name in %s: %s', async (extension, codec, name) => {
    await expectRefused(make(extension, codec), name);
  });

  it.each(['EXR ', 'ACDV', 'AVI1', 'IJLV', 'JPGL', 'MMJP', 'MTSJ', 'MVJP', 'QIVG', 'SLMJ', 'ZJPG'])(
    'is refused by name in AVI and QuickTime: JPEGs as %s',
    async (code) => {
      const name = code === 'EXR ' ? 'OpenEXR' : code;
      await expectRefused(renamed(make('avi', 'mjpeg'), 'MJPG', code), name);
      await expectRefused(renamed(make('mov', 'mjpeg'), 'jpeg', code), name);
    },
  );

  it('is refused by name in Matroska: a codec that it does not know, and one of QuickTime', async () => {
    await expectRefused(renamed(make('mkv', 'mjpeg'), 'V_MJPEG', 'V_OTHER'), 'OTHER');
    await expectRefused(renamed(make('mkv', 'qtrle'), 'rle ', 'png '), 'PNG');
  });

  it('is refused in Matroska if a block holds several of its frames', async () => {
    const file = make('mkv', 'mjpeg');
    // Track 1, at the start of its cluster, with the flag of a key frame.
    const block = file.indexOf(Buffer.of(0x81, 0, 0, 0x80));
    expect(block).toBeGreaterThan(0);
    file.writeUInt8(0x82, block + 3);
    await expect(inspect(new MemorySource(file))).rejects.toThrow(
      new UnsupportedVariantError('Matroska with several frames in one block is not supported.'),
    );
  });

  it('is refused by name in Flash: JPEGs', async () => {
    const file = make('flv', 'flv');
    // The first tag of pictures: Sorenson's H.263 is 2, in the lower half of a byte behind the header of 11 bytes.
    const tag = 13 + 4 + 11 + file.readUIntBE(14, 3);
    expect([file[tag], (file[tag + 11] ?? 0) & 15]).toEqual([9, 2]);
    file.writeUInt8(0x11, tag + 11);
    await expectRefused(file, 'JPEG');
  });

  it('is refused if its codec changes', async () => {
    // A second description, of the same length, in place of a free box.
    const file = make('mov', 'mjpeg');
    const stsd = file.indexOf('stsd') - 4;
    const entry = stsd + 16;
    const size = file.readUInt32BE(entry);
    const head = file.subarray(0, entry);
    expect(size).toBe(file.readUInt32BE(stsd) - 16);
    const half = Buffer.from(file.subarray(entry, entry + size));
    half.writeUInt32BE(86, 0);
    half.writeUInt32BE(size - 86, 86);
    half.write('png ', 90, 'latin1');
    await expectRefused(Buffer.concat([head, half, file.subarray(entry + size)]), 'PNG');
  });
});

describe('a video under an unusual code', () => {
  it.each([
    ['avi', 'rawvideo -pix_fmt rgb24'],
    ['mov', 'rawvideo -pix_fmt rgba'],
    ['mov', 'mpeg1video -r 25'],
    ['mov', 'msmpeg4'],
    ['mkv', 'qtrle'],
    ['avi', 'v210'],
  ])('is accepted in %s: %s', async (extension, codec) => {
    expect((await inspect(new MemorySource(make(extension, codec)))).facts.kind).toBe('video');
  });
});

describeWithFfmpeg('a video in DV', () => {
  const NOTE = CANARY.slice(0, 4);

  /** Writes packs of the date and the time, and bytes behind the fields, into every frame. */
  function withNotes(file: Buffer): Buffer {
    const frame = Buffer.of(0x1f, 0x07, 0x00);
    let frames = 0;
    for (let at = file.indexOf(frame); at >= 0; at = file.indexOf(frame, at + 80)) {
      // Header, subcode, pictures' and sound's packs.
      file.write(NOTE, at + 40, 'latin1');
      file.write(`\x62${NOTE}`, at + 80 + 6, 'latin1');
      file.write(`\x63${NOTE}`, at + 3 * 80 + 3, 'latin1');
      file.write(`\x52${NOTE}`, at + 6 * 80 + 3, 'latin1');
      frames++;
    }
    expect(frames).toBeGreaterThan(0);
    return file;
  }

  // Promise [formats]: The frames of a video lose their dates and times, and no picture.
  it.each(['avi', 'mov', 'mkv'])(
    'loses the dates and times of its frames, and no picture, in %s',
    async (extension) => {
      const args = '-s 720x576 -r 25 -pix_fmt yuv420p -frames:v 2 -c:v dvvideo'.split(' ');
      const file = withNotes(videos.make(extension, args, { sound: false, seconds: 0.2 }));
      expect(file.includes(NOTE)).toBe(true);
      const clean = await scrubbed(file);
      expect(clean.includes(NOTE)).toBe(false);
      expect(videos.hashes(clean, extension).decoded).toBe(videos.hashes(file, extension).decoded);
      expect((await scrubbed(clean)).equals(clean)).toBe(true);
    },
  );
});

describe('a video in AV1', () => {
  const encode = (extension: string): Buffer =>
    videos.make(extension, '-c:v libsvtav1 -preset 12 -svtav1-params keyint=1'.split(' '), {
      sound: false,
      seconds: 0.2,
      size: '128x96',
    });
  const RESERVED = 9;

  it.each(['mp4', 'mkv'])('loses units that hold no picture, and no picture, in %s', async (extension) => {
    const plain = encode(extension);
    expect(videos.hashes(await scrubbed(plain), extension).decoded).toBe(
      videos.hashes(plain, extension).decoded,
    );
    // The header of the sequence is in the configuration, and before each frame. Here the last one becomes another unit.
    const mp4 = encode('mp4');
    const header = mp4.subarray(mp4.indexOf('av1C') + 8);
    const size = 2 + (header[1] ?? 0);
    const at = plain.lastIndexOf(header.subarray(0, 6));
    expect(at).toBeGreaterThan(plain.indexOf(header.subarray(0, 6)));
    plain.writeUInt8((RESERVED << 3) | 2, at);
    const unit = (await scrubbed(plain)).subarray(at, at + size);
    expect(unit).toEqual(Buffer.concat([Buffer.of(0x7a, size - 2), Buffer.alloc(size - 2)]));
  });
});
