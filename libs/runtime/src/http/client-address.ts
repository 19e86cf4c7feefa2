import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import proxyAddr from 'proxy-addr';

/** A client, as seen by its address. */
export interface ClientAddress {
  readonly address: string;
  /** By which limits count it: the IPv4 address, or the /64 of an IPv6 address. */
  readonly clientKey: string;
}

const read = new LRUCache<string, ClientAddress>({ max: 10_000 });

/** Reads an IP address; null if `text` isn't one. */
export function readAddress(text: string | undefined): ClientAddress | null {
  if (text === undefined) return null;
  const known = read.get(text);
  if (known) return known;
  const address = normaliseAddress(text);
  if (address === null) return null;
  const found: ClientAddress = { address, clientKey: clientKeyOf(address) };
  read.set(text, found);
  return found;
}

/** The address of a connection that was closed before its address was read. */
export const UNKNOWN_ADDRESS: ClientAddress = { address: 'unknown', clientKey: 'unknown' };

/** Reads clients' addresses from connections and requests. */
export class ClientAddresses {
  private readonly trusts: (address: string) => boolean;

  /** `trustedProxies`: networks (CIDR) of the proxies whose `X-Forwarded-For` is believed. */
  constructor(trustedProxies: readonly string[]) {
    const trusts = proxyAddr.compile([...trustedProxies]);
    this.trusts = (address) => trusts(address, 0);
  }

  /** The client of a request: the last address in `X-Forwarded-For` that isn't a trusted proxy's, else the peer's. */
  of(request: IncomingMessage): ClientAddress {
    const peer = request.socket.remoteAddress;
    if (peer === undefined) return UNKNOWN_ADDRESS;
    return readAddress(proxyAddr(request, this.trusts)) ?? readAddress(peer) ?? UNKNOWN_ADDRESS;
  }

  /** Whether an address is a trusted proxy's, so that it represents any number of clients. */
  isProxy(address: string): boolean {
    return this.trusts(address);
  }
}

/** Returns the one spelling of an address; an IPv4-mapped IPv6 address becomes the IPv4 address. Null if it isn't one. */
export function normaliseAddress(text: string): string | null {
  if (!ipaddr.isValid(text)) return null;
  const address = ipaddr.process(text);
  return address.kind() === 'ipv6' ? withoutZone(address).toString() : address.toString();
}

/**
 * Returns what limits count as one client: the IPv4 address, or the /64 of an IPv6 address, because one household
 * or machine usually gets a whole /64. The loopback address ::1 is no network's, and stays as it is.
 */
export function clientKeyOf(address: string): string {
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  if (parsed.range() === 'loopback') return parsed.toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}

const withoutZone = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv6 =>
  new ipaddr.IPv6(address.toByteArray());
