import type { ByteSource } from '../../bytes/byte-source';
import { ByteView } from '../../bytes/byte-view';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import { displayedSize } from '../../facts/displayed-size';
import type { Inspection } from '../../facts/inspection';
import { videoFacts } from '../../facts/media-facts';
import { Redaction } from '../../rewriting/redaction';
import { oggCodec, type OggCodec } from './codec';
import { oggPages, sealPage, type Page } from './page';

const MAX_STREAMS = 256;
/** Limit of a header packet. Comments may hold pictures, and all pages of a packet are held until its end. */
const MAX_HEADER = 1 << 24;

/**
 * Reads Ogg (RFC 3533) that holds video. Empties comment headers in place, and cuts out logical streams that are
 * neither sound nor picture, page by page.
 */
export async function inspectOgg(source: ByteSource): Promise<Inspection> {
  const redaction = new Redaction(source);
  const streams = new Map<number, LogicalStream | null>();
  const all: LogicalStream[] = [];
  for await (const page of oggPages(source, (from, to) => redaction.cut(from, to))) {
    if (page.isFirst) {
      if (all.length >= MAX_STREAMS) throw new UnreadableFileError('The file holds too many streams.');
      const codec = oggCodec(firstPacket(page));
      const stream = codec && new LogicalStream(codec, redaction);
      streams.set(page.serial, stream);
      if (stream) all.push(stream);
    }
    const stream = streams.get(page.serial);
    if (stream) stream.take(page);
    else redaction.cut(page.start, page.end);
  }
  all.forEach((stream) => stream.close());

  const video = all.find(({ codec }) => codec.kind === 'video');
  if (!video?.codec.size) {
    if (all.length > 0) throw new UnsupportedFormatError('The file has no picture.');
    throw new UnreadableFileError('The file has no stream to show.');
  }
  return {
    facts: videoFacts('ogg', displayedSize(video.codec.size, video.codec.aspect), video.end),
    rewrite: await redaction.rewrite(),
  };
}

function firstPacket(page: Page): ByteView {
  const part = page.parts[0];
  return part ? page.view.slice(part.from, part.to) : page.view.slice(0, 0);
}

/** A kept stream. Joins its header packets from their pages, scrubs them, and writes them back. */
class LogicalStream {
  /** Seconds at which the last picture so far ends. */
  end = 0;
  private packets = 0;
  private inHeaders = true;
  /** The pages of the unfinished packet, as copies to change, and the packet's parts. */
  private held: { readonly start: number; readonly original: Uint8Array; readonly view: ByteView }[] = [];
  private parts: ByteView[] = [];
  private heldBytes = 0;

  constructor(
    readonly codec: OggCodec,
    private readonly redaction: Redaction,
  ) {}

  take(page: Page): void {
    if (page.granule >= 0n && this.codec.seconds)
      this.end = Math.max(this.end, this.codec.seconds(page.granule));
    if (!this.inHeaders) return;
    const view = new ByteView(Uint8Array.from(page.view.bytes));
    this.held.push({ start: page.start, original: page.view.bytes, view });
    this.heldBytes += view.length;
    if (this.heldBytes > MAX_HEADER) throw new UnreadableFileError('A header doesn’t end.');
    for (const { from, to, isEnd } of page.parts) {
      if (!this.inHeaders) break;
      this.parts.push(view.slice(from, to));
      if (isEnd) this.endPacket();
    }
    if (this.parts.length === 0) this.release();
  }

  /** Call it at the end of the file. */
  close(): void {
    if (this.inHeaders) throw new UnreadableFileError('The headers are truncated.');
  }

  private endPacket(): void {
    const index = this.packets++;
    if (index > 0) {
      const packet = new ByteView(Buffer.concat(this.parts.map(({ bytes }) => bytes)));
      this.inHeaders = this.codec.scrubHeader(packet, index);
      let at = 0;
      for (const { bytes } of this.parts) bytes.set(packet.bytes.subarray(at, (at += bytes.length)));
    }
    this.parts = [];
  }

  /** Writes and releases the held pages, once no packet on them is unfinished. */
  private release(): void {
    for (const { start, original, view } of this.held) {
      if (Buffer.compare(original, view.bytes) === 0) continue;
      sealPage(view);
      this.redaction.overwrite(start, view.bytes);
    }
    this.held = [];
    this.heldBytes = 0;
  }
}
