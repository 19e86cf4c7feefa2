import { CANARY, SampleVideos, scrub, scrubLosslessly, TAGS } from '../../../test/sample-video';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import { inspectFlv } from './flv';

let samples: SampleVideos;
beforeAll(() => {
  samples = new SampleVideos();
});
afterAll(() => samples.remove());

function tag(kind: number, data: string): Buffer {
  const head = Buffer.alloc(11);
  head.writeUInt32BE(((kind << 24) | data.length) >>> 0);
  const back = Buffer.alloc(4);
  back.writeUInt32BE(data.length + 11);
  return Buffer.concat([head, Buffer.from(data, 'latin1'), back]);
}

describe('inspectFlv', () => {
  it.each([
    ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-ar', '44100'],
    ['-c:v', 'flv', '-c:a', 'libmp3lame'],
    ['-c:v', 'flashsv', '-an', '-map', '0:v'],
  ])('keeps every sample of %s %s %s %s', async (...codecs) => {
    const original = samples.make('flv', [...codecs, ...TAGS]);
    const { facts, bytes } = await scrubLosslessly(samples, inspectFlv, original, 'flv');
    expect(facts).toMatchObject({ mime: 'video/x-flv', ext: 'flv', width: 96, height: 64 });
    expect(facts.duration).toBeCloseTo(1, 0);
    expect(bytes.includes('onMetaData')).toBe(true);
  });

  it('removes script tags, unknown tags, and bytes after the last tag', async () => {
    const plain = samples.make('flv', ['-c:v', 'flv', '-c:a', 'libmp3lame']);
    const metadata = 13 + 11 + plain.readUIntBE(14, 3) + 4;
    const file = Buffer.concat([
      plain.subarray(0, metadata), tag(18, `\x02\0\x06onCuep${CANARY}`), tag(15, CANARY), plain.subarray(metadata),
      tag(18, CANARY), Buffer.from(`\xff${CANARY}`, 'latin1'),
    ]); // prettier-ignore
    await scrubLosslessly(samples, inspectFlv, file, 'flv', plain);
  });

  it('refuses files with only sound, and invalid files', async () => {
    const sound = samples.run('flv', [
      '-f',
      'lavfi',
      '-i',
      'sine=duration=1:sample_rate=44100',
      '-c:a',
      'libmp3lame',
    ]);
    await expect(scrub(inspectFlv, sound)).rejects.toThrow(UnsupportedFormatError);
    for (const broken of [Buffer.from('FLV\x01\x05\0\0\0\x09\0\0\0\0'), Buffer.alloc(0), Buffer.alloc(64)]) {
      await expect(scrub(inspectFlv, broken)).rejects.toThrow(UnreadableFileError);
    }
  });
});
