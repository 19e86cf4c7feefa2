import { crc32 } from 'node:zlib';
import { SampleVideos, scrub, storedSample } from '../../../test/sample-video';
import { ByteView } from '../../bytes/byte-view';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import { CRC, elementsIn } from './ebml';
import { ID } from './ids';
import { inspectMatroska } from './matroska-inspector';

const VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libvorbis'];
const TAGS = [
  '-metadata', 'title=CANARY-title', '-metadata', 'artist=CANARY-artist', '-metadata', 'location=CANARY-place',
  '-metadata:s:v', 'title=CANARY-name', '-metadata:s:a', 'comment=CANARY-comment',
]; // prettier-ignore
const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=size=96x64:rate=10:duration=1'];

/** The checksums of the elements of a file's segment. */
function checksums(file: Buffer): { readonly parent: number; readonly isTrue: boolean }[] {
  const view = new ByteView(file);
  const [, segment] = elementsIn(view, 0, file.length);
  if (!segment) throw new Error('The file holds no segment.');
  return elementsIn(view, segment.body, segment.end).flatMap(({ id, body, end }) => {
    if (view.u8(body) !== CRC) return [];
    return [{ parent: id, isTrue: view.u32le(body + 2) === crc32(file.subarray(body + 6, end)) }];
  });
}

let samples: SampleVideos;
beforeAll(() => {
  samples = new SampleVideos();
});
afterAll(() => samples.remove());

