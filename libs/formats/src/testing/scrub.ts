import { asciiBytes } from '../bytes/text';
import { MemorySource } from '../bytes/memory-source';
import type { Inspection, Inspector } from '../facts/inspection';
import { readRewritten } from '../rewriting/rewrite';

/** Planted in every place of a sample where metadata can be; scrubbing must remove every copy. */
export const CANARY = 'CANARY-48.8584N-2.2945E';
export const canary = asciiBytes(CANARY);

/** Inspects a file in memory, and returns its scrubbed form too. */
export async function scrub(
  inspector: Inspector,
  bytes: Uint8Array,
): Promise<Inspection & { scrubbed: Uint8Array }> {
  const source = new MemorySource(bytes);
  const inspection = await inspector(source);
  return { ...inspection, scrubbed: await readRewritten(source, inspection.rewrite) };
}
