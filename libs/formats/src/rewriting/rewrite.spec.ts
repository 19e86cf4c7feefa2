import fc from 'fast-check';
import { MemorySource } from '../bytes/memory-source';
import { rewrittenBytes, rewrittenSize, type Segment } from './rewrite';

const file = Uint8Array.from({ length: 3_000_000 }, (_, at) => (at * 31 + (at >> 8)) & 0xff);
const source = new MemorySource(file);

const segment: fc.Arbitrary<Segment> = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => ({ bytes })),
  fc.tuple(fc.nat(file.length), fc.nat(500)).map(([from, length]) => range(from, length)),
  fc.tuple(fc.nat(file.length), fc.nat(file.length)).map(([from, length]) => range(from, length)),
);

function range(from: number, length: number): Segment {
  return { from, to: Math.min(from + length, file.length) };
}

async function collected(segments: readonly Segment[] | null): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of rewrittenBytes(source, segments)) chunks.push(Buffer.from(chunk));
  return chunks;
}

describe('rewrittenBytes', () => {
  it('joins the segments in order, in chunks of at most 1 MiB', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { maxLength: 12 }), async (segments) => {
        const chunks = await collected(segments);
        const wanted = segments.map((part) =>
          'bytes' in part ? part.bytes : file.subarray(part.from, part.to),
        );
        expect(Buffer.compare(Buffer.concat(chunks), Buffer.concat(wanted))).toBe(0);
        expect(rewrittenSize(source, segments)).toBe(wanted.reduce((sum, { length }) => sum + length, 0));
        expect(Math.max(0, ...chunks.map(({ length }) => length))).toBeLessThanOrEqual(1 << 20);
        expect(chunks.every(({ length }) => length > 0)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('returns the file itself if there is nothing to rewrite', async () => {
    expect(Buffer.compare(Buffer.concat(await collected(null)), file)).toBe(0);
    expect(rewrittenSize(source, null)).toBe(file.length);
  });

  it('needs few reads and few chunks for many small pieces', async () => {
    let reads = 0;
    const counting = {
      size: source.size,
      read: (offset: number, length: number) => {
        reads++;
        return source.read(offset, length);
      },
    };
    const blank = new Uint8Array(100);
    const segments = Array.from({ length: 10_000 }, (_, at) => [
      range(at * 200, 100),
      { bytes: blank },
    ]).flat();
    let chunks = 0;
    for await (const chunk of rewrittenBytes(counting, segments)) if (chunk.length > 0) chunks++;
    expect(reads).toBeLessThan(40);
    expect(chunks).toBeLessThan(4);
  });
});
