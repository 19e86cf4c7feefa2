import { SingleFlight } from './single-flight';

describe('SingleFlight', () => {
  it('gives callers that come during a run the result of that run', async () => {
    let runs = 0;
    const flight = new SingleFlight(async () => ++runs);
    expect(await Promise.all([flight.run(), flight.run(), flight.run()])).toEqual([1, 1, 1]);
    expect(await flight.run()).toBe(2);
  });

  it('passes a failure to all callers, and runs again afterwards', async () => {
    let runs = 0;
    const flight = new SingleFlight(async () => {
      if (++runs === 1) throw new Error('failed');
      return runs;
    });
    const results = await Promise.allSettled([flight.run(), flight.run()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await flight.run()).toBe(2);
  });

  it('returns the run that is in progress', async () => {
    let end = (): void => undefined;
    const flight = new SingleFlight(() => new Promise<void>((resolve) => (end = resolve)));
    expect(flight.current).toBeUndefined();
    const run = flight.run();
    expect(flight.current).toBe(run);
    end();
    await run;
    expect(flight.current).toBeUndefined();
  });

  it('runs once again for all wake-ups that come during a run, and ignores the failure of such a run', async () => {
    const ends: (() => void)[] = [];
    let runs = 0;
    const flight = new SingleFlight(async () => {
      if (++runs === 2) throw new Error('failed');
      await new Promise<void>((resolve) => ends.push(resolve));
    });
    flight.wake();
    const first = flight.current;
    flight.wake();
    flight.wake();
    expect(runs).toBe(1);
    ends[0]?.();
    await first;
    await Promise.allSettled([flight.current]);
    expect([runs, flight.current]).toEqual([2, undefined]);
  });
});
