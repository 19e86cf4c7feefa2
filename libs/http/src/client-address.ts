import ipaddr from 'ipaddr.js';

/** One spelling for each address: an IPv4 address in IPv6's clothes is an IPv4 address. Null for anything else. */
export function normaliseAddress(text: string | undefined): string | null {
  if (text === undefined || !ipaddr.isValid(text)) return null;
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
