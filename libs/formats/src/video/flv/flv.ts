import { BitReader } from '../../bytes/bit-reader';
import { type ByteSource, SourceWindow } from '../../bytes/byte-source';
import type { ByteView } from '../../bytes/byte-view';
import { u32 } from '../../bytes/numbers';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import { displayedSize, SQUARE, type Picture } from '../../facts/displayed-size';
import type { Inspection } from '../../facts/inspection';
import { videoFacts } from '../../facts/media-facts';
import { Redaction } from '../../rewriting/redaction';
import { readH264Sps, readHevcSps } from '../elementary/h26x';
import { CONFIGURATION_FIELDS } from '../elementary/av1-metadata';
import { unsupportedCodec } from '../elementary/picture-codecs';
import { SampleScrubber } from '../elementary/sample-scrubber';
import { nalLengthSize, recordComments, type NalCodec } from '../elementary/sei-comments';
import { readScript, type ScriptScrub } from './flv-script';

const AUDIO = 8;
const VIDEO = 9;
const SCRIPT = 18;
const TAG_HEADER = 11;
const BACK_POINTER = 4;
/** Enough of a video tag to read its codec's configuration. */
const PROBE = 4096;
const MAX_TAGS = 2_000_000;

/** The properties that a muxer writes take a few hundred bytes. */
const MAX_SCRIPT = 1 << 14;

/**
 * Reads FLV (Adobe Flash Video File Format 10.1, annex E). Script tags hold all metadata: keeps the muxer's own
 * properties in the first one, and leaves out the others as a whole. Nothing in the file points past them, and
 * players take size and duration from the streams.
 */
export async function inspectFlv(source: ByteSource): Promise<Inspection> {
  const window = new SourceWindow(source);
  const redaction = new Redaction(source);
  const header = await window.at(0, 9);
  const start = header.u32(5);
  if (header.ascii(0, 3) !== 'FLV' || start < 9 || start > 4096)
    throw new UnreadableFileError('The FLV header is invalid.');
  redaction.fill(9, start);
  redaction.fill(start, start + BACK_POINTER);

  const comments = new FlvComments(window, redaction);
  let hasAudio = false;
  let hasVideo = false;
  let picture: Picture | null = null;
  let end = 0;
  let at = start + BACK_POINTER;
  for (let count = 0; at + TAG_HEADER <= source.size; count++) {
    if (count >= MAX_TAGS) throw new UnreadableFileError('The file holds too many tags.');
    const tag = await window.at(at, TAG_HEADER);
    const size = tag.u24(1);
    const next = at + TAG_HEADER + size + BACK_POINTER;
    const kind = tag.u8(0);
    if (kind > 0x1f || next > source.size) break;
    if (kind === AUDIO || kind === VIDEO) {
      end = Math.max(end, (tag.u24(4) + tag.u8(7) * 2 ** 24) / 1000);
      hasAudio ||= kind === AUDIO;
      hasVideo ||= kind === VIDEO;
      if (kind === VIDEO) await comments.scrubTag(at + TAG_HEADER, size);
      if (kind === VIDEO) picture ??= readPicture(await window.at(at + TAG_HEADER, Math.min(size, PROBE)));
    } else {
      const isFirst = count === 0 && kind === SCRIPT && size <= MAX_SCRIPT;
      const script = isFirst ? readScript(await window.at(at + TAG_HEADER, size)) : null;
      scrubScript(redaction, at, size, script);
    }
    at = next;
  }
  redaction.cut(at, source.size);
  if (!hasVideo && hasAudio) throw new UnsupportedFormatError('The file has no picture.');
  if (!picture) throw new UnreadableFileError('The file’s picture can’t be read.');
  return {
    facts: videoFacts('flv', displayedSize(picture.size, picture.aspect), end),
    rewrite: await redaction.rewrite(),
  };
}

/**
 * Leaves out parts of the script tag at `at`, whose data has `size` bytes; or all of it, if nothing is to be kept.
 */
function scrubScript(redaction: Redaction, at: number, size: number, script: ScriptScrub | null): void {
  const data = at + TAG_HEADER;
  if (!script || script.count === 0) {
    redaction.cut(at, data + size + BACK_POINTER);
    return;
  }
  if (script.cut.length === 0) return;
  const gone = script.cut.reduce((sum, { from, to }) => sum + to - from, 0);
  for (const { from, to } of script.cut) redaction.cut(data + from, data + to);
  redaction.overwrite(at + 1, u32(size - gone).subarray(1));
  redaction.overwrite(data + script.countAt, u32(script.count));
  redaction.overwrite(data + size, u32(TAG_HEADER + size - gone));
}

/** The size of the picture, if this video tag holds it; null if only a later one can. */
function readPicture(data: ByteView): Picture | null {
  if (data.length < 6) return null;
  if (data.u8(0) & 0x80) {
    const isStart = (data.u8(0) & 15) === 0;
    return isStart && data.ascii(1, 4) === 'hvc1' ? hevcPicture(data.slice(5)) : null;
  }
  switch (data.u8(0) & 15) {
    case 2:
      return h263Picture(data.slice(1));
    case 3:
    case 6:
      return square(data.u16(1) & 0xfff, data.u16(3) & 0xfff);
    case 4:
      return vp6Picture(data.slice(1));
    case 5:
      return vp6Picture(data.slice(4));
    case 7:
      return data.u8(1) === 0 ? avcPicture(data.slice(5)) : null;
    case 12:
      return data.u8(1) === 0 ? hevcPicture(data.slice(5)) : null;
    default:
      return null;
  }
}

