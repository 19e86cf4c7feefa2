import { concatBytes } from '../bytes/arrays';
import { MemorySource } from '../bytes/memory-source';
import type { Inspection, Inspector } from '../facts/inspection';
import { rewrittenBytes } from '../rewriting/rewrite';

/** Inspects a file in memory, and returns its scrubbed form too. */
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
