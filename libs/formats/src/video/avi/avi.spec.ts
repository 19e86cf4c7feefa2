import { CANARY, SampleVideos, scrub, scrubLosslessly, TAGS } from '../../../test/sample-video';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import { inspectAvi } from './avi';

let samples: SampleVideos;
beforeAll(() => {
  samples = new SampleVideos();
});
afterAll(() => samples.remove());

function chunk(id: string, content: string): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, Buffer.from(content, 'latin1'), Buffer.alloc(content.length % 2)]);
}

/** `file` with `extra` as the first child of the list of type `list`. */
function plant(file: Buffer, list: string, extra: Buffer): Buffer {
  const at = file.indexOf(list) + 4;
  const planted = Buffer.concat([file.subarray(0, at), extra, file.subarray(at)]);
  const parents = { 'AVI ': [], hdrl: ['AVI '], strl: ['AVI ', 'hdrl'], movi: ['AVI '] }[list] ?? [];
  for (const size of [...parents.map((parent) => file.indexOf(parent) - 4), at - 8]) {
    planted.writeUInt32LE(file.readUInt32LE(size) + extra.length, size);
  }
  return planted;
}

describe('inspectAvi', () => {
  it.each([
    ['-c:v', 'mpeg4', '-c:a', 'libmp3lame'],
    ['-c:v', 'mjpeg', '-c:a', 'pcm_s16le'],
    ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
  ])('keeps every sample of %s %s %s %s', async (...codecs) => {
    const { facts } = await scrubLosslessly(
      samples,
      inspectAvi,
      samples.make('avi', [...codecs, ...TAGS]),
      'avi',
    );
    expect(facts).toMatchObject({ mime: 'video/x-msvideo', ext: 'avi', width: 96, height: 64 });
    expect(facts.duration).toBeCloseTo(1, 0);
  });

  it('removes metadata from every place where cameras write it', async () => {
    const plain = samples.make('avi', ['-c:v', 'mjpeg', '-c:a', 'pcm_s16le']);
    let file = plant(plain, 'movi', Buffer.concat([chunk('JUNK', CANARY), chunk('gps0', CANARY)]));
    file = plant(file, 'hdrl', Buffer.concat([chunk('IDIT', CANARY), chunk('LIST', `INFOIART${CANARY}`)]));
    file = plant(file, 'AVI ', Buffer.concat([chunk('LIST', `exifecor${CANARY}`), chunk('JUNK', CANARY)]));
    file = Buffer.concat([file, chunk('RIFF', `NIKO${CANARY}`), Buffer.from(CANARY)]);
    await scrubLosslessly(samples, inspectAvi, file, 'avi', plain);
  });

  it('keeps the chunks after a chunk of odd length that has no padding byte', async () => {
    const plain = samples.make('avi', ['-c:v', 'mjpeg', '-c:a', 'pcm_s16le']);
    const odd = Buffer.concat(['gps0', 'JUNK'].map((id) => chunk(id, `${CANARY}!`).subarray(0, -1)));
    await scrubLosslessly(samples, inspectAvi, plant(plain, 'movi', odd), 'avi', plain);
  });

  it('blanks names and maker data of a stream', async () => {
    const plain = samples.make('avi', ['-c:v', 'mjpeg'], { sound: false });
    const afterHeader = plain.indexOf('strf');
    const extra = Buffer.concat([chunk('strn', CANARY), chunk('strd', `AVIF${CANARY}`)]);
    const file = Buffer.concat([plain.subarray(0, afterHeader), extra, plain.subarray(afterHeader)]);
    for (const list of ['AVI ', 'hdrl', 'strl']) {
      const size = file.indexOf(list) - 4;
      file.writeUInt32LE(file.readUInt32LE(size) + extra.length, size);
    }
    await scrubLosslessly(samples, inspectAvi, file, 'avi', plain);
  });

  it('blanks a stream that is neither sound nor picture', async () => {
    const file = samples.make('avi', ['-c:v', 'mjpeg', '-c:a', 'pcm_s16le']);
    file.write('txts', file.indexOf('auds'), 'latin1');
    const sample = file.indexOf('01wb', file.indexOf('movi')) + 8;
    file.write(CANARY, sample, 'latin1');
    const { bytes } = await scrub(inspectAvi, file);
    expect(bytes.includes(CANARY)).toBe(false);
    expect(bytes.subarray(sample, sample + 500).every((byte) => byte === 0)).toBe(true);
  });

  it('reads a recording without written sizes', async () => {
    const file = samples.make('avi', ['-c:v', 'mjpeg', '-c:a', 'pcm_s16le']);
    const short = Buffer.from(file.subarray(0, file.indexOf('idx1') - 1000));
    short.writeUInt32LE(0, 4);
    short.writeUInt32LE(0, short.indexOf('movi') - 4);
    const { bytes } = await scrub(inspectAvi, short);
    expect(samples.hashes(bytes, 'avi')).toEqual(samples.hashes(short, 'avi'));
  });

  it('refuses files with only sound, and invalid files', async () => {
    const sound = samples.run('avi', ['-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'pcm_s16le']);
    await expect(scrub(inspectAvi, sound)).rejects.toThrow(UnsupportedFormatError);
    const file = samples.make('avi', ['-c:v', 'mjpeg']);
    for (const broken of [file.subarray(0, 100), Buffer.alloc(0), Buffer.alloc(64)]) {
      await expect(scrub(inspectAvi, broken)).rejects.toThrow(UnreadableFileError);
    }
  });
});
