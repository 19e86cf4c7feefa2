import type { FactoryProvider } from '@nestjs/common';
import { loadConfig } from './setting';

/** A Nest provider of a configuration class, read off the process's environment at boot. */
export function provideConfig<T extends object>(type: new () => T): FactoryProvider<T> {
  // The one place of the project that reads the environment.
  // eslint-disable-next-line no-restricted-properties
  return { provide: type, useFactory: () => loadConfig(type, process.env) };
}
