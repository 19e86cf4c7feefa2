import type { ByteSource } from './byte-source';

/** A run of the source's own bytes (`from` inclusive, `to` exclusive), or bytes that take their place. */
export type Segment = { readonly from: number; readonly to: number } | { readonly bytes: Uint8Array };

/** How the scrubbed file is put together, in order. `null` where the source is already clean. */
export type Rewrite = readonly Segment[] | null;

const COPY_CHUNK = 1 << 20;

/** Bytes of the file that `rewrite` describes. */
export function rewrittenSize(source: ByteSource, rewrite: Rewrite): number {
  if (!rewrite) return source.size;
  return rewrite.reduce((sum, part) => sum + ('bytes' in part ? part.bytes.length : part.to - part.from), 0);
}

/** The scrubbed file, in chunks of at most 1 MiB of source bytes. */
export async function* rewrittenBytes(source: ByteSource, rewrite: Rewrite): AsyncGenerator<Uint8Array> {
  for (const part of rewrite ?? [{ from: 0, to: source.size }]) {
    if ('bytes' in part) {
      if (part.bytes.length > 0) yield part.bytes;
      continue;
    }
    for (let at = part.from; at < part.to; at += COPY_CHUNK) {
      yield await source.read(at, Math.min(COPY_CHUNK, part.to - at));
    }
  }
}
