import { inspect, type Inspection, MemorySource, readRewritten } from '@vitrine/formats';

/** A file as an upload stores it. Rejects with the refusals of `inspect`. */
export async function stored(file: Uint8Array): Promise<Inspection & { readonly served: Buffer }> {
  const source = new MemorySource(file);
  const inspection = await inspect(source);
  return { ...inspection, served: Buffer.from(await readRewritten(source, inspection.rewrite)) };
}
