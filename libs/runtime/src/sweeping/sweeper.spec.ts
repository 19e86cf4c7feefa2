import { Injectable, Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Registry } from 'prom-client';
import { RuntimeConfig } from '../config/runtime.config';
import { RuntimeModule } from '../runtime.module';
import { provideSweep, Sweep } from './sweep';
import { Sweeper } from './sweeper';

/** A sweep whose runs the test scripts. */
class ScriptedSweep extends Sweep {
  readonly name = 'scripted';
  readonly intervalSeconds = 10;
  override readonly jitter: number;
  override readonly startsAtOnce: boolean;
  override readonly restSeconds: number | undefined;
  runs = 0;

  constructor(
    private readonly script: (run: number, mayContinue: () => boolean) => Promise<Record<string, number>>,
    {
      jitter = 0.1,
      startsAtOnce = true,
      restSeconds,
    }: Partial<Pick<Sweep, 'jitter' | 'startsAtOnce' | 'restSeconds'>> = {},
  ) {
    super();
    this.restSeconds = restSeconds;
    this.jitter = jitter;
    this.startsAtOnce = startsAtOnce;
  }

  runOnce(mayContinue: () => boolean): Promise<Record<string, number>> {
    return this.script(this.runs++, mayContinue);
  }
}

const nothing = (): Promise<Record<string, number>> => Promise.resolve({});

