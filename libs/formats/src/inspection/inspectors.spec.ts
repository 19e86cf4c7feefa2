import fc from 'fast-check';
import { SampleVideos, scrub, type Scrubbed, storedSample } from '../../test/sample-video';
import { MemorySource } from '../bytes/memory-source';
import { UnreadableFileError, UnsupportedFormatError } from '../errors/file-errors';
import type { VideoFormatName } from '../facts/format-names';
import type { Inspector } from '../facts/inspection';
import { videoInspectors } from './inspectors';

const SMALL = { size: '32x32', seconds: 0.4 };
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'];
const HEVC = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none'];
/** The last column holds ffmpeg's arguments, or the name of a stored sample. */
const SAMPLES: readonly (readonly [string, VideoFormatName, string, readonly string[] | string])[] = [
  ['MP4', 'mp4', 'mp4', H264],
  ['fragmented MP4', 'mp4', 'mp4', [...H264, '-movflags', '+frag_keyframe+empty_moov', '-g', '2']],
  ['QuickTime', 'mov', 'mov', 'timecode-mjpeg.mov'],
  ['Matroska', 'matroska', 'mkv', ['-c:v', 'libtheora', '-c:a', 'libvorbis', '-cluster_time_limit', '100']],
  ['live WebM', 'matroska', 'webm', ['-c:v', 'libvpx', '-c:a', 'libopus', '-live', '1']],
  ['AVI', 'avi', 'avi', ['-c:v', 'mpeg4', '-c:a', 'libmp3lame']],
  ['MPEG-TS', 'mpegts', 'ts', H264],
  ['M2TS', 'mpegts', 'ts', ['-c:v', 'mpeg2video', '-c:a', 'mp2', '-mpegts_m2ts_mode', '1']],
  ['MPEG-PS', 'mpegps', 'mpg', ['-r', '25', '-c:v', 'mpeg2video', '-c:a', 'ac3', '-f', 'vob']],
  ['FLV', 'flv', 'flv', ['-c:v', 'flv', '-c:a', 'libmp3lame']],
  ['FLV with H.264', 'flv', 'flv', [...H264, '-ar', '44100']],
  ['Matroska with H.264', 'matroska', 'mkv', H264],
  ['AVI with Motion JPEG', 'avi', 'avi', ['-c:v', 'mjpeg', '-c:a', 'pcm_s16le']],
  ['MP4 with HEVC', 'mp4', 'mp4', [...HEVC, '-tag:v', 'hvc1', '-c:a', 'aac']],
  ['MPEG-TS with HEVC', 'mpegts', 'ts', [...HEVC, '-c:a', 'aac']],
  ['ASF', 'asf', 'wmv', ['-c:v', 'wmv2', '-c:a', 'wmav2']],
  ['Ogg', 'ogg', 'ogv', ['-c:v', 'libtheora', '-c:a', 'flac']],
];

/** Damage to a file. */
type Damage =
  | { readonly kind: 'set'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'cut'; readonly at: number; readonly length: number }
  | { readonly kind: 'repeat'; readonly at: number; readonly length: number }
  | { readonly kind: 'end'; readonly at: number };

/** Positions as fractions of the file, most of them where headers lie. */
const place = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ min: 0, max: 0.05, noNaN: true }),
  fc.double({ min: 0.8, max: 1, noNaN: true }),
);
const values = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 8 }),
  fc.constantFrom(
    Uint8Array.of(0xff, 0xff, 0xff, 0xff),
    Uint8Array.of(0, 0, 0, 0),
    Uint8Array.of(0, 0, 0, 1),
    Uint8Array.of(0x7f, 0xff, 0xff, 0xff),
  ),
);
const damage: fc.Arbitrary<Damage> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('set' as const), at: place, bytes: values }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), at: place, length: fc.nat(64) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('repeat' as const), at: place, length: fc.nat(256) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), at: place }) },
);

function damaged(file: Buffer, damages: readonly Damage[]): Buffer {
  return damages.reduce((bytes, change) => {
    const at = Math.floor(change.at * bytes.length);
    if (change.kind === 'end') return bytes.subarray(0, at);
    if (change.kind === 'set') {
      const changed = Buffer.from(bytes);
      changed.set(change.bytes.subarray(0, bytes.length - at), at);
      return changed;
    }
    const to = Math.min(at + change.length, bytes.length);
    const middle = change.kind === 'repeat' ? [bytes.subarray(at, to), bytes.subarray(at, to)] : [];
    return Buffer.concat([bytes.subarray(0, at), ...middle, bytes.subarray(to)]);
  }, file);
}

/** Null if the file is refused. Any other error is a bug of the reader. */
async function readOrRefused(inspector: Inspector, bytes: Buffer): Promise<Scrubbed | null> {
  try {
    return await scrub(inspector, bytes);
  } catch (error) {
    if (error instanceof UnreadableFileError || error instanceof UnsupportedFormatError) return null;
    throw error;
  }
}

let samples: SampleVideos;
beforeAll(() => {
  samples = new SampleVideos();
});
afterAll(() => samples.remove());

describe('videoInspectors', () => {
  it.each(SAMPLES)(
    '%s: reads a damaged file or refuses it with one of two errors',
    async (_, format, ext, args) => {
      const file = typeof args === 'string' ? storedSample(args) : samples.make(ext, args, SMALL);
      const inspector = videoInspectors[format];
      await fc.assert(
        fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 6 }), async (damages) => {
          const bytes = damaged(file, damages);
          const first = await readOrRefused(inspector, bytes);
          if (!first) return;
          expect(first.facts.width * first.facts.height).toBeGreaterThan(0);
          expect(first.bytes.length).toBeLessThanOrEqual(bytes.length);
          const second = await scrub(inspector, first.bytes);
          expect(second.rewrite).toBeNull();
          expect(second.facts).toEqual(first.facts);
        }),
        { numRuns: Number(process.env['FORMAT_FUZZ_RUNS'] ?? 150) },
      );
    },
  );

  it.each(SAMPLES)('%s: reads few times, however large the file', async (_, format, ext, args) => {
    const file = typeof args === 'string' ? storedSample(args) : samples.make(ext, args, SMALL);
    const source = new MemorySource(file);
    let reads = 0;
    await videoInspectors[format]({
      size: source.size,
      read: (offset, length) => {
        reads++;
        return source.read(offset, length);
      },
    });
    expect(reads).toBeLessThan(40);
  });
});
