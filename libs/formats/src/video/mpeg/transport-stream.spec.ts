import { CANARY, SampleVideos, scrub, scrubLosslessly } from '../../../test/sample-video';
import { crc32Msb } from '../../bytes/numbers';
import {
  UnreadableFileError,
  UnsupportedFormatError,
  UnsupportedVariantError,
} from '../../errors/file-errors';
import { inspectTransportStream } from './transport-stream';

const TAGS = ['-metadata', `service_name=${CANARY}`, '-metadata', `service_provider=${CANARY}`];

let samples: SampleVideos;
beforeAll(() => {
  samples = new SampleVideos();
});
afterAll(() => samples.remove());

const PACKET = 188;

/** A packet of the first video PID without a payload, with private data in its adaptation field. */
function privatePacket(pid: number, text: string): Buffer {
  const packet = Buffer.alloc(PACKET, 0xff);
  packet.set([0x47, pid >> 8, pid & 0xff, 0x20, PACKET - 5, 0x02, text.length]);
  packet.write(text, 7, 'latin1');
  return packet;
}

describe('inspectTransportStream', () => {
  it.each([
    [['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'], 96],
    [['-c:v', 'libx265', '-x265-params', 'log-level=none', '-c:a', 'ac3'], 96],
    [['-vf', 'setdar=16/9', '-c:v', 'mpeg2video', '-c:a', 'mp2', '-mpegts_m2ts_mode', '1'], 114],
    [['-c:v', 'mpeg4', '-ar', '48000', '-c:a', 'libopus'], 96],
    [['-c:v', 'mpeg4', '-c:a', 'dca', '-strict', '-2'], 96],
    // Sound as private data: the tables give only its language, and only its packets show what it is.
    [['-c:v', 'libx264', '-c:a', 'aac', '-metadata:s:a', 'language=deu', '-mpegts_m2ts_mode', '1'], 96],
  ] as const)('keeps every sample of %j', async (codecs, width) => {
    const original = samples.make('ts', [...codecs, ...TAGS]);
    const { facts, bytes } = await scrubLosslessly(samples, inspectTransportStream, original, 'ts');
    expect(facts).toMatchObject({ mime: 'video/mp2t', ext: 'ts', width, height: 64 });
    expect(facts.duration).toBeCloseTo(1, 0);
    expect(bytes.length).toBe(original.length);
  });

  it.each([
    ['188', 100, []],
    ['192', 91, ['-mpegts_m2ts_mode', '1']],
  ])('reads packets of %s bytes from the first whole one on', async (_, missing, options) => {
    const whole = samples.make('ts', ['-c:v', 'libx264', '-c:a', 'mp2', ...options]);
    // The first packets are tables, which are repeated.
    const original = Buffer.concat([Buffer.alloc(missing, 0x47), Buffer.from(`stray ${CANARY}`), whole]);
    await scrubLosslessly(samples, inspectTransportStream, original, 'ts', whole);
  });

  it('refuses pictures in JPEG 2000 by name, which can hold texts', async () => {
    const file = samples.make('ts', ['-c:v', 'libx264', '-preset', 'ultrafast'], { sound: false });
    for (let packet = 0; packet < file.length; packet += PACKET) {
      if ((file.readUInt16BE(packet + 1) & 0x1fff) !== 0x1000) continue;
      // The program map, behind a pointer; its first stream follows 12 bytes.
      const map = file.subarray(packet + 5, packet + 5 + 3 + (file.readUInt16BE(packet + 6) & 0xfff));
      expect(map[12]).toBe(0x1b);
      map[12] = 0x21;
      map.writeUInt32BE(crc32Msb(map.subarray(0, -4)), map.length - 4);
    }
    await expect(scrub(inspectTransportStream, file)).rejects.toThrow(
      new UnsupportedVariantError('Videos with JPEG 2000 frames are not supported.'),
    );
  });

  it('removes streams of data, and their entries in the tables', async () => {
    const original = samples.run(
      'ts',
      ['-f', 'lavfi', '-i', 'testsrc2=size=96x64:rate=10:duration=1', '-f', 'data', '-i', '@klv.bin', '-map', '0', '-map', '1',
       '-c:v', 'libx264', '-c:d', 'copy'], // prettier-ignore
      { 'klv.bin': Buffer.from(`${CANARY} 48.8577 2.2950 `.repeat(50)) },
    );
    const { bytes } = await scrubLosslessly(samples, inspectTransportStream, original, 'ts');
    const pids = new Set<number>();
    for (let at = 0; at < bytes.length; at += PACKET) pids.add(bytes.readUInt16BE(at + 1) & 0x1fff);
    expect([...pids].sort((a, b) => a - b)).toEqual([0, 0x11, 0x100, 0x1000, 0x1fff]);
  });

  it('removes metadata from adaptation fields, null packets, unknown packets and between packets', async () => {
    const plain = samples.make('ts', ['-c:v', 'libx264', '-c:a', 'mp2']);
    const nullPacket = Buffer.alloc(PACKET, 0xff);
    nullPacket.set([0x47, 0x1f, 0xff, 0x10]);
    nullPacket.write(CANARY, 20, 'latin1');
    const unknown = Buffer.from(nullPacket);
    unknown.set([0x47, 0x05, 0x55, 0x10]);
    const at = PACKET * 20;
    const file = Buffer.concat([
      plain.subarray(0, at), privatePacket(0x100, CANARY), nullPacket, Buffer.from(`stray ${CANARY}`), unknown,
      plain.subarray(at), Buffer.from(`\x47trailing ${CANARY}`),
    ]); // prettier-ignore
    await scrubLosslessly(samples, inspectTransportStream, file, 'ts', plain);
  });

  it('removes comments from a unit of the picture that has no PES header', async () => {
    const plain = samples.make('ts', ['-c:v', 'libx264'], { sound: false });
    const packet = Buffer.alloc(PACKET, 0xff);
    // An unregistered message of H.264 with an id of 16 bytes, and the unit after it.
    const message = Buffer.concat([
      Buffer.of(6, 5, 16 + CANARY.length),
      Buffer.alloc(16, 0x11),
      Buffer.from(CANARY),
    ]);
    const units = [Buffer.of(0, 0, 1), message, Buffer.of(0x80, 0, 0, 1, 9, 0xf0)];
    packet.set([0x47, 0x41, 0x00, 0x10, ...Buffer.concat(units)]);
    const at = PACKET * 20;
    const file = Buffer.concat([plain.subarray(0, at), packet, plain.subarray(at)]);
    const { facts, bytes } = await scrub(inspectTransportStream, file);
    expect(facts).toEqual((await scrub(inspectTransportStream, plain)).facts);
    expect(bytes.includes(CANARY)).toBe(false);
  });

  it('refuses files with only sound, and invalid files', async () => {
    const sound = samples.run('ts', ['-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'mp2']);
    await expect(scrub(inspectTransportStream, sound)).rejects.toThrow(UnsupportedFormatError);
    const file = samples.make('ts', ['-c:v', 'libx264']);
    for (const broken of [
      file.subarray(0, PACKET * 2),
      Buffer.alloc(0),
      Buffer.alloc(1000),
      Buffer.alloc(2000, 0x47),
    ]) {
      await expect(scrub(inspectTransportStream, broken)).rejects.toThrow(UnreadableFileError);
    }
  });
});
