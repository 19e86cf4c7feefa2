import { isTooSlow } from './pace';

describe('isTooSlow', () => {
  const pace = { idleSeconds: 20, totalSeconds: 1800, minBytesPerSecond: 1000 };

  it('gives everyone time to begin', () => {
    expect(isTooSlow(pace, 20, 20, 0)).toBe(false);
  });

  it('ends silence', () => {
    expect(isTooSlow(pace, 100, 20.1, 50_000_000)).toBe(true);
  });

  it('ends a trickle', () => {
    expect(isTooSlow(pace, 60, 0.1, 39_999)).toBe(true);
    expect(isTooSlow(pace, 60, 0.1, 40_000)).toBe(false);
  });

  it('ends what takes for ever', () => {
    expect(isTooSlow(pace, 1800.1, 0, 1e9)).toBe(true);
  });
});
