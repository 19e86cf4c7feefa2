import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver has got. */
export interface ReceivedDelivery {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks for tests. */
export interface WebhookReceiver {
  readonly url: string;
  readonly port: number;
  readonly received: ReceivedDelivery[];
  /** Attempts that are waiting for their answer. */
  open(): number;
  stop(): Promise<void>;
}

/** Starts a receiver that answers 204 unless `answer` says otherwise. */
export async function startWebhookReceiver(
  answer: RequestListener = (_, response) => response.writeHead(204).end(),
  { host = '127.0.0.1', port = 0 } = {},
): Promise<WebhookReceiver> {
  const received: ReceivedDelivery[] = [];
  let open = 0;
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    open++;
    response.on('close', () => open--);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host}:${address.port}/hook`,
    port: address.port,
    received,
    open: () => open,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
