import type { ByteSource } from '../byte-source';
import { UnreadableFileError } from '../media-format';
import { rewrittenSize, type Rewrite, type Segment } from '../rewrite';
import { WindowReader } from './window-reader';

/** A real file is a handful of runs; one chopped finer than this only wants to cost memory. */
const MAX_SEGMENTS = 200_000;
/** What isn't the source's is held in memory until the file is written; a drawing of 10 MiB needs the most. */
const MAX_LITERAL_BYTES = 32 * 1024 * 1024;

/** Puts a scrubbed file together, in order; neighbouring runs of the source become one. */
export class RewriteBuilder {
  private readonly segments: Segment[] = [];
  private literalBytes = 0;

  /** Keeps the source's bytes from `from` up to `to`. */
  keep(from: number, to: number): void {
    if (to <= from) return;
    const last = this.segments.at(-1);
    if (last && 'to' in last && last.to === from)
      this.segments[this.segments.length - 1] = { from: last.from, to };
    else this.push({ from, to });
  }

  /** Puts bytes in the place of the source's. */
  put(bytes: Uint8Array): void {
    this.literalBytes += bytes.length;
    if (this.literalBytes > MAX_LITERAL_BYTES)
      throw new UnreadableFileError('The file has too much to write anew.');
    if (bytes.length > 0) this.push({ bytes });
  }

  append(segments: readonly Segment[]): void {
    for (const segment of segments) {
      if ('bytes' in segment) this.put(segment.bytes);
      else this.keep(segment.from, segment.to);
    }
  }

  get parts(): readonly Segment[] {
    return this.segments;
  }

  /** The finished rewrite; `null` where it would give the source's own bytes again. */
  async settle(source: ByteSource): Promise<Rewrite> {
    if (rewrittenSize(source, this.segments) !== source.size) return this.segments;
    const reader = new WindowReader(source);
    for (const segment of this.segments) {
      if ('bytes' in segment) {
        const { length } = segment.bytes;
        if (!reader.has(length)) await reader.ensure(length);
        if (Buffer.compare(segment.bytes, reader.take(length)) !== 0) return this.segments;
      } else {
        if (segment.from !== reader.position) return this.segments;
        reader.position = segment.to;
      }
    }
    return null;
  }

  private push(segment: Segment): void {
    if (this.segments.length >= MAX_SEGMENTS)
      throw new UnreadableFileError('The file is in too many pieces.');
    this.segments.push(segment);
  }
}

/** Bytes that the segments come to. */
export function segmentsSize(segments: readonly Segment[]): number {
  return segments.reduce((sum, part) => sum + ('bytes' in part ? part.bytes.length : part.to - part.from), 0);
}
