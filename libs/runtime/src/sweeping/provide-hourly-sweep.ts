import type { FactoryProvider, Type } from '@nestjs/common';
import { Sweep } from './sweep';

class HourlySweep extends Sweep {
  readonly intervalSeconds = 3600;
  override readonly jitter = 0.5;
  override readonly startsAtOnce = false;

  constructor(
    readonly name: string,
    readonly runOnce: () => Promise<Readonly<Record<string, number>>>,
  ) {
    super();
  }
}

/**
 * Provides a sweep that calls a service of the module about every hour, first an hour after the start. `name` is its
 * name in logs and metrics; `run` returns counts by action, as `Sweep.runOnce` does.
 */
export const provideHourlySweep = <Service>(
  name: string,
  service: Type<Service>,
  run: (service: Service) => Promise<Readonly<Record<string, number>>>,
): FactoryProvider<Sweep> => ({
  provide: `sweep: ${name}`,
  inject: [service],
  useFactory: (instance: Service) => new HourlySweep(name, () => run(instance)),
});
