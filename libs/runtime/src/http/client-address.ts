import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import proxyAddr from 'proxy-addr';

/** A client's address, and whom limits count it as. */
export interface ClientAddress {
  readonly address: string;
  readonly bucket: string;
}

const read = new LRUCache<string, ClientAddress>({ max: 10_000 });

/** Reads an address; null where it isn't one. */
export function readAddress(text: string | undefined): ClientAddress | null {
  if (text === undefined) return null;
  const known = read.get(text);
  if (known) return known;
  const address = normaliseAddress(text);
  if (address === null) return null;
  const found: ClientAddress = { address, bucket: addressBucket(address) };
  read.set(text, found);
  return found;
}

/** The address of a connection that was closed before its address was read. */
export const GONE: ClientAddress = { address: 'unknown', bucket: 'unknown' };

/** Reads clients' addresses from connections and requests. */
export class ClientAddresses {
  private readonly trusts: (address: string) => boolean;

  /** `trustedProxies`: networks (CIDR) of the proxies whose `X-Forwarded-For` is believed. */
  constructor(trustedProxies: readonly string[]) {
    const trusts = proxyAddr.compile([...trustedProxies]);
    this.trusts = (address) => trusts(address, 0);
  }

  /** The client behind a request: the last address in `X-Forwarded-For` that no trusted proxy has, else the peer's. */
  of(request: IncomingMessage): ClientAddress {
    const peer = request.socket.remoteAddress;
    if (peer === undefined) return GONE;
    return readAddress(proxyAddr(request, this.trusts)) ?? readAddress(peer) ?? GONE;
  }

  /** Whether an address is a trusted proxy's, so that it represents any number of clients. */
  isProxy(address: string): boolean {
    return this.trusts(address);
  }
}

/** One spelling for each address: an IPv4 address in IPv6's clothes is an IPv4 address. Null for anything else. */
export function normaliseAddress(text: string): string | null {
  if (!ipaddr.isValid(text)) return null;
  const address = ipaddr.process(text);
  return address.kind() === 'ipv6' ? withoutZone(address).toString() : address.toString();
}

/**
 * Whom limits count as one client: an IPv4 address, or an IPv6 network of 64 bits, which is what one household
 * or machine is given.
 */
export function addressBucket(address: string): string {
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}

const withoutZone = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv6 =>
  new ipaddr.IPv6(address.toByteArray());
