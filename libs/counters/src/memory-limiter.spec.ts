import { MemoryLimiter } from './memory-limiter';

describe('MemoryLimiter', () => {
  it('limits the counts in a window that begins with the first, and takes counts back', () => {
    const limiter = new MemoryLimiter(2, 60);
    expect(limiter.get('a')).toBeNull();
    expect([limiter.consume('a'), limiter.consume('a')].map(({ exceeded }) => exceeded)).toEqual([
      false,
      false,
    ]);
    expect(limiter.consume('a')).toMatchObject({ exceeded: true, remainingPoints: 0 });
    limiter.reward('a');
    limiter.reward('a');
    expect(limiter.get('a')).toMatchObject({ remainingPoints: 1 });
    const { msBeforeNext } = limiter.consume('b');
    expect(msBeforeNext).toBeGreaterThan(50_000);
    expect(msBeforeNext).toBeLessThanOrEqual(60_000);
  });

  it('counts from zero when the window has ended', () => {
    const limiter = new MemoryLimiter(1, 0);
    expect([limiter.consume('a'), limiter.consume('a')].map(({ exceeded }) => exceeded)).toEqual([
      false,
      false,
    ]);
    expect(limiter.get('a')).toBeNull();
  });

  it('remembers a bounded number of keys, those counted last', () => {
    const limiter = new MemoryLimiter(1, 60, 100);
    limiter.consume('kept');
    for (let key = 0; key < 10_000; key++) {
      limiter.consume(String(key));
      if (key % 50 === 0) limiter.consume('kept');
    }
    expect(limiter.size).toBe(100);
    expect(limiter.consume('kept').exceeded).toBe(true);
    expect(limiter.consume('9999').exceeded).toBe(true);
    expect(limiter.consume('0').exceeded).toBe(false);
  });
});
