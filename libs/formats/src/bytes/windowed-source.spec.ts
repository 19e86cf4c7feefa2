import fc from 'fast-check';
import { MemorySource } from './memory-source';
import { WindowedSource } from './windowed-source';

const file = Uint8Array.from({ length: 3_000_000 }, (_, at) => (at * 31 + (at >> 8)) & 0xff);

describe('WindowedSource', () => {
  it('returns the bytes of the file at any offset', async () => {
    const windowed = new WindowedSource(new MemorySource(file));
    const place = fc.tuple(fc.nat(file.length), fc.oneof(fc.nat(300), fc.nat(200_000)));
    await fc.assert(
      fc.asyncProperty(place, async ([offset, length]) => {
        const bytes = await windowed.read(offset, length);
        expect(Buffer.compare(bytes, file.subarray(offset, offset + length))).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it('reads the file rarely for many short reads', async () => {
    const memory = new MemorySource(file);
    const read = jest.spyOn(memory, 'read');
    const windowed = new WindowedSource(memory);
    for (let at = 0; at < 500_000; at += 50) await windowed.read(at, 12);
    expect(read.mock.calls.length).toBeLessThan(400);
  });
});
