import { concatBytes } from '../bytes/cursor';
import { MemorySource } from '../bytes/memory-source';
import type { Inspection, Inspector } from '../media-format';
import { rewrittenBytes } from '../rewrite';

/** Inspects a file that lies in memory, and puts its scrubbed form together. */
export async function scrub(
  inspector: Inspector,
  bytes: Uint8Array,
): Promise<Inspection & { scrubbed: Uint8Array }> {
  const source = new MemorySource(bytes);
  const inspection = await inspector(source);
  const chunks: Uint8Array[] = [];
  for await (const chunk of rewrittenBytes(source, inspection.rewrite)) chunks.push(chunk);
  return { ...inspection, scrubbed: concatBytes(chunks) };
}
