import { type ByteSource, SourceWindow } from '../../bytes/byte-source';
import { ascii, asciiBytes, hasAscii } from '../../bytes/text';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import { displayedSize, SQUARE, type Ratio, type Size } from '../../facts/displayed-size';
import type { Inspection } from '../../facts/inspection';
import { videoFacts } from '../../facts/media-facts';
import { isSoftwareText } from '../../metadata/software-name';
import { Redaction } from '../../rewriting/redaction';
import { codecOfLetters, PICTURE_CODECS } from '../elementary/picture-codecs';
import { SampleScrubber, type SampleCoding } from '../elementary/sample-scrubber';

/** A RIFF chunk; offsets count from the start of the file. */
interface Chunk {
  readonly id: string;
  /** The type of a list, for `RIFF` and `LIST`. */
  readonly list: string;
  readonly start: number;
  /** First byte after the header, and after a list's type. */
  readonly body: number;
  /** End of the content; a byte of padding may follow an odd one. */
  readonly end: number;
  readonly next: number;
}

interface Stream {
  /** `vids`, `auds`, `iavs` (DV, both in one), `txts`, …; empty until its header is read. */
  kind: string;
  size: Size;
  aspect: Ratio;
  /** Seconds. */
  duration: number;
  /** Scrubs pictures that may hold comments. */
  comments: SampleScrubber | null;
}

const JUNK = asciiBytes('JUNK');
/** Limit of the samples: twenty hours of sound in samples of 20 ms, and of pictures. */
const MAX_CHUNKS = 2_000_000;
const MAX_STREAMS = 100;
/** Bytes of `strf` before a codec's own headers. */
const BITMAP_HEADER = 40;
const PICTURE_OR_SOUND = /^\d\d(?:d[bc]|wb)$/;
const PICTURE = /^\d\dd[bc]$/;
const KEPT_STREAMS = /^(?:vids|auds|iavs)$/;

/** A program's name is shorter. */
const MAX_NOTE = 128;
/** Room that a short recording did not need: for a stream's index, and for the extended header. */
const INDEX = '\x04\0\0\0\0\0\0\0';
const EXTENDED_HEADER = 'odmldmlh\xf8\0\0\0';

/** Bytes at the start of a JUNK chunk that aren't personal: an unused reservation, or a program's name. */
function reservedBytes(head: Uint8Array, size: number): number {
  if (size <= MAX_NOTE && isSoftwareText(head)) return size;
  if (hasAscii(head, 0, EXTENDED_HEADER)) return EXTENDED_HEADER.length;
  const isIndex = hasAscii(head, 0, INDEX) && PICTURE_OR_SOUND.test(ascii(head, INDEX.length, 4));
  return isIndex ? INDEX.length + 4 : 0;
}

/** Reads AVI, including OpenDML's extensions, and turns chunks other than sound and picture into blank `JUNK`. */
export async function inspectAvi(source: ByteSource): Promise<Inspection> {
  return new AviScrubber(source).run();
}

class AviScrubber {
  private readonly window: SourceWindow;
  private readonly redaction: Redaction;
  private readonly streams: Stream[] = [];
  private chunks = 0;
  private mainDuration = 0;
  private mainSize: Size = { width: 0, height: 0 };
  private hasData = false;

  constructor(private readonly source: ByteSource) {
    this.window = new SourceWindow(source);
    this.redaction = new Redaction(source);
  }

