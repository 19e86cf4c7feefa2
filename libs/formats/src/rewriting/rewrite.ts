import { concatBytes } from '../bytes/arrays';
import type { ByteSource } from '../bytes/byte-source';

/** A run of the source's own bytes (`from` inclusive, `to` exclusive), or bytes that replace some of them. */
export type Segment = { readonly from: number; readonly to: number } | { readonly bytes: Uint8Array };

/** How to compose the scrubbed file, in order. `null` if the source is already clean. */
export type Rewrite = readonly Segment[] | null;

const COPY_CHUNK = 1 << 20;
const READ_AHEAD = 1 << 16;

/** Bytes of the file that `rewrite` describes. */
export function rewrittenSize(source: ByteSource, rewrite: Rewrite): number {
  if (!rewrite) return source.size;
  return rewrite.reduce((sum, part) => sum + ('bytes' in part ? part.bytes.length : part.to - part.from), 0);
}

/**
 * The scrubbed file, in chunks of at most 1 MiB (or the length of one replacement). Small pieces are gathered: a file
 * in a hundred thousand pieces, such as a transport stream, costs neither a read nor a chunk for each.
 */
export async function* rewrittenBytes(source: ByteSource, rewrite: Rewrite): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces(source, rewrite ?? [{ from: 0, to: source.size }])) {
    if (size + piece.length > COPY_CHUNK && size > 0) {
      yield joined(gathered);
      gathered = [];
      size = 0;
    }
    gathered.push(piece);
    size += piece.length;
  }
  if (size > 0) yield joined(gathered);
}

/** The scrubbed file in memory: for small files only. */
export async function readRewritten(source: ByteSource, rewrite: Rewrite): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of rewrittenBytes(source, rewrite)) chunks.push(chunk);
  return concatBytes(chunks);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  return parts.length === 1 && only ? only : Buffer.concat(parts);
}

/** The pieces in order. Small runs of the source come from one larger read. */
async function* pieces(source: ByteSource, segments: readonly Segment[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  let ahead: Uint8Array = new Uint8Array(0);
  for (const part of segments) {
    if ('bytes' in part) {
      if (part.bytes.length > 0) yield part.bytes;
      continue;
    }
    for (let at = part.from; at < part.to;) {
      const length = Math.min(COPY_CHUNK, part.to - at);
      const end = start + ahead.length;
      if (at < start || at + length > end) {
        // Runs in any other order are read one by one, because reading ahead for each would read the file many times.
        const isNext = at >= end && at - end < READ_AHEAD;
        start = at;
        ahead = await source.read(at, isNext ? Math.max(length, READ_AHEAD) : length);
      }
      yield ahead.subarray(at - start, at - start + length);
      at += length;
    }
  }
}
