import { NotFoundException } from '@nestjs/common';
import { idOf, idOrNull, pageNumber, wholeNumber } from './query-parameters';

const NO_NUMBERS = [
  '',
  ' 1',
  '+1',
  '1.5',
  '1e3',
  '0x1',
  'NaN',
  'Infinity',
  undefined,
  ['1', '2'],
  '9'.repeat(16),
];

describe('numbers in addresses', () => {
  it('are parsed within the API’s limits', () => {
    expect(wholeNumber('0', 0)).toBe(0);
    expect(wholeNumber('0', 1)).toBeUndefined();
    expect(wholeNumber('2147483647', 0)).toBe(2_147_483_647);
    expect(wholeNumber('2147483648', 0)).toBeUndefined();
    expect(pageNumber('12')).toBe(12);
    expect(pageNumber('0')).toBe(1);
    expect(idOrNull('999999999999999')).toBe(999_999_999_999_999);
    expect(idOrNull('0')).toBeNull();
    expect(idOf('7')).toBe(7);
  });

  it.each(NO_NUMBERS)('are not parsed from %j', (text) => {
    expect(wholeNumber(text, 0)).toBeUndefined();
    expect(pageNumber(text)).toBe(1);
    expect(idOrNull(text)).toBeNull();
    expect(() => idOf(String(text))).toThrow(NotFoundException);
  });
});
