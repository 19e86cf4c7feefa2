import type { FactoryProvider } from '@nestjs/common';
import { loadConfig } from './setting';

/** Reads a configuration class from the process's environment, for programs that build no Nest application. */
export function readConfig<T extends object>(type: new () => T): T {
  // Only this line and `runService` read the environment.
  // eslint-disable-next-line no-restricted-properties
  return loadConfig(type, process.env);
}

/**
 * Returns a Nest provider of a configuration class, which reads the process's environment. `runService` finds the class
 * in the module that provides it, and checks it with all others before it builds the application.
 */
export function provideConfig<T extends object>(type: new () => T): FactoryProvider<T> {
  return { provide: type, useFactory: () => readConfig(type) };
}