describe('Sweeper', () => {
  let registry: Registry;
  let sweeper: Sweeper;
  let warn: jest.SpyInstance;
  let log: jest.SpyInstance;

  beforeEach(() => {
    jest.useFakeTimers();
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    log = jest.spyOn(Logger.prototype, 'log').mockImplementation();
    registry = new Registry();
    sweeper = new Sweeper(registry);
  });
  afterEach(async () => {
    await sweeper.beforeApplicationShutdown();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const seconds = (count: number): Promise<void> => jest.advanceTimersByTimeAsync(count * 1000);
  const lines = (spy: jest.SpyInstance): unknown[] => spy.mock.calls.map(([line]: unknown[]) => line);

  it.each([
    [0, 0.1, 9],
    [1, 0.1, 11],
    [0, 0.5, 5],
    [1, 0.5, 15],
  ])(
    'with a random number of %d and a jitter of %d, pauses for %d seconds',
    async (chance, jitter, pause) => {
      jest.spyOn(Math, 'random').mockReturnValue(chance);
      const sweep = new ScriptedSweep(nothing, { jitter });
      sweeper.begin(sweep);
      expect(sweep.runs).toBe(1);
      for (const runs of [2, 3]) {
        await seconds(pause - 0.1);
        expect(sweep.runs).toBe(runs - 1);
        await seconds(0.1);
        expect(sweep.runs).toBe(runs);
      }
    },
  );

  it('begins with a pause if the sweep asks for it', async () => {
    const sweep = new ScriptedSweep(nothing, { startsAtOnce: false });
    sweeper.begin(sweep);
    await seconds(8.9);
    expect(sweep.runs).toBe(0);
    await seconds(2.2);
    expect(sweep.runs).toBe(1);
  });

  it('pauses after a run, however long that takes', async () => {
    const ends: (() => void)[] = [];
    const sweep = new ScriptedSweep(() => new Promise((end) => ends.push(() => end({}))));
    sweeper.begin(sweep);
    await seconds(100);
    expect(sweep.runs).toBe(1);
    ends[0]?.();
    await seconds(11);
    expect(sweep.runs).toBe(2);
    ends[1]?.();
  });

  it('lets a sweep rest until it is woken, and runs it until it is no longer woken', async () => {
    const sweep = new ScriptedSweep(nothing, { restSeconds: 100, jitter: 0 });
    sweeper.begin(sweep);
    await seconds(50);
    expect(sweep.runs).toBe(1);
    sweeper.wake(sweep);
    await seconds(0);
    expect(sweep.runs).toBe(2);
    // Woken again before its interval has passed.
    sweeper.wake(sweep);
    await seconds(9.9);
    expect(sweep.runs).toBe(2);
    await seconds(0.1);
    expect(sweep.runs).toBe(3);
    // Again without being woken, because the last run was for work.
    await seconds(10);
    expect(sweep.runs).toBe(4);
    await seconds(99);
    expect(sweep.runs).toBe(4);
    await seconds(1);
    expect(sweep.runs).toBe(5);
  });

  it('runs a sweep again that was woken during a run or that failed', async () => {
    const ends: (() => void)[] = [];
    const sweep = new ScriptedSweep(
      (run) =>
        run < 2
          ? new Promise((resolve, reject) =>
              ends.push(() => (run === 0 ? resolve({}) : reject(new Error('away')))),
            )
          : nothing(),
      { restSeconds: 100, jitter: 0 },
    );
    sweeper.begin(sweep);
    sweeper.wake(sweep);
    ends[0]?.();
    for (const run of [1, 2]) {
      await seconds(9.9);
      expect(sweep.runs).toBe(run);
      await seconds(0.1);
      expect(sweep.runs).toBe(run + 1);
      ends[run]?.();
    }
  });

  it('counts and logs actions, but no zeros', async () => {
    const sweep = new ScriptedSweep((run) => Promise.resolve({ removed: run === 0 ? 2 : 0, kept: 0 }));
    sweeper.begin(sweep);
    await seconds(11);
    expect(sweep.runs).toBe(2);
    expect(lines(log)).toEqual(['scripted: removed 2']);
    const metric = await registry.getSingleMetricAsString('vitrine_swept_total');
    expect(metric.split('\n').slice(2)).toEqual(['vitrine_swept_total{sweep="scripted",action="removed"} 2']);
  });

  it('runs a failed sweep again, and logs each new failure and the recovery once', async () => {
    const failures = ['away', 'away', 'refused', null, 'away'];
    const sweep = new ScriptedSweep((run) => {
      const failure = failures[run];
      return failure ? Promise.reject(new Error(failure)) : nothing();
    });
    sweeper.begin(sweep);
    for (let run = 2; run <= 6; run++) {
      await seconds(11);
      expect(sweep.runs).toBeGreaterThanOrEqual(run);
    }
    expect(lines(warn)).toEqual([
      'scripted failed and will be tried again: away',
      'scripted failed and will be tried again: refused',
      'scripted failed and will be tried again: away',
    ]);
    expect(lines(log)).toEqual(['scripted: works again', 'scripted: works again']);
  });

  it('continues other sweeps if one fails or hangs', async () => {
    const [failing, hanging, fine] = [
      new ScriptedSweep(() => Promise.reject(new Error('away'))),
      new ScriptedSweep(
        (_, mayContinue) => new Promise((end) => setInterval(() => !mayContinue() && end({}), 100)),
      ),
      new ScriptedSweep(nothing),
    ];
    for (const sweep of [failing, hanging, fine]) sweeper.begin(sweep);
    await seconds(11);
    expect([failing.runs, hanging.runs, fine.runs]).toEqual([2, 1, 2]);
    const stopped = sweeper.beforeApplicationShutdown();
    await seconds(0.1);
    await stopped;
  });

  it('stops when the current runs end, asks them to finish early, and starts no more', async () => {
    let end = (): void => undefined;
    let asked = (): boolean => true;
    const sweep = new ScriptedSweep((_, mayContinue) => {
      asked = mayContinue;
      return new Promise((resolve) => (end = () => resolve({})));
    });
    const waiting = new ScriptedSweep(nothing);
    for (const one of [sweep, waiting]) sweeper.begin(one);
    await seconds(1);
    expect(asked()).toBe(true);
    let isStopped = false;
    const stopped = sweeper.beforeApplicationShutdown().then(() => (isStopped = true));
    await seconds(100);
    expect([isStopped, asked()]).toEqual([false, false]);
    end();
    await stopped;
    const late = new ScriptedSweep(nothing);
    sweeper.begin(late);
    await seconds(100);
    expect([sweep.runs, waiting.runs, late.runs]).toEqual([1, 1, 0]);
    expect(jest.getTimerCount()).toBe(0);
  });
});

@Injectable()
class ProvidedSweep extends ScriptedSweep {
  constructor() {
    super(nothing);
  }
}

describe('RuntimeModule', () => {
  it('runs every sweep that a module provides, once', async () => {
    const module = await Test.createTestingModule({
      imports: [RuntimeModule],
      providers: [ProvidedSweep, { provide: 'another name', useExisting: ProvidedSweep }],
    })
      .overrideProvider(RuntimeConfig)
      .useValue({ managementPort: 0, managementHost: '127.0.0.1' })
      .compile();
    const sweep = module.get(ProvidedSweep);
    expect(sweep.runs).toBe(0);
    await module.init();
    expect(sweep.runs).toBe(1);
    await module.close();
  });

  it('runs an hourly sweep with its service, first after about an hour', async () => {
    const begun: Sweep[] = [];
    const begin = jest
      .spyOn(Sweeper.prototype, 'begin')
      .mockImplementation((sweep) => void begun.push(sweep));
    class Cellar {
      bottles = 3;
    }
    const hourly = provideSweep('old bottles', Cellar, (cellar) =>
      Promise.resolve({ removed: cellar.bottles }),
    );
    const module = await Test.createTestingModule({
      imports: [RuntimeModule],
      providers: [Cellar, hourly],
    })
      .overrideProvider(RuntimeConfig)
      .useValue({ managementPort: 0, managementHost: '127.0.0.1' })
      .compile();
    await module.init();
    await module.close();
    begin.mockRestore();
    expect(begun).toMatchObject([{ name: 'old bottles', intervalSeconds: 3600, startsAtOnce: false }]);
    expect(await begun[0]?.runOnce(() => true)).toEqual({ removed: 3 });
  });
});
