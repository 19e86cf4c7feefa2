import { reroute } from '@vitrine/testing';
import type { FaultProxy } from './fault-proxy';

/** Puts a proxy in front of an engine. Returns the engine's address with the proxy's host and port. */
export function throughProxy(address: string, proxy: FaultProxy): string {
  const { target, url } = reroute(address, proxy.port);
  proxy.leadTo(target);
  return url;
}
