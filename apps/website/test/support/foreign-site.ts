import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Another website. For browsers, 127.0.0.1 is another site than localhost, not just another origin. */
export interface ForeignSite {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** The same server as a neighbour of ours: another port of localhost. */
  readonly neighbourUrl: string;
  /** Answers this path with this page from now on. */
  show(path: string, html: string): void;
  close(): Promise<void>;
}

export async function startForeignSite(): Promise<ForeignSite> {
  const pages = new Map<string, string>();
  const server = createServer(({ url = '' }, response) => {
    const html = pages.get(url);
    response.writeHead(html === undefined ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(html);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    neighbourUrl: `http://localhost:${port}`,
    show: (path, html) => void pages.set(path, html),
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
