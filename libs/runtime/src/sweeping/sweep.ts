import type { FactoryProvider, Type } from '@nestjs/common';

/** A periodic task of a process. Any number of processes may run it at the same time. */
export abstract class Sweep {
  /** The name in logs and metrics. */
  abstract readonly name: string;
  /** The pause between the end of a run and the next one; for a sweep that rests, after it was woken. */
  abstract readonly intervalSeconds: number;
  /**
   * The pause of a sweep that somebody wakes (`Sweeper.wake`) when there is work. Until then it only runs this often,
   * in case that its work wasn't noticed. Undefined for the others.
   */
  readonly restSeconds: number | undefined = undefined;
  /** The part of each pause by which it varies at random, so that replicas don't run at the same moment. */
  readonly jitter: number = 0.1;
  /** Whether it runs when the process starts; else it first waits for one interval. */
  readonly startsAtOnce: boolean = true;

  /**
   * Does the work, and stops when `mayContinue` returns false. Returns counts by action, for the log and the metrics; zeros
   * are not logged. An error is logged, and the next run tries again.
   */
  abstract runOnce(mayContinue: () => boolean): Promise<Readonly<Record<string, number>>>;
}

class ProvidedSweep extends Sweep {
  override readonly jitter = 0.5;

  constructor(
    readonly name: string,
    readonly intervalSeconds: number,
    override readonly startsAtOnce: boolean,
    readonly runOnce: Sweep['runOnce'],
  ) {
    super();
  }
}

/**
 * Provides a sweep that calls a service of the module, by default about every hour, first an hour after the start. `name`
 * is its name in logs and metrics; `run` returns counts by action, as `Sweep.runOnce` does.
 */
export const provideSweep = <Service>(
  name: string,
  service: Type<Service>,
  run: (service: Service, ...parameters: Parameters<Sweep['runOnce']>) => ReturnType<Sweep['runOnce']>,
  { intervalSeconds = 3600, startsAtOnce = false } = {},
): FactoryProvider<Sweep> => ({
  provide: `sweep: ${name}`,
  inject: [service],
  useFactory: (instance: Service) =>
    new ProvidedSweep(name, intervalSeconds, startsAtOnce, (mayContinue) => run(instance, mayContinue)),
});
