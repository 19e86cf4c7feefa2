import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

const storage = new AsyncLocalStorage<string>();

/** Returns the id that connects everything that one request causes; a new one outside of any. */
export const correlationId = (): string => storage.getStore() ?? randomUUID();

/** Returns the current id, for log lines; undefined if there is none. */
export const currentCorrelationId = (): string | undefined => storage.getStore();

/** Runs `work` with this id: its log lines and events carry it. */
export const withCorrelation = <T>(id: string, work: () => T): T => storage.run(id, work);
