import type { IncomingMessage } from 'node:http';

/** The headers by which browsers say that they fetch ahead (Fetch, 3.10 `Sec-Purpose`; `Purpose` is its older form). */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose'];

/** Whether somebody looks at what a request asks for: not with `HEAD`, nor where a browser fetches or renders ahead. */
export const isView = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean =>
  method === 'GET' && !PURPOSE_HEADERS.some((name) => saysPrefetch(headers[name]));

/** `prefetch`, alone or among other items and parameters, such as `prefetch;prerender`. */
const saysPrefetch = (value: string | string[] | undefined): boolean =>
  String(value ?? '')
    .toLowerCase()
    .split(/[;,]/)
    .some((item) => item.trim() === 'prefetch');
