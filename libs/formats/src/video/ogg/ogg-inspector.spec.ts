import { CANARY, SampleVideos, scrub, scrubLosslessly, storedSample, TAGS } from '../../../test/sample-video';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import { inspectOgg } from './ogg-inspector';

let samples: SampleVideos;
beforeAll(() => {
  samples = new SampleVideos();
});
afterAll(() => samples.remove());

/** A page of a separate stream, with a wrong checksum, which ffmpeg ignores. */
function page(type: number, text: string): Buffer {
  const head = Buffer.alloc(28);
  head.write('OggS');
  head[5] = type;
  head.writeUInt32LE(0xabcdef, 14);
  head[26] = 1;
  head[27] = text.length;
  return Buffer.concat([head, Buffer.from(text, 'latin1')]);
}

describe('inspectOgg', () => {
  it.each([
    [['-c:v', 'libtheora', '-c:a', 'libvorbis'], 96, 64],
    [['-c:v', 'libtheora', '-c:a', 'flac'], 96, 64],
    ['theora-speex.ogv', 96, 64],
    [
      ['-vf', 'setsar=1/2', '-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus', '-f', 'ogg'],
      96,
      128,
    ],
  ] as const)('keeps every sample of %j', async (codecs, width, height) => {
    const original =
      typeof codecs === 'string' ? storedSample(codecs) : samples.make('ogv', [...codecs, ...TAGS]);
    const { facts } = await scrubLosslessly(samples, inspectOgg, original, 'ogv');
    expect(facts).toMatchObject({ mime: 'video/ogg', ext: 'ogv', width, height });
    expect(facts.duration).toBeCloseTo(1, 0);
  });

  it('empties comments that span many pages', async () => {
    const cover = ['-metadata:s:a', `METADATA_BLOCK_PICTURE=${CANARY.repeat(20_000)}`];
    const original = samples.make('ogv', ['-c:v', 'libtheora', '-c:a', 'libvorbis', ...cover]);
    await scrubLosslessly(samples, inspectOgg, original, 'ogv');
  });

  it('removes other streams and bytes between pages', async () => {
    const plain = samples.make('ogv', ['-c:v', 'libtheora', '-c:a', 'libvorbis']);
    const second = plain.indexOf('OggS', 4);
    const file = Buffer.concat([
      plain.subarray(0, second), page(2, `\x80kate${CANARY}`), plain.subarray(second), page(0, CANARY), Buffer.from(CANARY),
    ]); // prettier-ignore
    await scrubLosslessly(samples, inspectOgg, file, 'ogv', plain);
  });

  it('refuses files with only sound, and invalid files', async () => {
    const sound = samples.run('oga', ['-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'libvorbis']);
    await expect(scrub(inspectOgg, sound)).rejects.toThrow(UnsupportedFormatError);
    const file = samples.make('ogv', ['-c:v', 'libtheora']);
    for (const broken of [file.subarray(0, 200), Buffer.alloc(0), Buffer.alloc(2000)]) {
      await expect(scrub(inspectOgg, broken)).rejects.toThrow(UnreadableFileError);
    }
  });
});
