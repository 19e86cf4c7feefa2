import { type ByteSource, SourceWindow } from '../../bytes/byte-source';
import { ByteView } from '../../bytes/byte-view';
import { crc32Msb } from '../../bytes/numbers';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import { displayedSize, type Picture } from '../../facts/displayed-size';
import type { Inspection } from '../../facts/inspection';
import { videoFacts } from '../../facts/media-facts';
import { Redaction } from '../../rewriting/redaction';
import { StartCodeScrubber } from '../elementary/start-code-scrubber';
import { guessCodec, streamPicture, type ElementaryCodec } from '../elementary/stream-picture';
import { PresentationTimes, readMpeg1Header, readPesHeader } from './pes';
import { videoCodec } from './program-tables';

const ID = {
  end: 0xb9,
  pack: 0xba,
  system: 0xbb,
  map: 0xbc,
  private1: 0xbd,
  padding: 0xbe,
  extended: 0xfd,
} as const;
const PADDING = Uint8Array.of(ID.padding);
/** ISO/IEC 11172-1, section 2.4.3.3. */
const NO_TIME = 0x0f;
/** Limit of the bytes outside of packets. */
const MAX_STRAY = 1 << 20;
/** Limit of the packs: ten times as many as the largest file has with the usual 2 KiB each. */
const MAX_UNITS = 1_000_000;
/** Bytes of the video in which one search for its first sequence header runs. */
const PROBE = 1 << 18;
const PROBE_OVERLAP = 1 << 12;
/** Enough for any PES header. */
const LONGEST_PES_HEADER = 9 + 255;

/** One pack header, system header, stream map, end code or packet. */
interface Unit {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads an MPEG-1 or MPEG-2 program stream (ISO/IEC 13818-1, section 2.5), including those of DVDs. Packets that are
 * neither sound nor picture become padding packets.
 */
export async function inspectProgramStream(source: ByteSource): Promise<Inspection> {
  return new ProgramStreamScrubber(source).run();
}

class ProgramStreamScrubber {
  private readonly window: SourceWindow;
  private readonly redaction: Redaction;
  private readonly mapped = new Map<number, ElementaryCodec | null>();
  private readonly times = new PresentationTimes();
  private readonly comments = new Map<number, StartCodeScrubber>();
  private hasAudio = false;
  private video: number | null = null;
  private picture: Picture | null = null;
  private probe: Uint8Array[] = [];
  private probed = 0;

  constructor(private readonly source: ByteSource) {
    this.window = new SourceWindow(source);
    this.redaction = new Redaction(source);
  }

  async run(): Promise<Inspection> {
    let units = 0;
    for await (const unit of this.units()) {
      if (++units > MAX_UNITS) throw new UnreadableFileError('The file holds too many packets.');
      await this.scrubUnit(unit);
    }
    for (const comments of this.comments.values()) comments.end();
    this.readProbe();
    if (this.video === null && this.hasAudio) throw new UnsupportedFormatError('The file has no picture.');
    if (!this.picture) throw new UnreadableFileError('The file’s picture can’t be read.');
    const { size, aspect } = this.picture;
    return {
      facts: videoFacts('mpegps', displayedSize(size, aspect), this.times.duration),
      rewrite: await this.redaction.rewrite(),
    };
  }

  private async scrubUnit(unit: Unit): Promise<void> {
    if (unit.id < ID.map) return;
    if (unit.id === ID.map) return this.scrubMap(unit);
    const head = await this.window.at(unit.start, Math.min(LONGEST_PES_HEADER, unit.end - unit.start));
    const isVideo = unit.id >> 4 === 0xe || unit.id === ID.extended;
    const header = readPesHeader(head) ?? { ...readMpeg1Header(head), unused: [] };
    if (!isVideo && !isSound(unit.id, head, header.size)) {
      if (unit.id !== ID.padding) this.redaction.overwrite(unit.start + 3, PADDING);
      // In MPEG-1 a padding packet starts like a packet without a timestamp.
      const isMarked = unit.id === ID.padding && head.length > 6 && head.u8(6) === NO_TIME;
      this.redaction.fill(unit.start + (isMarked ? 7 : 6), unit.end, 0xff);
      return;
    }
    for (const [from, to, value] of header.unused) {
      if (head.bytes.subarray(from, to).some((byte) => byte !== value)) {
        this.redaction.fill(unit.start + from, unit.start + to, value);
      }
    }
    if (!isVideo) this.hasAudio = true;
    else await this.scrubVideo(unit, Math.min(unit.start + header.size, unit.end), header.pts);
  }

