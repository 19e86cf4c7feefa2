import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** What is known about the request, or the message, that is being handled. */
interface Cause {
  readonly id: string;
  address?: string;
}

const storage = new AsyncLocalStorage<Cause>();

/** Returns the id that connects everything that one request causes; a new one outside of any. */
export const correlationId = (): string => storage.getStore()?.id ?? randomUUID();

/** Returns the current id, for log lines; undefined if there is none. */
export const currentCorrelationId = (): string | undefined => storage.getStore()?.id;

/** Runs `work` with this id: its log lines and events carry it. */
export const withCorrelation = <T>(id: string, work: () => T): T => storage.run({ id }, work);

/** Notes the IP address of the client whose request is being handled. */
export function noteClientAddress(address: string): void {
  const cause = storage.getStore();
  if (cause) cause.address = address;
}

/** The IP address of the client whose request is being handled; undefined if there is no request, or it isn't known. */
export const currentClientAddress = (): string | undefined => storage.getStore()?.address;
