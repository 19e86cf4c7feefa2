import type { ByteSource } from '../byte-source';
import { UnreadableFileError } from '../media-format';
import { rewrittenSize, type Rewrite, type Segment } from '../rewrite';
import { equalBytes } from './cursor';

/** A real file is a handful of runs; one chopped finer than this only wants to cost memory. */
const MAX_SEGMENTS = 200_000;

/** Puts a scrubbed file together, in order; neighbouring runs of the source become one. */
export class RewriteBuilder {
  private readonly segments: Segment[] = [];

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
    let at = 0;
    for (const segment of this.segments) {
      if ('bytes' in segment) {
        if (!equalBytes(segment.bytes, await source.read(at, segment.bytes.length))) return this.segments;
        at += segment.bytes.length;
      } else {
        if (segment.from !== at) return this.segments;
        at = segment.to;
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
