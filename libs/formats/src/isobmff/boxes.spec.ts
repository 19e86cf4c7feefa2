import { asciiBytes, concatBytes } from '../bytes/cursor';
import { MemorySource } from '../bytes/memory-source';
import { UnreadableFileError } from '../media-format';
import { parseBoxes, readBoxes, u32, writeBox } from './boxes';

describe('boxes', () => {
  const large = concatBytes([u32(1), asciiBytes('mdat'), u32(0, 20), asciiBytes('data')]);
  const toTheEnd = concatBytes([u32(0), asciiBytes('free'), asciiBytes('rest')]);

  it('are read with sizes of 32 and 64 bits, to the end, and with names of 16 bytes', async () => {
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

  it('may not be longer than what they lie in, unless the last is to be cut or left out', async () => {
    const bytes = concatBytes([writeBox('free'), u32(100), asciiBytes('mdat')]);
    const source = new MemorySource(bytes);
    await expect(readBoxes(source)).rejects.toThrow(UnreadableFileError);
    expect(await readBoxes(source, 0, source.size, { clampLast: true })).toHaveLength(2);
    expect(await readBoxes(source, 0, source.size, { garbageAtEnd: true })).toHaveLength(1);
  });

  it('are not counted without end', () => {
    const bytes = concatBytes(Array.from({ length: 11 }, () => writeBox('free')));
    expect(() => parseBoxes(bytes, 0, bytes.length, { limit: 10 })).toThrow(UnreadableFileError);
  });

  it.each([2, 7])('of %d bytes make no sense', (size) => {
    expect(() => parseBoxes(concatBytes([u32(size), asciiBytes('free')]))).toThrow(UnreadableFileError);
  });
});