function square(width: number, height: number): Picture | null {
  return width && height ? { size: { width, height }, aspect: SQUARE } : null;
}

/** AVCDecoderConfigurationRecord (ISO/IEC 14496-15, section 5.3.3.1). */
function avcPicture(record: ByteView): Picture | null {
  if (record.length < 8 || (record.u8(5) & 0x1f) === 0) return null;
  return readH264Sps(record.slice(8, 8 + record.u16(6)).bytes);
}

/** HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, section 8.3.3.1). */
function hevcPicture(record: ByteView): Picture | null {
  let at = 23;
  for (let arrays = record.u8(22); arrays > 0; arrays--) {
    const type = record.u8(at) & 0x3f;
    const count = record.u16(at + 1);
    at += 3;
    for (let unit = 0; unit < count; unit++) {
      const size = record.u16(at);
      if (type === 33) return readHevcSps(record.slice(at + 2, at + 2 + size).bytes);
      at += 2 + size;
    }
  }
  return null;
}

/** Sorenson's H.263 picture header (annex E.4.3.3). */
function h263Picture(data: ByteView): Picture | null {
  const bits = new BitReader(data.bytes);
  if (bits.bits(17) !== 1) return null;
  bits.skip(5 + 8);
  const format = bits.bits(3);
  if (format < 2) {
    const width = format === 0 ? 8 : 16;
    return square(bits.bits(width), bits.bits(width));
  }
  const [width, height] = [[352, 288], [176, 144], [128, 96], [320, 240], [160, 120]][format - 2] ?? [0, 0]; // prettier-ignore
  return square(width ?? 0, height ?? 0);
}

/** Reads a VP6 key frame, after a byte of cropping: the size in macroblocks (annex E.4.3.4 and the VP6 bitstream). */
function vp6Picture(data: ByteView): Picture | null {
  const crop = data.u8(0);
  const isKeyFrame = (data.u8(1) & 0x80) === 0;
  if (!isKeyFrame || data.length < 8) return null;
  const at = (data.u8(1) & 1) === 1 || (data.u8(2) & 6) === 0 ? 5 : 3;
  return square(data.u8(at + 1) * 16 - (crop >> 4), data.u8(at) * 16 - (crop & 15));
}

/** The accepted codecs; null for those whose samples have no comments. */
type FlvCodec = NalCodec | 'av1' | null;

const CODECS: ReadonlyMap<number | string, FlvCodec> = new Map<number | string, FlvCodec>([
  // Sorenson's H.263, recordings of screens, VP6.
  ...[2, 3, 4, 5, 6].map((code) => [code, null] as const),
  ...['vp08', 'vp09'].map((code) => [code, null] as const),
  ['av01', 'av1'],
  [7, 'h264'],
  [12, 'hevc'],
  ['avc1', 'h264'],
  ['hvc1', 'hevc'],
]);
/** Types of packets: the codec's configuration, and samples with and without a composition time. */
const CONFIGURATION = 0;
const SAMPLE = 1;
const PLAIN_SAMPLE = 3;

/** Overwrites comments in H.264 and HEVC, both in original tags and in those that name codecs by four letters. */
class FlvComments {
  private scrubber: SampleScrubber | null = null;

  constructor(
    private readonly window: SourceWindow,
    private readonly redaction: Redaction,
  ) {}

  /** Scrubs a video tag of `size` bytes at `start` of the file. */
  async scrubTag(start: number, size: number): Promise<void> {
    if (size < 5) return;
    const head = await this.window.at(start, 5);
    const isNamed = (head.u8(0) & 0x80) !== 0;
    const code = isNamed ? head.ascii(1, 4) : head.u8(0) & 15;
    const codec = CODECS.get(code);
    if (codec === undefined) throw unsupportedCodec(code === 1 ? 'JPEG' : `Flash codec ${code}`);
    if (codec === null) return;
    const type = isNamed ? head.u8(0) & 15 : head.u8(1);
    if (codec === 'av1') return this.scrubAv1(type, start + 5, start + size);
    if (type === CONFIGURATION) await this.configure(codec, start + 5, start + size);
    else if (type === SAMPLE) await this.scrubber?.scrub(start + (isNamed ? 8 : 5), start + size);
    else if (type === PLAIN_SAMPLE && isNamed) await this.scrubber?.scrub(start + 5, start + size);
  }

  private async scrubAv1(type: number, from: number, to: number): Promise<void> {
    const units = from + (type === CONFIGURATION ? CONFIGURATION_FIELDS : 0);
    await new SampleScrubber(this.window, this.redaction, { codec: 'av1' }).scrub(Math.min(units, to), to);
  }

  private async configure(codec: NalCodec, from: number, to: number): Promise<void> {
    const { bytes } = await this.window.at(from, to - from);
    for (const part of recordComments(codec, bytes)) {
      this.redaction.fill(from + part.from, from + part.to, 0xff);
    }
    const lengthSize = nalLengthSize(codec, bytes);
    const { window, redaction } = this;
    this.scrubber = (lengthSize && new SampleScrubber(window, redaction, { codec, lengthSize })) || null;
  }
}
