import fc from 'fast-check';
import { retryDelay, retryPolicy } from './retry';
import { readRetryAfter, VitrineError, type VitrineErrorDetails } from './vitrine-error';

const policy = retryPolicy();
const error = (details: Partial<VitrineErrorDetails>): VitrineError =>
  new VitrineError({ code: 'server_error', message: '', ...details });

describe('retryDelay', () => {
  it('repeats 429 and 503 always, and other failures only if the request is repeatable', () => {
    const repeated = (details: Partial<VitrineErrorDetails>): boolean[] =>
      [false, true].map((repeatable) => retryDelay(error(details), 1, repeatable, policy) !== undefined);

    expect(repeated({ code: 'rate_limited', status: 429 })).toEqual([true, true]);
    expect(repeated({ code: 'unavailable', status: 503 })).toEqual([true, true]);
    expect(repeated({ code: 'server_error', status: 500 })).toEqual([false, true]);
    expect(repeated({ code: 'unavailable', status: 502 })).toEqual([false, true]);
    expect(repeated({ code: 'conflict', status: 409 })).toEqual([false, true]);
    expect(repeated({ code: 'network' })).toEqual([false, true]);
    for (const status of [400, 401, 403, 404, 422, 451, 507]) {
      expect({ status, repeated: repeated({ code: 'invalid', status }) }).toEqual({
        status,
        repeated: [false, false],
      });
    }
    expect(retryDelay(new TypeError('a bug'), 1, true, policy)).toBeUndefined();
  });

  it('waits at least Retry-After, and gives up if that is too long', () => {
    const told = (retryAfter: number) =>
      retryDelay(error({ status: 429, code: 'rate_limited', retryAfter }), 1, false, policy);
    expect(told(60)).toBeGreaterThanOrEqual(60_000);
    expect(told(60)).toBeLessThanOrEqual(60_000 + policy.baseDelayMs);
    expect(told(61)).toBeUndefined();
  });

  it('waits longer after each attempt, up to the maximum, and gives up after the last one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, r) => {
          const patient = { ...policy, attempts: 61 };
          const delay = retryDelay(error({ code: 'network' }), attempt, true, patient, () => r) ?? NaN;
          const longest = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempt - 1));
          expect(delay).toBeGreaterThanOrEqual(longest / 2);
          expect(delay).toBeLessThanOrEqual(longest);
        },
      ),
    );
    expect(retryDelay(error({ code: 'network' }), policy.attempts, true, policy)).toBeUndefined();
    expect(retryDelay(error({ code: 'network' }), 1, true, retryPolicy(false))).toBeUndefined();
  });
});

describe('readRetryAfter', () => {
  it('reads seconds and dates', () => {
    const now = Date.parse('2026-01-31T12:00:00Z');
    expect(readRetryAfter('120', now)).toBe(120);
    expect(readRetryAfter('Sat, 31 Jan 2026 12:01:30 GMT', now)).toBe(90);
    expect(readRetryAfter('Sat, 31 Jan 2026 11:00:00 GMT', now)).toBe(0);
    expect(readRetryAfter('soon', now)).toBeUndefined();
    expect(readRetryAfter(null, now)).toBeUndefined();
  });
});
