import type { SourceWindow } from '../../bytes/byte-source';
import type { Redaction } from '../../rewriting/redaction';
import { av1Notes } from './av1-metadata';
import { dvNotes } from './dv-packs';
import { jpegComments } from './jpeg-comments';
import { isSei, seiComments, type NalCodec } from './sei-comments';
import { StartCodeScrubber } from './start-code-scrubber';

/** How a container stores the samples of a picture track whose codec allows comments. */
export type SampleCoding =
  | { readonly codec: NalCodec; readonly lengthSize: number }
  | { readonly codec: 'h264-stream' | 'hevc-stream' | 'mpeg' | 'mpeg4' | 'jpeg' | 'dv' | 'av1' };

const CHUNK = 1 << 16;
/** Far longer than any comment, or any frame of Motion JPEG and DV. Bytes after it are not scrubbed. */
const MAX_SEI = 1 << 20;
const MAX_FRAME = 1 << 24;
/** Header, type and size of a message, and one byte of it. A shorter unit holds no message. */
const SHORTEST_SEI = 4;

/** Overwrites what cameras and programs write about themselves into a track's samples. Pictures stay unchanged. */
export class SampleScrubber {
  private readonly stream: StartCodeScrubber | null;

  constructor(
    private readonly window: SourceWindow,
    private readonly redaction: Redaction,
    private readonly coding: SampleCoding,
  ) {
    const { codec } = coding;
    if (codec === 'jpeg' || codec === 'dv' || codec === 'av1' || 'lengthSize' in coding) this.stream = null;
    else {
      const family = codec === 'h264-stream' ? 'h264' : codec === 'hevc-stream' ? 'hevc' : codec;
      this.stream = new StartCodeScrubber(redaction, family);
    }
  }

  /** Scrubs one sample, `[from, to)` of the file. */
  async scrub(from: number, to: number): Promise<void> {
    if (this.stream) await this.scrubStream(this.stream, from, to);
    else if ('lengthSize' in this.coding) await this.scrubUnits(this.coding, from, to);
    else await this.scrubFrame(from, to);
  }

  private async scrubStream(stream: StartCodeScrubber, from: number, to: number): Promise<void> {
    for (let at = from; at < to; at += CHUNK) {
      const { bytes } = await this.window.at(at, Math.min(CHUNK, to - at));
      stream.feed(bytes, at);
      if (bytes.length === 0) break;
    }
    stream.end();
  }

  /** Scrubs NAL units that follow their lengths; skips all units except comments. */
  private async scrubUnits(
    { codec, lengthSize }: { codec: NalCodec; lengthSize: number },
    from: number,
    to: number,
  ): Promise<void> {
    for (let at = from; at + lengthSize < to;) {
      const { bytes } = await this.window.at(at, Math.min(CHUNK, to - at));
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      let offset = 0;
      while (offset + lengthSize < bytes.length) {
        const start = offset + lengthSize;
        const end = start + chunk.readUIntBE(offset, lengthSize);
        if (isSei(codec, bytes[start] ?? 0) && end - start >= SHORTEST_SEI) {
          if (end > bytes.length && offset > 0) break;
          if (end <= bytes.length) this.redactSei(codec, bytes.subarray(start, end), at + start);
          else await this.scrubSei(codec, at + start, Math.min(at + end, to));
        }
        offset = end;
      }
      if (offset === 0) return;
      at += offset;
    }
  }

  private async scrubSei(codec: NalCodec, from: number, to: number): Promise<void> {
    const { bytes } = await this.window.at(from, Math.min(to - from, MAX_SEI));
    this.redactSei(codec, bytes, from);
  }

  private redactSei(codec: NalCodec, unit: Uint8Array, from: number): void {
    for (const part of seiComments(codec, unit)) this.redaction.fill(from + part.from, from + part.to, 0xff);
  }

  private async scrubFrame(from: number, to: number): Promise<void> {
    const { bytes } = await this.window.at(from, Math.min(to - from, MAX_FRAME));
    const frame = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (this.coding.codec === 'av1') {
      for (const part of av1Notes(frame)) this.redaction.fill(from + part.from, from + part.to, part.value);
    } else if (this.coding.codec === 'dv') {
      for (const part of dvNotes(frame)) this.redaction.fill(from + part.from, from + part.to, 0xff);
    } else for (const part of jpegComments(frame)) this.redaction.fill(from + part.from, from + part.to);
  }
}
