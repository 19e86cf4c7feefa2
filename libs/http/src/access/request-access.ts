import type { IncomingMessage } from 'node:http';
import type { Caller } from '@vitrine/domain';

/** Who sends a request, as its token and its connection say. */
export interface RequestAccess {
  /** Null without a token. */
  readonly caller: Caller | null;
  /** The client's address in normal form; `unknown` if the connection is closed already. */
  readonly address: string;
  /** The key of limits per client: the IPv4 address, or the /64 of an IPv6 address. */
  readonly clientKey: string;
  /** The website sends the request for a visitor, and has proved its identity by the service key. */
  readonly viaSite: boolean;
}

const known = new WeakMap<IncomingMessage, RequestAccess>();

export const recordAccess = (request: IncomingMessage, access: RequestAccess): void =>
  void known.set(request, access);

/** Undefined for requests that are not identified, such as those for files. */
export const accessOf = (request: IncomingMessage): RequestAccess | undefined => known.get(request);
