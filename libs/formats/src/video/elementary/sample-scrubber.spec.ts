import { CANARY, SampleVideos, scrub, scrubLosslessly } from '../../../test/sample-video';
import type { VideoFormatName } from '../../facts/format-names';
import { videoInspectors } from '../../inspection/inspectors';
import { seiComments } from './sei-comments';

const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const X265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:bframes=0'];
const MDPM = Buffer.from('17ee8c60f84d11d98cd60800200c9a66', 'hex');
/** Zeros that need emulation prevention, and a length of more than one packet and more than a one-byte size. */
const TEXT = Buffer.from(
  `MDPM\0\0\0\0\x01${CANARY} 48.8577N\0\0\x02\0\0\0${`2.2950E ${CANARY}\0\0\x03`.repeat(60)}\0\0`,
);

let samples: SampleVideos;
beforeAll(() => {
  samples = new SampleVideos();
});
afterAll(() => samples.remove());

function escaped(payload: readonly number[]): number[] {
  const bytes: number[] = [];
  for (const byte of payload) {
    if (byte <= 3 && bytes.at(-1) === 0 && bytes.at(-2) === 0) bytes.push(3);
    bytes.push(byte);
  }
  return bytes;
}

/** A SEI unit with an unregistered message, and one of another type after it. */
function sei(header: readonly number[]): Buffer {
  const size = MDPM.length + TEXT.length;
  const sizes = [...Array<number>(Math.floor(size / 255)).fill(255), size % 255];
  return Buffer.from([0, 0, 0, 1, ...header, ...escaped([5, ...sizes, ...MDPM, ...TEXT, 6, 1, 0xc4, 0x80])]);
}

const JPEG_COMMENTS = Buffer.concat(
  [0xe1, 0xed, 0xfe].map((marker) => {
    const content = Buffer.from(`Exif\0\0${CANARY} 48.8577N`);
    return Buffer.concat([Buffer.from([0xff, marker, 0, content.length + 2]), content]);
  }),
);
const USER_DATA = Buffer.concat([Buffer.from([0, 0, 1, 0xb2]), Buffer.from(`${CANARY} SN 123456`)]);

interface Plan {
  readonly raw: string;
  readonly demuxer?: string;
  readonly codec: readonly string[];
  /**
   * The planted bytes, and the units before which (by their first bytes) or after which (by `offset`) they are
   * planted.
   */
  readonly planted: Buffer;
  readonly before: Buffer;
  readonly offset?: number;
}

const H264: Plan = { raw: 'h264', codec: X264, planted: sei([6]), before: Buffer.of(0, 0, 1, 0x65) };
const HEVC: Plan = { raw: 'hevc', codec: X265, planted: sei([0x4e, 1]), before: Buffer.of(0, 0, 1, 0x28, 1) };
const MPEG2: Plan = {
  raw: 'm2v',
  demuxer: 'mpegvideo',
  codec: ['-r', '25', '-c:v', 'mpeg2video'],
  planted: USER_DATA,
  before: Buffer.of(0, 0, 1, 1),
};
const MPEG4: Plan = {
  raw: 'm4v',
  codec: ['-c:v', 'mpeg4', '-f', 'm4v'],
  planted: USER_DATA,
  before: Buffer.of(0, 0, 1, 0xb6),
};
const MJPEG: Plan = {
  raw: 'mjpeg',
  codec: ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p'],
  planted: JPEG_COMMENTS,
  before: Buffer.of(0xff, 0xd8, 0xff),
  offset: 2,
};

const CONTAINERS: readonly (readonly [string, Plan, VideoFormatName, string, readonly string[]])[] = [
  ['H.264', H264, 'mp4', 'mp4', []],
  ['H.264', H264, 'mp4', 'mp4', ['-movflags', '+frag_keyframe+empty_moov']],
  ['H.264', H264, 'mov', 'mov', []],
  ['H.264', H264, 'matroska', 'mkv', []],
  ['H.264', H264, 'flv', 'flv', []],
  ['H.264', H264, 'mpegts', 'ts', []],
  ['H.264', H264, 'mpegts', 'm2ts', ['-mpegts_m2ts_mode', '1']],
  ['H.264', H264, 'mpegps', 'mpg', ['-f', 'vob']],
  ['H.264', H264, 'avi', 'avi', []],
  ['HEVC', HEVC, 'mp4', 'mp4', ['-tag:v', 'hvc1']],
  ['HEVC', HEVC, 'matroska', 'mkv', []],
  ['HEVC', HEVC, 'mpegts', 'ts', []],
  ['MPEG-2', MPEG2, 'mpegts', 'ts', []],
  ['MPEG-2', MPEG2, 'mpegps', 'mpg', ['-f', 'vob']],
  ['MPEG-2', MPEG2, 'mp4', 'mp4', []],
  ['MPEG-2', MPEG2, 'matroska', 'mkv', []],
  ['MPEG-4 Visual', MPEG4, 'avi', 'avi', []],
  ['MPEG-4 Visual', MPEG4, 'mp4', 'mp4', []],
  ['MPEG-4 Visual', MPEG4, 'matroska', 'mkv', []],
  ['Motion JPEG', MJPEG, 'mov', 'mov', []],
  ['Motion JPEG', MJPEG, 'avi', 'avi', []],
  ['Motion JPEG', MJPEG, 'matroska', 'mkv', []],
];

