import type { IncomingMessage } from 'node:http';

/** The headers by which browsers mark a prefetch (Fetch, 3.10 `Sec-Purpose`; `Purpose` is its older form). */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose'];

/** Whether a request counts as a view: `HEAD`, and a prefetch or prerendering of a browser, do not. */
export const isView = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean =>
  method === 'GET' && !PURPOSE_HEADERS.some((name) => saysPrefetch(headers[name]));

/** `prefetch`, by itself or among other items and parameters, such as `prefetch;prerender`. */
const saysPrefetch = (value: string | string[] | undefined): boolean =>
  String(value ?? '')
    .toLowerCase()
    .split(/[;,]/)
    .some((item) => item.trim() === 'prefetch');
