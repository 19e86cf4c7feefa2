import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

const storage = new AsyncLocalStorage<string>();

/** The id that ties together everything one request set off; a fresh one outside of any. */
export const correlationId = (): string => storage.getStore() ?? randomUUID();

/** The id in force, if any; for log lines. */
export const currentCorrelationId = (): string | undefined => storage.getStore();

/** Runs `work` under the given id: what it logs and publishes carries it. */
export const withCorrelation = <T>(id: string, work: () => T): T => storage.run(id, work);
