import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

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