/** A bare stream of the codec with the comments planted at each place of the plan. */
function planted({ raw, codec, planted: comments, before, offset = 0 }: Plan): Buffer {
  const plain = samples.make(raw, codec, { sound: false });
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = plain.indexOf(before); at >= 0; at = plain.indexOf(before, at + before.length)) {
    parts.push(plain.subarray(from, at + offset), comments);
    from = at + offset;
  }
  return Buffer.concat([...parts, plain.subarray(from)]);
}

/** The content of the first box of this type in an MP4. */
function contentOf(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type);
  return file.subarray(at + 4, at - 4 + file.readUInt32BE(at - 4));
}

/** A tag of FLV with a packet of HEVC, whose codec has four letters (enhanced RTMP); only new versions of ffmpeg write it. */
function hevcTag(type: number, content: Buffer): Buffer {
  const data = Buffer.concat([Buffer.of(0x90 | type), Buffer.from('hvc1'), content]);
  const tag = Buffer.concat([Buffer.alloc(11), data, Buffer.alloc(4)]);
  tag.writeUInt8(9, 0);
  tag.writeUIntBE(data.length, 1, 3);
  tag.writeUInt32BE(11 + data.length, 11 + data.length);
  return tag;
}

describe('SampleScrubber', () => {
  it.each(CONTAINERS)(
    '%s: removes what a camera wrote in samples (%#)',
    async (_, plan, format, ext, args) => {
      const file = samples.run(
        ext,
        [
          '-fflags',
          '+genpts',
          '-r',
          '25',
          '-f',
          plan.demuxer ?? plan.raw,
          '-i',
          `@planted.${plan.raw}`,
          '-c',
          'copy',
          ...args,
        ],
        {
          [`planted.${plan.raw}`]: planted(plan),
        },
      );
      const { bytes } = await scrubLosslessly(samples, videoInspectors[format], file, ext);
      expect(bytes.includes('48.8577')).toBe(false);
      expect(bytes.includes(MDPM)).toBe(false);
    },
  );

  it.each([
    ['a composition time', 1, Buffer.alloc(3)],
    ['no composition time', 3, Buffer.alloc(0)],
  ])('HEVC in FLV: removes what a camera wrote in samples with %s', async (_, type, time) => {
    const args = ['-fflags', '+genpts', '-r', '25', '-i', '@planted.hevc', '-c', 'copy', '-tag:v', 'hvc1'];
    const movie = samples.run('mp4', args, { 'planted.hevc': planted(HEVC) });
    const file = Buffer.concat([
      Buffer.from([...Buffer.from('FLV'), 1, 1, 0, 0, 0, 9, 0, 0, 0, 0]),
      hevcTag(0, contentOf(movie, 'hvcC')),
      hevcTag(type, Buffer.concat([time, contentOf(movie, 'mdat')])),
    ]);
    expect(file.includes(CANARY)).toBe(true);
    const { facts, bytes } = await scrub(videoInspectors.flv, file);
    expect(facts).toMatchObject({ width: 96, height: 64 });
    expect(bytes.includes(CANARY)).toBe(false);
    expect(bytes.length).toBe(file.length);
  });

  it.each([
    ['mp4', 'mp4'],
    ['matroska', 'mkv'],
    ['mpegts', 'ts'],
  ] as const)('keeps captions and the encoder’s settings in %s', async (format, ext) => {
    const captions = 'ATSC'.padEnd(12, '.');
    const registered = Buffer.from([0, 0, 0, 1, 6, 4, 15, 0xb5, 0, 0x31, ...Buffer.from(captions), 0x80]);
    const file = samples.run(ext, ['-fflags', '+genpts', '-i', '@captions.h264', '-c', 'copy'], {
      'captions.h264': planted({ ...H264, planted: registered }),
    });
    const { bytes } = await scrub(videoInspectors[format], file);
    expect(bytes.includes(captions)).toBe(true);
    expect(bytes.includes('x264 - core ')).toBe(true);
    expect(bytes.includes('cabac=')).toBe(true);
  });
});

describe('seiComments', () => {
  const X264_ID = 'dc45e9bde6d948b7962cd820d923eeef';
  const X265_ID = '2ca2de09b51747dbbb55a4fe7fc2fc4e';
  const unit = (id: string, text: string): Buffer => {
    const payload = Buffer.concat([Buffer.from(id, 'hex'), Buffer.from(text, 'latin1')]);
    return Buffer.concat([Buffer.from([6, 5, payload.length]), payload, Buffer.from([0x80])]);
  };
  const X264_TEXT = 'x264 - core 164 - options: cabac=1\0';

  it.each([
    ['x264', unit(X264_ID, X264_TEXT)],
    ['x265', unit(X265_ID, 'x265 (build 199) - 3.5+1-f0c1022b6:[Linux] - H.265/HEVC codec')],
  ])('keeps the settings of %s', (_, nal) => {
    expect([...seiComments('h264', nal)]).toEqual([]);
  });

  it.each([
    ['of another program', unit('00112233445566778899aabbccddeeff', X264_TEXT)],
    ['that only begins like settings', unit(X264_ID, `${X264_TEXT}\x01\x02 48.8577`)],
    ['with other text', unit(X264_ID, '48.8577 2.2950')],
  ])('removes data %s', (_, nal) => {
    expect([...seiComments('h264', nal)]).toEqual([{ from: 3, to: nal.length - 1 }]);
  });
});
