import { CANARY, SampleVideos, scrub, scrubLosslessly, TAGS } from '../../../test/sample-video';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import { inspectAsf } from './asf-inspector';
import { GUID } from './asf-object';

let samples: SampleVideos;
beforeAll(() => {
  samples = new SampleVideos();
});
afterAll(() => samples.remove());

const COMMAND_MEDIA = 'c0cfda59e659d011a3ac00a0c90348f6';

function object(guid: string, content: Uint8Array | string): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(24 + content.length));
  return Buffer.concat([Buffer.from(guid, 'hex'), size, Buffer.from(content)]);
}

describe('inspectAsf', () => {
  it.each([
    [['-c:v', 'wmv2', '-c:a', 'wmav2'], 96],
    [['-vf', 'setsar=2/1', '-c:v', 'msmpeg4', '-c:a', 'libmp3lame'], 192],
  ] as const)('keeps every sample of %j', async (codecs, width) => {
    const { facts } = await scrubLosslessly(
      samples,
      inspectAsf,
      samples.make('wmv', [...codecs, ...TAGS]),
      'wmv',
    );
    expect(facts).toMatchObject({ mime: 'video/x-ms-wmv', ext: 'wmv', width, height: 64 });
    expect(facts.duration).toBeCloseTo(1, 0);
  });

  it('removes metadata from unknown objects, padding and after the end', async () => {
    const plain = samples.make('wmv', ['-c:v', 'wmv2', '-c:a', 'wmav2']);
    const extra = Buffer.concat([
      object('301afb1e620bd011a39b00a0c90348f6', `script ${CANARY}`),
      object(GUID.padding, CANARY),
      object('00112233445566778899aabbccddeeff', CANARY),
    ]);
    const end = Number(plain.readBigUInt64LE(16));
    const file = Buffer.concat([
      plain.subarray(0, end), extra, plain.subarray(end),
      object('be7acfcb97a942e89c71999491e3afac', `XMP ${CANARY}`), Buffer.from(CANARY),
    ]); // prettier-ignore
    file.writeBigUInt64LE(BigInt(end + extra.length), 16);
    file.writeUInt32LE(file.readUInt32LE(24) + 3, 24);
    await scrubLosslessly(samples, inspectAsf, file, 'wmv', plain);
  });

  it('zeroes the payloads of a stream that is neither sound nor picture', async () => {
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=96x64:rate=10:duration=1'];
    const sound = ['-f', 's16le', '-ar', '8000', '-i', '@sound.pcm'];
    const file = samples.run('wmv', [...picture, ...sound, '-c:v', 'wmv2', '-c:a', 'pcm_s16le'], {
      'sound.pcm': Buffer.from(CANARY.repeat(2000)),
    });
    file.write(COMMAND_MEDIA, file.indexOf(Buffer.from(GUID.audioMedia, 'hex')), 'hex');
    const { bytes } = await scrubLosslessly(samples, inspectAsf, file, 'wmv');
    expect(bytes.includes(Buffer.from(COMMAND_MEDIA, 'hex'))).toBe(false);
  });

  it('refuses files with only sound, and invalid files', async () => {
    const sound = samples.run('wma', ['-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'wmav2', '-f', 'asf']);
    await expect(scrub(inspectAsf, sound)).rejects.toThrow(UnsupportedFormatError);
    const file = samples.make('wmv', ['-c:v', 'wmv2']);
    for (const broken of [file.subarray(0, 100), Buffer.alloc(0), Buffer.alloc(2000)]) {
      await expect(scrub(inspectAsf, broken)).rejects.toThrow(UnreadableFileError);
    }
  });
});
