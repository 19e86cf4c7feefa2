import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Fetch, FetchedAnswer } from '@vitrine/client';

const plain = { agent: new HttpAgent({ keepAlive: true }), request: httpRequest };
const secure = { agent: new HttpsAgent({ keepAlive: true }), request: httpsRequest };

/**
 * `fetch` as far as the API's client needs it, over connections that stay open: texts as bodies, both ways, no
 * redirects, whole answers. Half of the time of Node's own (measured on an answer of 38 KB: 0.5 against 1 ms), which each page waits for.
 */
export const httpFetch: Fetch = (address, init) => {
  const { method = 'GET', headers, body, signal } = init;
  if (body !== undefined && typeof body !== 'string') return fetch(address, init);
  const url = new URL(address);
  const { agent, request } = url.protocol === 'https:' ? secure : plain;
  const sent = Object.fromEntries(new Headers(headers));
  // Node writes the body of a DELETE without saying how long it is.
  if (typeof body === 'string') sent['content-length'] = String(Buffer.byteLength(body));
  return new Promise((resolve, reject) => {
    request(url, { method, headers: sent, agent, ...(signal && { signal }) }, (message) => {
      const chunks: Buffer[] = [];
      message
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', reject)
        .on('end', () => resolve(answerOf(message, Buffer.concat(chunks).toString())));
    })
      .on('error', reject)
      .end(body);
  });
};

const answerOf = ({ statusCode = 500, headersDistinct }: IncomingMessage, body: string): FetchedAnswer => ({
  status: statusCode,
  headers: { get: (name) => headersDistinct[name.toLowerCase()]?.join(', ') ?? null },
  text: () => Promise.resolve(body),
});
