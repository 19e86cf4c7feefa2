import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/** Receives what a client sends. */
type Receiver = (bytes: Buffer) => void;

export interface PostgresProxy {
  /** The address of the database through this proxy. */
  readonly url: string;
  close(): void;
}

/**
 * Starts a proxy on loopback in front of a PostgreSQL. `forward` is called for each connection and returns the receiver of the
 * bytes of its client, which sends them on with `send`. The answers pass unchanged.
 */
export async function startPostgresProxy(
  address: string,
  forward: (send: Receiver) => Receiver,
): Promise<PostgresProxy> {
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target);
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end);
      end.setNoDelay();
      end.on('error', () => undefined).on('close', () => other.destroy());
    }
    near.on(
      'data',
      forward((bytes) => far.write(bytes)),
    );
    far.pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { target, url } = reroute(address, (server.address() as AddressInfo).port);
  return {
    url,
    close: () => {
      server.close();
      for (const end of ends) end.destroy();
    },
  };
}

/**
 * Where the server of an address listens, and its address with a port of loopback instead. An address of the embedded
 * PostgreSQL has the folder of its Unix socket in the parameter `host`.
 */
export function reroute(
  address: string,
  port: number,
): { readonly target: NetConnectOpts; readonly url: string } {
  const url = new URL(address);
  const folder = url.searchParams.get('host');
  const serverPort = Number(url.port || 5432);
  const target: NetConnectOpts = folder
    ? { path: `${folder}/.s.PGSQL.${serverPort}` }
    : { host: url.hostname, port: serverPort };
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return { target, url: url.toString() };
}
