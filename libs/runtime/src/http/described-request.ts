import type { IncomingMessage } from 'node:http';

/** What handlers know about a request, for metrics, log lines and spans. */
interface Description {
  route?: string;
  caller?: string;
}

const descriptions = new WeakMap<IncomingMessage, Description>();

/** Sets the route pattern of a request that no route of the framework answers, e.g. `/assets/*`. */
export const nameRoute = (request: IncomingMessage, route: string): void => describe(request, { route });

/** Sets the kind of caller that a request has, e.g. `session`; never who it is. */
export const nameCaller = (request: IncomingMessage, caller: string): void => describe(request, { caller });

export const descriptionOf = (request: IncomingMessage): Description => descriptions.get(request) ?? {};

function describe(request: IncomingMessage, facts: Description): void {
  descriptions.set(request, { ...descriptions.get(request), ...facts });
}
