import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { untilAborted, waitAtMost, withDeadline } from './deadline';

const never = new Promise<never>(() => undefined);
const deadline = (ms: number): { ms: number; late: () => Error } => ({ ms, late: () => new Error('late') });

describe('withDeadline', () => {
  it('passes on the result or the failure of work that ends in time', async () => {
    expect(await withDeadline(deadline(10_000), async () => 'done')).toBe('done');
    await expect(withDeadline(deadline(10_000), () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
  });

  it('rejects with the given error when the work takes too long', async () => {
    await expect(withDeadline(deadline(1), () => never)).rejects.toThrow('late');
    await expect(withDeadline(deadline(-1), () => never)).rejects.toThrow('late');
  });

  it('accepts a result that came while the process paused', async () => {
    // After the check phase, timers come first.
    await new Promise(setImmediate);
    const works = [
      withDeadline(deadline(10), () => promisify(randomBytes)(16)),
      waitAtMost(10, promisify(randomBytes)(16)),
    ];
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    expect(await Promise.all(works)).toEqual([expect.any(Buffer), true]);
  });

  it('ignores a failure after the deadline', async () => {
    let fail = (_: Error): void => undefined;
    const work = new Promise<never>((_, reject) => (fail = reject));
    await expect(withDeadline(deadline(1), () => work)).rejects.toThrow('late');
    // As an unhandled rejection this would end the test run.
    fail(new Error('too late'));
    await new Promise(setImmediate);
  });

  it('restarts the time whenever the work shows progress', async () => {
    jest.useFakeTimers();
    try {
      const steps = withDeadline(deadline(200), async (renew) => {
        for (let step = 0; step < 5; step++) {
          await jest.advanceTimersByTimeAsync(199);
          renew();
        }
        return 'done';
      });
      expect(await steps).toBe('done');
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('waitAtMost', () => {
  it('tells whether the work ended in time', async () => {
    expect(await waitAtMost(10_000, Promise.resolve('done'))).toBe(true);
    expect(await waitAtMost(1, never)).toBe(false);
  });

  it('rejects if the work rejects in time', async () => {
    await expect(waitAtMost(10_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });
});

describe('untilAborted', () => {
  it('gives the result or the failure of the work', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve('done'), signal)).toBe('done');
    await expect(untilAborted(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
  });

  it('rejects with the reason of the signal, also if it was aborted before, and ignores a later failure', async () => {
    const control = new AbortController();
    let fail = (_: Error): void => undefined;
    const waiting = untilAborted(new Promise<never>((_, reject) => (fail = reject)), control.signal);
    control.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(untilAborted(never, control.signal)).rejects.toThrow('enough');
    // As an unhandled rejection this would end the test run.
    fail(new Error('too late'));
    await new Promise(setImmediate);
  });
});
