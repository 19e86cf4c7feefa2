import { isTooSlow } from './pace';

describe('isTooSlow', () => {
  const pace = { idleSeconds: 20, totalSeconds: 1800, minBytesPerSecond: 1000 };

  it('is false for a slow start', () => {
    expect(isTooSlow(pace, 20, 20, 0)).toBe(false);
  });

  it('is true after too long a silence', () => {
    expect(isTooSlow(pace, 100, 20.1, 50_000_000)).toBe(true);
  });

  it('is true for a low average rate', () => {
    expect(isTooSlow(pace, 60, 0.1, 39_999)).toBe(true);
    expect(isTooSlow(pace, 60, 0.1, 40_000)).toBe(false);
  });

  it('is true after the total time', () => {
    expect(isTooSlow(pace, 1800.1, 0, 1e9)).toBe(true);
  });
});