describe('inspectMatroska', () => {
  it.each([
    ['webm', VP8, 'video/webm'],
    ['webm', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-c:a', 'libopus', '-live', '1'], 'video/webm'],
    ['mkv', ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'flac'], 'video/x-matroska'],
    ['mkv', ['-c:v', 'libtheora', '-c:a', 'libvorbis', '-cluster_time_limit', '200'], 'video/x-matroska'],
    ['mkv', ['-c:v', 'mjpeg', '-c:a', 'pcm_s16le', '-reserve_index_space', '1000'], 'video/x-matroska'],
  ] as const)('%s: keeps every sample of %j and no personal metadata', async (ext, args, mime) => {
    const original = samples.make(ext, [...args, ...TAGS]);
    expect(original.includes('CANARY')).toBe(true);
    const scrubbed = await scrub(inspectMatroska, original);
    expect(scrubbed.facts).toMatchObject({ kind: 'video', mime, ext, width: 96, height: 64, frames: 1 });
    expect(scrubbed.facts.duration).toBeCloseTo(1, 0);
    expect(scrubbed.bytes.includes('CANARY')).toBe(false);
    expect(scrubbed.bytes.length).toBe(original.length);
    expect(samples.hashes(scrubbed.bytes, ext)).toEqual(samples.hashes(original, ext));
    expect((await scrub(inspectMatroska, scrubbed.bytes)).rewrite).toBeNull();
  });

  it('removes subtitles and their blocks, attachments and chapters', async () => {
    const file = storedSample('subtitles-chapters-attachment.mkv');
    expect(file.toString('latin1').split('CANARY').length).toBe(4);
    const scrubbed = await scrub(inspectMatroska, file);
    expect(scrubbed.bytes.includes('CANARY')).toBe(false);
    expect(scrubbed.bytes.includes('S_TEXT')).toBe(false);
    expect(samples.hashes(scrubbed.bytes, 'mkv')).toEqual(samples.hashes(file, 'mkv'));
    expect((await scrub(inspectMatroska, scrubbed.bytes)).rewrite).toBeNull();
  });

  it('keeps a checksum that is still correct, and removes the others', async () => {
    const file = storedSample('subtitles-title.mkv');
    const { bytes } = await scrub(inspectMatroska, file);
    const before = checksums(file);
    const after = checksums(bytes);
    expect(before.map(({ isTrue }) => isTrue)).not.toContain(false);
    expect(after.map(({ isTrue }) => isTrue)).not.toContain(false);
    // The title was in Info, the subtitles in Tracks and in the cluster. Nothing had to be removed from the index.
    expect(after.map(({ parent }) => parent)).toContain(ID.cues);
    for (const changed of [ID.info, ID.tracks, ID.cluster]) {
      expect(before.map(({ parent }) => parent)).toContain(changed);
      expect(after.map(({ parent }) => parent)).not.toContain(changed);
    }
  });

  it('removes metadata from Void elements, unknown elements and after the segment', async () => {
    const plain = samples.make('mkv', ['-c:v', 'libx264', '-live', '1'], { sound: false });
    const element = (id: number[], text: string) =>
      Buffer.from([...id, 0x80 | text.length, ...Buffer.from(text)]);
    const info = plain.lastIndexOf(Buffer.from([0x15, 0x49, 0xa9, 0x66]));
    const file = Buffer.concat([
      plain.subarray(0, info),
      element([0xec], 'CANARY in a void'),
      element([0xbf], 'CANA'),
      element([0x42, 0x42], 'CANARY in an unknown element'),
      plain.subarray(info),
      element([0xec], 'CANARY in a cluster'),
      element([0x42, 0x42], 'CANARY in a cluster too'),
      Buffer.from('\0\0CANARY behind the end'),
    ]);
    const scrubbed = await scrub(inspectMatroska, file);
    expect(scrubbed.bytes.includes('CANA')).toBe(false);
    expect(samples.hashes(scrubbed.bytes, 'mkv')).toEqual(samples.hashes(plain, 'mkv'));
    expect((await scrub(inspectMatroska, scrubbed.bytes)).rewrite).toBeNull();
  });

  it('keeps the rest of a truncated file', async () => {
    const plain = samples.make('webm', VP8);
    const short = plain.subarray(0, Math.floor(plain.length * 0.6));
    const scrubbed = await scrub(inspectMatroska, short);
    expect(samples.hashes(scrubbed.bytes, 'webm')).toEqual(samples.hashes(short, 'webm'));
    expect((await scrub(inspectMatroska, scrubbed.bytes)).rewrite).toBeNull();
  });

  it('returns width and height as displayed', async () => {
    const wide = samples.make('mkv', ['-vf', 'setsar=2/1', '-c:v', 'libx264']);
    expect((await scrub(inspectMatroska, wide)).facts).toMatchObject({ width: 192, height: 64 });
  });

  it('removes a crop', async () => {
    const file = samples.make('mkv', ['-vf', 'setsar=2/1', '-c:v', 'libx264', '-write_crc32', '0']);
    // The element DisplayHeight becomes a PixelCropTop of 16 rows.
    const crop = Buffer.from([0x54, 0xbb, 0x81, 16]);
    crop.copy(file, file.indexOf(Buffer.from([0x54, 0xba, 0x81, 1])));
    expect(file.includes(crop)).toBe(true);
    const { bytes, facts } = await scrub(inspectMatroska, file);
    expect(bytes.includes(crop.subarray(0, 3))).toBe(false);
    expect(facts).toMatchObject({ width: 96, height: 64 });
    expect((await scrub(inspectMatroska, bytes)).rewrite).toBeNull();
  });

  it('refuses files with only sound, and invalid files', async () => {
    const sound = samples.run('mka', ['-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'libvorbis']);
    await expect(scrub(inspectMatroska, sound)).rejects.toThrow(UnsupportedFormatError);
    const covered = samples.run('mkv', [
      '-f',
      'lavfi',
      '-i',
      'sine=duration=1',
      ...PICTURE,
      '-frames:v',
      '1',
      '-c:v',
      'mjpeg',
    ]);
    await expect(scrub(inspectMatroska, covered)).rejects.toThrow(UnsupportedFormatError);
    const subtitles = storedSample('only-subtitles.mkv');
    const file = samples.make('mkv', VP8);
    for (const broken of [subtitles, file.subarray(0, 200), Buffer.alloc(0), Buffer.alloc(64)]) {
      await expect(scrub(inspectMatroska, broken)).rejects.toThrow(UnreadableFileError);
    }
  });
});
