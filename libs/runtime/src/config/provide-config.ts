import type { FactoryProvider } from '@nestjs/common';
import { loadConfig } from './setting';

/**
 * A Nest provider of a configuration class, read off the process's environment at boot. `runService` finds the class
 * in the module that provides it, and checks it with all the others before anything is built.
 */
export function provideConfig<T extends object>(type: new () => T): FactoryProvider<T> {
  // The one place of the project that reads the environment.
  // eslint-disable-next-line no-restricted-properties
  return { provide: type, useFactory: () => loadConfig(type, process.env) };
}
