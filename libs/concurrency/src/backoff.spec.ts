import fc from 'fast-check';
import { Backoff } from './backoff';

describe('Backoff', () => {
  it('doubles the delay with each failure in a row, up to the longest, and starts again after a success', () => {
    const backoff = new Backoff({ firstMs: 100, longestMs: 500 });
    expect(Array.from({ length: 5 }, () => backoff.afterFailure())).toEqual([100, 200, 400, 500, 500]);
    backoff.reset();
    expect(backoff.afterFailure()).toBe(100);
  });

  it('never waits for less time than before, or for more than the longest delay', () => {
    const ms = fc.integer({ min: 1, max: 10_000 });
    fc.assert(
      fc.property(ms, ms, fc.integer({ min: 1, max: 100 }), (firstMs, more, failures) => {
        const longestMs = firstMs + more;
        const backoff = new Backoff({ firstMs, longestMs });
        const delays = Array.from({ length: failures }, () => backoff.afterFailure());
        expect(delays[0]).toBe(firstMs);
        expect(delays).toEqual([...delays].sort((a, b) => a - b));
        expect(Math.max(...delays)).toBeLessThanOrEqual(longestMs);
      }),
    );
  });
});