  async run(): Promise<Inspection> {
    let at = 0;
    for (let first = true; ; first = false) {
      const riff = await this.chunkAt(at, this.source.size);
      if (riff?.id !== 'RIFF' || riff.list !== (first ? 'AVI ' : 'AVIX')) break;
      at = await this.scrubRiff(riff);
      if (at < riff.next) break;
    }
    this.redaction.cut(at, this.source.size);

    const video = this.streams.find(({ kind }) => kind === 'vids' || kind === 'iavs');
    if (!video) {
      if (this.streams.some(({ kind }) => kind === 'auds'))
        throw new UnsupportedFormatError('The file has no picture.');
      throw new UnreadableFileError('The file has no stream to show.');
    }
    if (!this.hasData) throw new UnreadableFileError('The file holds no data.');
    return {
      facts: videoFacts('avi', displayedSize(video.size, video.aspect), video.duration || this.mainDuration),
      rewrite: await this.redaction.rewrite(),
    };
  }
  /** Scrubs one RIFF list. Returns how far it can be read. */
  private scrubRiff(riff: Chunk): Promise<number> {
    return this.eachChunk(riff.body, riff.end, async (chunk) => {
      if (chunk.list === 'hdrl') await this.scrubHeader(chunk);
      else if (chunk.list === 'movi') {
        this.hasData = true;
        await this.eachChunkOf(chunk, (sample) => this.scrubRecordOrSample(sample));
      } else if (chunk.list === 'INFO') await this.scrubInfo(chunk);
      else if (chunk.id !== 'idx1') await this.redact(chunk);
    });
  }

  /**
   * Keeps the program's name of the information about the file (Microsoft's RIFF specification, "INFO list chunk").
   */
  private async scrubInfo(info: Chunk): Promise<void> {
    const others: Chunk[] = [];
    let hasSoftware = false;
    const end = await this.eachChunk(info.body, info.end, async (chunk) => {
      if (!hasSoftware && (await this.isSoftware(chunk))) hasSoftware = true;
      else others.push(chunk);
    });
    if (!hasSoftware) return this.redact(info);
    for (const chunk of others) await this.redact(chunk);
    this.redaction.fill(end, info.end);
  }

  private async isSoftware({ id, body, end }: Chunk): Promise<boolean> {
    return (
      id === 'ISFT' &&
      end - body <= MAX_NOTE &&
      isSoftwareText((await this.window.at(body, end - body)).bytes)
    );
  }

  private scrubHeader(header: Chunk): Promise<void> {
    return this.eachChunkOf(header, async (chunk) => {
      if (chunk.id === 'avih') {
        const fields = await this.window.at(chunk.body, 56);
        this.mainDuration = (fields.u32le(0) * fields.u32le(16)) / 1e6;
        this.mainSize = { width: fields.u32le(32), height: fields.u32le(36) };
      } else if (chunk.list === 'strl') await this.scrubStream(chunk);
      else if (chunk.list === 'odml') {
        await this.eachChunkOf(chunk, async (extension) => {
          if (extension.id !== 'dmlh') await this.redact(extension);
        });
      } else await this.redact(chunk);
    });
  }

  /** A removed stream keeps its place in the numbering, but no content. */
  private async scrubStream(list: Chunk): Promise<void> {
    if (this.streams.length >= MAX_STREAMS) throw new UnreadableFileError('The file has too many streams.');
    const stream: Stream = { kind: '', size: this.mainSize, aspect: SQUARE, duration: 0, comments: null };
    this.streams.push(stream);
    await this.eachChunkOf(list, async (chunk) => {
      const fields = await this.window.at(chunk.body, Math.min(64, chunk.end - chunk.body));
      if (chunk.id === 'strh') {
        stream.kind = fields.ascii(0, 4);
        stream.duration = (fields.u32le(32) * fields.u32le(20)) / (fields.u32le(24) || Infinity);
      } else if (!KEPT_STREAMS.test(stream.kind)) this.redaction.fill(chunk.body, chunk.end);
      else if (chunk.id === 'strf') {
        if (stream.kind === 'vids') {
          stream.size = { width: fields.i32le(4), height: Math.abs(fields.i32le(8)) };
          const { coding } = codecOfLetters(fields.length < 20 ? '' : fields.ascii(16, 4));
          this.scrubBy(stream, coding);
          if (coding?.codec !== 'dv') await stream.comments?.scrub(chunk.body + BITMAP_HEADER, chunk.end);
        } else if (stream.kind === 'iavs') this.scrubBy(stream, PICTURE_CODECS.dv.coding);
      } else if (chunk.id === 'vprp') {
        const [down, across] = [fields.u16le(20), fields.u16le(22)];
        stream.aspect = { num: across * fields.u32le(28), den: down * fields.u32le(24) };
      } else if (chunk.id !== 'indx') await this.redact(chunk);
    });
  }

