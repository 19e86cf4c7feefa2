import { concatBytes } from '../bytes/arrays';
import { MemorySource } from '../bytes/memory-source';
import { u32 } from '../bytes/numbers';
import { asciiBytes } from '../bytes/text';
import { UnreadableFileError } from '../errors/file-errors';
import { parseBoxes, readBoxes, writeBox } from './boxes';

describe('boxes', () => {
  const large = concatBytes([u32(1), asciiBytes('mdat'), u32(0, 20), asciiBytes('data')]);
  const toTheEnd = concatBytes([u32(0), asciiBytes('free'), asciiBytes('rest')]);

  it('are read with 32-bit sizes, 64-bit sizes, sizes up to the end, and names of 16 bytes', async () => {
    const uuid = writeBox('uuid', new Uint8Array(16).fill(0xab), asciiBytes('x'));
    const bytes = concatBytes([writeBox('ftyp', asciiBytes('isom')), large, uuid, toTheEnd]);
    const expected = [
      { type: 'ftyp', start: 0, body: 8, end: 12 },
      { type: 'mdat', start: 12, body: 28, end: 32 },
      { type: 'uuid', start: 32, body: 56, end: 57, uuid: 'ab'.repeat(16) },
      { type: 'free', start: 57, body: 65, end: 69 },
    ];
    expect(parseBoxes(bytes)).toEqual(expected);
    expect(await readBoxes(new MemorySource(bytes))).toEqual(expected);
  });

  it('may not be longer than their parent, unless the last is truncated or left out on request', async () => {
    const bytes = concatBytes([writeBox('free'), u32(100), asciiBytes('mdat')]);
    const source = new MemorySource(bytes);
    await expect(readBoxes(source)).rejects.toThrow(UnreadableFileError);
    expect(await readBoxes(source, 0, source.size, { clampLast: true })).toHaveLength(2);
    expect(await readBoxes(source, 0, source.size, { garbageAtEnd: true })).toHaveLength(1);
  });

  it('are limited in number', () => {
    const bytes = concatBytes(Array.from({ length: 11 }, () => writeBox('free')));
    expect(() => parseBoxes(bytes, 0, bytes.length, { limit: 10 })).toThrow(UnreadableFileError);
  });

  it.each([2, 7])('of %d bytes are refused', (size) => {
    expect(() => parseBoxes(concatBytes([u32(size), asciiBytes('free')]))).toThrow(UnreadableFileError);
  });
});
