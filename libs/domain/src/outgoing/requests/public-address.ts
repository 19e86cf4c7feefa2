import { parse as parseAddress, IPv6 } from 'ipaddr.js';

/**
 * Whether an IP address is on the public internet. Private, local, shared, reserved and multicast addresses aren't,
 * nor are IPv6 addresses that contain an IPv4 address (mapped, NAT64, 6to4, Teredo), because they may lead to one.
 */
export function isPublicAddress(text: string): boolean {
  try {
    const address = parseAddress(text);
    if (address.range() !== 'unicast') return false;
    // The library calls every address unicast that has no other use; so far only 2000::/3 is assigned.
    return !(address instanceof IPv6) || (address.parts[0] ?? 0) >> 13 === 1;
  } catch {
    return false;
  }
}

/** The host of a URL as DNS and sockets take it: an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');
