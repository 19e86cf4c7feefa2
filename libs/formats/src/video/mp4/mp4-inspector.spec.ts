import { withMatrix } from '@vitrine/testing';
import { SampleVideos, scrub, storedSample } from '../../../test/sample-video';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import { mp4Inspector } from './mp4-inspector';

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
const TAGS = [
  '-metadata', 'title=CANARY-title', '-metadata', 'artist=CANARY-artist', '-metadata', 'comment=CANARY-comment',
  '-metadata', 'location=+48.8577+002.295/', '-metadata', 'make=CANARY-make',
  '-metadata:s:v', 'handler_name=CANARY-handler', '-metadata:s:v', 'encoder=CANARY-encoder',
]; // prettier-ignore

const inspect = mp4Inspector('mp4');
let samples: SampleVideos;
beforeAll(() => {
  samples = new SampleVideos();
});
afterAll(() => samples.remove());

function box(type: string, ...content: (Uint8Array | string)[]): Buffer {
  const body = Buffer.concat(content.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** `file` with `extra` as the last child of the first box at `path`, which must lie after the samples. */
function plant(file: Buffer, path: readonly string[], extra: Buffer): Buffer {
  let [from, to] = [0, file.length];
  const sizes: number[] = [];
  for (const type of path) {
    let at = from;
    while (file.toString('latin1', at + 4, at + 8) !== type) {
      at += file.readUInt32BE(at);
      if (at >= to) throw new Error(`no ${type}`);
    }
    sizes.push(at);
    [from, to] = [at + 8, at + file.readUInt32BE(at)];
  }
  const planted = Buffer.concat([file.subarray(0, to), extra, file.subarray(to)]);
  for (const at of sizes) planted.writeUInt32BE(file.readUInt32BE(at) + extra.length, at);
  return planted;
}

describe('mp4Inspector', () => {
  it.each([
    ['mp4', 'mp4', H264, 'video/mp4'],
    ['mp4', 'mp4', [...H264, '-movflags', '+faststart'], 'video/mp4'],
    ['mp4', 'mp4', [...H264, '-movflags', '+frag_keyframe+empty_moov', '-g', '3'], 'video/mp4'],
    [
      'mp4',
      'mp4',
      [...H264, '-movflags', '+frag_keyframe+empty_moov+default_base_moof+dash', '-g', '3'],
      'video/mp4',
    ],
    ['mov', 'mov', [...H264, '-movflags', '+use_metadata_tags'], 'video/quicktime'],
    ['mov', 'mov', ['-c:v', 'mjpeg', '-c:a', 'pcm_s16le'], 'video/quicktime'],
    ['mov', 'mov', 'timecode-prores.mov', 'video/quicktime'],
    // Sound that is counted in frames, and smaller than their number or their bits say.
    ...['pcm_mulaw', 'pcm_alaw', 'adpcm_ima_wav', 'adpcm_ms', 'adpcm_ima_qt', 'pcm_f32le'].map(
      (codec) => ['mov', 'mov', ['-c:v', 'mpeg4', '-c:a', codec], 'video/quicktime'] as const,
    ),
    [
      'mp4',
      'mp4',
      [
        '-c:v',
        'libx265',
        '-preset',
        'ultrafast',
        '-x265-params',
        'log-level=none',
        '-tag:v',
        'hvc1',
        '-c:a',
        'flac',
        '-strict',
        '-2',
      ],
      'video/mp4',
    ],
    // Older builds treat Opus in MP4 as experimental.
    [
      'mp4',
      'mp4',
      ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-c:a', 'libopus', '-strict', '-2'],
      'video/mp4',
    ],
    ['3gp', '3gp', ['-c:v', 'mpeg4', '-c:a', 'aac'], 'video/3gpp'],
  ] as const)('%s: keeps every sample of %s %j and no personal metadata', async (format, ext, args, mime) => {
    const original = typeof args === 'string' ? storedSample(args) : samples.make(ext, [...args, ...TAGS]);
    expect(original.includes('CANARY')).toBe(true);
    const scrubbed = await scrub(mp4Inspector(format), original);
    expect(scrubbed.facts).toMatchObject({ kind: 'video', mime, ext, width: 96, height: 64, frames: 1 });
    expect(scrubbed.facts.duration).toBeCloseTo(1, 0);
    expect(scrubbed.bytes.includes('CANARY')).toBe(false);
    expect(scrubbed.bytes.includes('48.8577')).toBe(false);
    expect(samples.hashes(scrubbed.bytes, ext)).toEqual(samples.hashes(original, ext));
    expect((await scrub(mp4Inspector(format), scrubbed.bytes)).rewrite).toBeNull();
  });

  it('removes metadata from every place where phones and cameras write it', async () => {
    const plain = samples.make('mp4', H264);
    const text = box('data', '\0\0\0\x01\0\0\0\0CANARY');
    const carriers: [string[], Buffer][] = [
      [['moov'], box('udta', box('\xa9xyz', '+48.8577+002.295/CANARY'), box('loci', 'CANARY'))],
      [['moov'], box('meta', '\0\0\0\0', box('ilst', box('\xa9ART', text)))],
      [['moov'], box('uuid', '0123456789abcdefCANARY')],
      [['moov'], box('iods', 'CANARY')],
      [['moov', 'mvhd'], Buffer.from('CANARY')],
      [['moov', 'trak'], box('udta', box('name', 'CANARY'))],
      [['moov', 'trak'], box('meta', '\0\0\0\0CANARY')],
      [['moov', 'trak', 'tkhd'], Buffer.from('CANARY')],
      [['moov', 'trak', 'mdia'], box('uuid', '0123456789abcdefCANARY')],
      [['moov', 'trak', 'mdia', 'hdlr'], Buffer.from('CANARY')],
      [['moov', 'trak', 'mdia', 'minf', 'vmhd'], Buffer.from('CANARY')],
      [['moov', 'trak', 'mdia', 'minf', 'stbl'], box('free', 'CANARY')],
      [['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'], Buffer.from('CANARY')],
      [['mdat'], Buffer.from('CANARY a still picture behind the last sample')],
      [[], box('skip', 'CANARY')],
      [[], box('free', 'CANARY')],
      [[], box('uuid', '0123456789abcdefCANARY')],
      [[], box('meta', '\0\0\0\0CANARY')],
      [[], box('XMP_', 'CANARY')],
      [[], box('moov', 'CANARY')],
    ];
    const planted = carriers.reduce((file, [path, extra]) => plant(file, path, extra), plain);
    const file = Buffer.concat([planted, Buffer.from('\xff\xff\xff\xff CANARY trailer', 'latin1')]);
    const scrubbed = await scrub(inspect, file);
    expect(scrubbed.bytes.includes('CANARY')).toBe(false);
    expect(scrubbed.bytes.includes('48.8577')).toBe(false);
    expect(samples.hashes(scrubbed.bytes, 'mp4')).toEqual(samples.hashes(plain, 'mp4'));
    expect((await scrub(inspect, scrubbed.bytes)).rewrite).toBeNull();
  });

  it.each(['text', 'meta', 'camm', 'gpmd'])(
    'removes a timed track of %s and its samples',
    async (handler) => {
      const file = storedSample('subtitles.mp4');
      file.write(handler, file.indexOf('sbtl'), 'latin1');
      expect(file.includes('CANARY')).toBe(true);
      const scrubbed = await scrub(inspect, file);
      expect(scrubbed.bytes.includes('CANARY')).toBe(false);
      expect(scrubbed.bytes.includes('tx3g')).toBe(false);
      expect(samples.hashes(scrubbed.bytes, 'mp4')).toEqual(samples.hashes(file, 'mp4'));
    },
  );

  it('removes a crop', async () => {
    const file = samples.make('mov', ['-c:v', 'v210', '-c:a', 'pcm_s16le']);
    expect(file.includes('clap')).toBe(true);
    const scrubbed = await scrub(mp4Inspector('mov'), file);
    expect(scrubbed.bytes.includes('clap')).toBe(false);
    expect(samples.hashes(scrubbed.bytes, 'mov')).toEqual(samples.hashes(file, 'mov'));
    expect((await scrub(mp4Inspector('mov'), scrubbed.bytes)).rewrite).toBeNull();
  });

  it('removes a cover picture, chapters, and a timed track in fragments', async () => {
    const file = storedSample('chapters.mp4');
    expect(file.includes('CANARY')).toBe(true);
    expect((await scrub(inspect, file)).bytes.includes('CANARY')).toBe(false);

    const fragmented = storedSample('subtitles-fragmented.mp4');
    expect(fragmented.includes('CANARY')).toBe(true);
    const scrubbed = await scrub(inspect, fragmented);
    expect(scrubbed.bytes.includes('CANARY')).toBe(false);
    expect(samples.hashes(scrubbed.bytes, 'mp4')).toEqual(samples.hashes(fragmented, 'mp4'));
  });

  // Promise [files]: `width` and `height` are those of the displayed picture.
  it('returns width and height as displayed', async () => {
    const upright = samples.make('mp4', H264);
    const turned = withMatrix(upright, [0, 1, -1, 0]);
    expect((await scrub(inspect, turned)).facts).toMatchObject({ width: 64, height: 96 });
    const wide = samples.make('mp4', ['-vf', 'setsar=2/1', ...H264]);
    expect((await scrub(inspect, wide)).facts).toMatchObject({ width: 192, height: 64 });
    const tall = samples.make('mp4', ['-vf', 'setsar=1/2', ...H264]);
    expect((await scrub(inspect, tall)).facts).toMatchObject({ width: 96, height: 128 });
  });

  it('refuses files with only sound, with and without a cover', async () => {
    const sound = samples.run('mp4', ['-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'aac']);
    await expect(scrub(inspect, sound)).rejects.toThrow(UnsupportedFormatError);
    const covered = samples.run('mov', [
      '-f', 'lavfi', '-i', 'sine=duration=1', '-f', 'lavfi', '-i', 'testsrc2=size=96x64:rate=1:duration=1',
      '-c:a', 'aac', '-c:v', 'mjpeg',
    ]); // prettier-ignore
    await expect(scrub(mp4Inspector('mov'), covered)).rejects.toThrow(UnsupportedFormatError);
  });

  it('refuses invalid files', async () => {
    const file = samples.make('mp4', H264);
    const end = file.indexOf('moov');
    const elsewhere = Buffer.from(file);
    elsewhere.writeUInt32BE(16, elsewhere.indexOf('stco') + 12);
    const compressed = plant(file, ['moov'], box('cmov'));
    const hidden = Buffer.from(file);
    hidden.write('hide', hidden.indexOf('mdat'), 'latin1');
    for (const broken of [
      file.subarray(0, end - 4),
      file.subarray(0, end + 200),
      elsewhere,
      compressed,
      hidden,
    ]) {
      await expect(scrub(inspect, broken)).rejects.toThrow(UnreadableFileError);
    }
    await expect(scrub(inspect, Buffer.alloc(0))).rejects.toThrow(UnreadableFileError);
  });
});
