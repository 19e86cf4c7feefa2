import { sizeInWords } from './words';

describe('sizeInWords', () => {
  it.each([
    [104_857_600, '100 MB'],
    [1_572_864, '1.5 MB'],
    [200_000, '195.3 KB'],
    [512, '512 bytes'],
    [20 * 1024 ** 3, '20 GB'],
    [1.5 * 1024 ** 4, '1.5 TB'],
  ])('formats %d bytes as %s, rounded down', (bytes, words) => {
    expect(sizeInWords(bytes)).toBe(words);
  });
});