  private scrubBy(stream: Stream, coding: SampleCoding | null): void {
    stream.comments = coding && new SampleScrubber(this.window, this.redaction, coding);
  }

  /** Samples may lie in records. A record inside a record is not read, so that nesting is limited. */
  private scrubRecordOrSample(chunk: Chunk): Promise<void> {
    if (chunk.list === 'rec ') return this.eachChunkOf(chunk, (sample) => this.scrubSample(sample));
    return this.scrubSample(chunk);
  }

  private async scrubSample(chunk: Chunk): Promise<void> {
    if (/^ix\d\d$/.test(chunk.id)) return;
    const stream = /^\d\d/.test(chunk.id) ? this.streams[Number(chunk.id.slice(0, 2))] : undefined;
    if (!stream) await this.redact(chunk);
    else if (!KEPT_STREAMS.test(stream.kind)) this.redaction.fill(chunk.body, chunk.end);
    else if (stream.comments && (PICTURE.test(chunk.id) || stream.kind === 'iavs'))
      await stream.comments.scrub(chunk.body, chunk.end);
  }

  private async redact({ id, start, end }: Chunk): Promise<void> {
    if (id !== 'JUNK') this.redaction.overwrite(start, JUNK);
    const body = start + 8;
    const head = await this.window.at(body, Math.min(MAX_NOTE, end - body));
    this.redaction.fill(body + (id === 'JUNK' ? reservedBytes(head.bytes, end - body) : 0), end);
  }

  /** Calls `eachChunk` on a list's content, and overwrites the unreadable end of it with zeros. */
  private async eachChunkOf(list: Chunk, visit: (chunk: Chunk) => Promise<void>): Promise<void> {
    const at = await this.eachChunk(list.body, list.end, visit);
    this.redaction.fill(at, list.end);
  }

  private async eachChunk(from: number, to: number, visit: (chunk: Chunk) => Promise<void>): Promise<number> {
    let at = from;
    while (at < to) {
      const chunk = await this.chunkAt(at, to);
      if (!chunk) break;
      await visit(chunk);
      at = chunk.next;
    }
    return Math.min(at, to);
  }

  /** The chunk at `at`, truncated at the end of its parent; null if there is none. */
  private async chunkAt(at: number, parentEnd: number): Promise<Chunk | null> {
    if (++this.chunks > MAX_CHUNKS) throw new UnreadableFileError('The file holds too many chunks.');
    const head = await this.window.at(at, 12);
    if (head.length < 8 || at + 8 > parentEnd) return null;
    const id = head.ascii(0, 4);
    if (!/^[ -~]{4}$/.test(id)) return null;
    const isList = (id === 'RIFF' || id === 'LIST') && head.length === 12 && at + 12 <= parentEnd;
    const list = isList ? head.ascii(8, 4) : '';
    const size = head.u32le(4);
    // A recorder that lost power did not write these sizes.
    const isOpen = isList && size < 4 && (id === 'RIFF' || list === 'movi');
    const end = isOpen ? parentEnd : Math.min(at + 8 + size, parentEnd);
    const body = isList ? Math.min(at + 12, end) : at + 8;
    return { id, list, start: at, body, end, next: await this.afterPadding(end, parentEnd) };
  }

  /** The end of an odd chunk including its padding, which some writers omit. */
  private async afterPadding(end: number, parentEnd: number): Promise<number> {
    if (end % 2 === 0 || end >= parentEnd) return end;
    const here = await this.window.at(end, 4);
    return here.length === 4 && /^(?:\d\d[a-z_]{2}|LIST|idx1|JUNK)$/.test(here.ascii(0, 4))
      ? end
      : Math.min(end + 1, parentEnd);
  }
}