  private async scrubVideo(unit: Unit, payload: number, pts: number | null): Promise<void> {
    let comments = this.comments.get(unit.id);
    if (!comments) {
      comments = new StartCodeScrubber(this.redaction, this.mapped.get(unit.id) ?? null);
      this.comments.set(unit.id, comments);
    }
    const { bytes } = await this.window.at(payload, unit.end - payload);
    comments.feed(bytes, payload);
    await this.readVideo(unit, payload, pts);
  }

  private async readVideo(unit: Unit, payload: number, pts: number | null): Promise<void> {
    this.video ??= unit.id;
    if (unit.id !== this.video) return;
    if (pts !== null) this.times.add(pts);
    if (this.picture) return;
    const { bytes } = await this.window.at(payload, unit.end - payload);
    this.probe.push(bytes);
    this.probed += bytes.length;
    if (this.probed >= PROBE) this.readProbe();
  }

  private readProbe(): void {
    if (this.picture || this.video === null) return;
    const bytes = Buffer.concat(this.probe);
    const codec = this.mapped.get(this.video) ?? guessCodec(bytes);
    this.picture = codec && streamPicture(bytes, codec);
    this.probe = [bytes.subarray(-PROBE_OVERLAP)];
    this.probed = Math.min(PROBE_OVERLAP, bytes.length);
  }

  /** Removes the descriptors from a program stream map, which lists the codecs (section 2.5.4). */
  private async scrubMap(unit: Unit): Promise<void> {
    const view = await this.window.at(unit.start, unit.end - unit.start);
    const entries: number[] = [];
    const first = 10 + view.u16(8) + 2;
    for (
      let at = first;
      at + 4 <= Math.min(first + view.u16(first - 2), view.length - 4);
      at += 4 + view.u16(at + 2)
    ) {
      const codec = videoCodec(view.u8(at));
      if (codec !== undefined) this.mapped.set(view.u8(at + 1), codec);
      entries.push(view.u8(at), view.u8(at + 1), 0, 0);
    }
    const map = Buffer.from([...view.bytes.subarray(0, 8), 0, 0, 0, 0, ...entries, 0, 0, 0, 0]);
    map.writeUInt16BE(map.length - 6, 4);
    map.writeUInt16BE(entries.length, 10);
    map.writeUInt32BE(crc32Msb(map.subarray(0, -4)), map.length - 4);
    if (Buffer.compare(map, view.bytes) === 0) return;
    if (map.length > view.length) throw new UnreadableFileError('The stream map is invalid.');
    this.redaction.overwrite(unit.start, map);
    this.redaction.cut(unit.start + map.length, unit.end);
  }

  /** All units in order. Bytes between them are cut out. */
  private async *units(): AsyncGenerator<Unit> {
    let end = 0;
    let stray = 0;
    for (let at = 0; at < this.source.size;) {
      const unit = await this.unitAt(at);
      if (!unit) {
        if (++stray > MAX_STRAY) throw new UnreadableFileError('The packets can’t be found.');
        at++;
        continue;
      }
      this.redaction.cut(end, at);
      yield unit;
      at = end = unit.end;
    }
    this.redaction.cut(end, this.source.size);
  }

  private async unitAt(at: number): Promise<Unit | null> {
    const head = await this.window.at(at, 14);
    if (head.length < 4 || head.u24(0) !== 1 || head.u8(3) < ID.end) return null;
    const id = head.u8(3);
    if (id === ID.end) return { id, start: at, end: at + 4 };
    if (head.length < 6) return null;
    const size = id === ID.pack ? packSize(head) : 6 + head.u16(4);
    if (size <= 6 || (at + size > this.source.size && id < ID.private1)) return null;
    return { id, start: at, end: Math.min(at + size, this.source.size) };
  }
}

/** Bytes of an MPEG-2 or MPEG-1 pack header; 0 if it is neither. */
function packSize(head: ByteView): number {
  if (head.u8(4) >> 6 === 1) return head.length < 14 ? 0 : 14 + (head.u8(13) & 7);
  return head.u8(4) >> 4 === 2 ? 12 : 0;
}

/**
 * Whether a packet is sound: MPEG audio, or in private stream 1 DVD's formats, by their first byte: AC-3, DTS, SDDS,
 * LPCM, TrueHD, E-AC-3.
 */
function isSound(id: number, head: ByteView, payload: number): boolean {
  if (id >> 5 === 6) return true;
  if (id !== ID.private1 || payload >= head.length) return false;
  const kind = head.u8(payload);
  const isRawAc3 = kind === 0x0b && payload + 1 < head.length && head.u8(payload + 1) === 0x77;
  return isRawAc3 || (kind >= 0x80 && kind <= 0xcf);
}
