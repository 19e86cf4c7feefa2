import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Fetch, FetchedAnswer } from '@vitrine/client';

const plain = { agent: new HttpAgent({ keepAlive: true }), request: httpRequest };
const secure = { agent: new HttpsAgent({ keepAlive: true }), request: httpsRequest };

/**
 * A `fetch` with the features that the API client needs, over keep-alive connections: text bodies, no redirects, whole
 * responses. It takes half the time of Node's `fetch` (measured with a response of 38 KB: 0.5 instead of 1 ms), for
 * which each page waits.
 */
export const httpFetch: Fetch = (address, init) => {
  const { method = 'GET', headers, body, signal } = init;
  if (body !== undefined && typeof body !== 'string') return fetch(address, init);
  const url = new URL(address);
  const { agent, request } = url.protocol === 'https:' ? secure : plain;
  const sent = Object.fromEntries(new Headers(headers));
  // For DELETE, Node doesn't add Content-Length by itself.
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
