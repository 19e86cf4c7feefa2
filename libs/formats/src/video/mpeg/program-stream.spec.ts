import { CANARY, SampleVideos, scrub, scrubLosslessly } from '../../../test/sample-video';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import { inspectProgramStream } from './program-stream';

let samples: SampleVideos;
beforeAll(() => {
  samples = new SampleVideos();
});
afterAll(() => samples.remove());

function packet(id: number, content: string): Buffer {
  return Buffer.concat([Buffer.from([0, 0, 1, id, 0, content.length]), Buffer.from(content, 'latin1')]);
}

describe('inspectProgramStream', () => {
  it.each([
    ['mpeg', ['-c:v', 'mpeg1video', '-c:a', 'mp2'], 96],
    ['vob', ['-c:v', 'mpeg2video', '-c:a', 'ac3'], 96],
    ['vob', ['-vf', 'setdar=16/9', '-c:v', 'mpeg2video', '-c:a', 'mp2'], 114],
    ['vob', ['-c:v', 'libx264', '-c:a', 'mp2'], 96],
  ] as const)('%s: keeps every sample of %j, and removes other packets', async (format, codecs, width) => {
    const plain = samples.make('mpg', ['-r', '25', ...codecs, '-f', format]);
    const second = plain.indexOf(Buffer.from([0, 0, 1, 0xba]), 100);
    const file = Buffer.concat([
      plain.subarray(0, second), packet(0xbf, CANARY), packet(0xbe, `\x0f${CANARY}`), packet(0xf5, CANARY),
      packet(0xbd, `\x80\x00\x00\x20${CANARY}`), Buffer.from(CANARY), plain.subarray(second), Buffer.from(CANARY),
    ]); // prettier-ignore
    const { facts } = await scrubLosslessly(samples, inspectProgramStream, file, 'mpg', plain);
    expect(facts).toMatchObject({ mime: 'video/mpeg', ext: 'mpg', width, height: 64 });
    expect(facts.duration).toBeCloseTo(1, 0);
  });

  it('removes the descriptors from a stream map', async () => {
    const plain = samples.make('mpg', ['-c:v', 'libx264', '-f', 'vob'], { sound: false });
    const second = plain.indexOf(Buffer.from([0, 0, 1, 0xe0]));
    const text = [5, CANARY.length, ...Buffer.from(CANARY)];
    const body = [
      0xe0,
      0xff,
      0,
      text.length,
      ...text,
      0,
      4 + text.length,
      0x1b,
      0xe0,
      0,
      text.length,
      ...text,
      1,
      2,
      3,
      4,
    ];
    const map = Buffer.from([0, 0, 1, 0xbc, 0, body.length, ...body]);
    const file = Buffer.concat([plain.subarray(0, second), map, plain.subarray(second)]);
    await scrubLosslessly(samples, inspectProgramStream, file, 'mpg', plain);
  });

  it('refuses files with only sound, and invalid files', async () => {
    const sound = samples.run('mpg', ['-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'mp2', '-f', 'vob']);
    await expect(scrub(inspectProgramStream, sound)).rejects.toThrow(UnsupportedFormatError);
    const file = samples.make('mpg', ['-r', '25', '-f', 'vob']);
    for (const broken of [file.subarray(0, 40), Buffer.alloc(0), Buffer.alloc(2000)]) {
      await expect(scrub(inspectProgramStream, broken)).rejects.toThrow(UnreadableFileError);
    }
  });
});
