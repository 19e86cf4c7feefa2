import type { IncomingMessage } from 'node:http';

/** What those who answer a request know of it, for metrics, log lines and spans. */
interface Description {
  route?: string;
  caller?: string;
}

const descriptions = new WeakMap<IncomingMessage, Description>();

/** Names the pattern of a path that is answered without a route of the framework's, e.g. `/assets/*`. */
export const nameRoute = (request: IncomingMessage, route: string): void => describe(request, { route });

/** Says what kind of caller a request turned out to have, e.g. `session`; never who it is. */
export const nameCaller = (request: IncomingMessage, caller: string): void => describe(request, { caller });

export const descriptionOf = (request: IncomingMessage): Description => descriptions.get(request) ?? {};

function describe(request: IncomingMessage, facts: Description): void {
  descriptions.set(request, { ...descriptions.get(request), ...facts });
}
