import { expiryOf } from './token-expiry';

describe('expiryOf', () => {
  const now = new Date('2026-12-30T22:00:00Z');

  it.each([
    ['never', '', null],
    ['week', '', '2027-01-06T23:59:59Z'],
    ['year', '2099-01-01', '2027-12-30T23:59:59Z'],
    ['day', '2027-03-01', '2027-03-01T23:59:59Z'],
    ['day', '', undefined],
    ['day', '1 March', undefined],
    ['toString', '', undefined],
    ['', '', undefined],
  ])('returns the expiry for %j and %j: %j', (choice, day, expected) => {
    expect(expiryOf(choice, day, now)).toBe(expected);
  });

  it('returns the same time all day, so that sending a form twice requests the same', () => {
    expect(expiryOf('month', '', new Date('2026-12-30T00:00:00Z'))).toBe(expiryOf('month', '', now));
  });
});
