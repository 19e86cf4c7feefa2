import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SlowLink {
  /** The address over which the server is reached. */
  readonly url: string;
  close(): void;
}

/** A way to a PostgreSQL on which what the client sends, such as a standby's confirmations, takes `delayMs` longer. */
export async function startSlowLink(to: string, delayMs: number): Promise<SlowLink> {
  const url = new URL(to);
  const folder = url.searchParams.get('host');
  const port = Number(url.port || 5432);
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, url.hostname);
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end);
      end.setNoDelay();
      end.on('error', () => undefined).on('close', () => other.destroy());
    }
    // Timers of the same length end in their order.
    near.on('data', (bytes) => setTimeout(() => far.write(bytes), delayMs));
    far.pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    close: () => {
      server.close();
      for (const end of ends) end.destroy();
    },
  };
}
