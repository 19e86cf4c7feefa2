import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A minimal server that a service is compared with, in a separate process. */
export interface BareServer {
  readonly url: string;
  readonly pid: number;
  stop(): void;
}

/** Starts the program at `path`, which sends the address that it listens on and ends when it is disconnected. */
export async function startBareServer(path: string, args: readonly string[]): Promise<BareServer> {
  const child = fork(path, args);
  const [{ port }] = (await once(child, 'message')) as [AddressInfo];
  return { url: `http://127.0.0.1:${port}`, pid: child.pid!, stop: () => child.disconnect() };
}
