import type { ByteSource } from '../bytes/byte-source';
import { WindowReader } from '../bytes/window-reader';
import { UnreadableFileError } from '../errors/file-errors';
import { rewrittenSize, type Rewrite, type Segment } from './rewrite';

/** A real file has a handful of runs. A file with more runs than this was made to exhaust memory. */
const MAX_SEGMENTS = 200_000;
/** Replacements are held in memory until the file is written. A drawing of 10 MiB needs the most. */
const MAX_LITERAL_BYTES = 32 * 1024 * 1024;

/** Composes a scrubbed file, in order. Adjacent runs of the source become one. */
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

  /** Adds bytes that replace some of the source. */
  put(bytes: Uint8Array): void {
    this.literalBytes += bytes.length;
    if (this.literalBytes > MAX_LITERAL_BYTES)
      throw new UnreadableFileError('The file has too much to rewrite.');
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

  /** The finished rewrite; null if it would produce the source's own bytes. */
  async finish(source: ByteSource): Promise<Rewrite> {
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

/** Bytes of the segments together. */
export function segmentsSize(segments: readonly Segment[]): number {
  return segments.reduce((sum, part) => sum + ('bytes' in part ? part.bytes.length : part.to - part.from), 0);
}
