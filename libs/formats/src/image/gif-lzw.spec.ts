import fc from 'fast-check';
import { encodeLzw, LzwReader } from './gif-lzw';

const pictures = fc.integer({ min: 2, max: 8 }).chain((codeSize) =>
  fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.integer({ min: 1, max: 60 }), fc.boolean())
    .map(([some, times, isNoisy]) => {
      const indices = Uint8Array.from({ length: some.length * times }, (_, at) => {
        const value = some[at % some.length] ?? 0;
        return (isNoisy ? value * (at + 7) + (at >> 3) : value) & ((1 << codeSize) - 1);
      });
      return { codeSize, indices };
    }),
);

describe('LZW of GIF', () => {
  it('reads what it writes, in pieces of any length', () => {
    fc.assert(
      fc.property(pictures, fc.integer({ min: 1, max: 300 }), ({ codeSize, indices }, step) => {
        const stream = encodeLzw(indices, codeSize);
        const target = new Uint8Array(indices.length);
        const [reader, meter] = [new LzwReader(codeSize, target), new LzwReader(codeSize)];
        for (let at = 0; at < stream.length; at += step) {
          reader.add(stream.subarray(at, at + step));
          meter.add(stream.subarray(at, at + step));
        }
        const content = { pixels: indices.length, highest: Math.max(...indices), isValid: true };
        expect(reader.content).toEqual(content);
        expect(meter.content).toEqual(content);
        expect(Buffer.compare(target, indices)).toBe(0);
      }),
    );
  });

  it.each([
    ['with a code before it is defined', [0b00_111_100, 0], 2],
    ['with bytes after its end code', [0b01_001_100, 0b1, 7], 2],
  ])('finds a stream %s', (_, bytes, codeSize) => {
    const reader = new LzwReader(codeSize);
    reader.add(Uint8Array.from(bytes));
    expect(reader.content.isValid).toBe(false);
  });
});
