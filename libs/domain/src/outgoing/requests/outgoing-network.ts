import { lookup, Resolver } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Injectable, Optional } from '@nestjs/common';
import { untilAborted } from '@vitrine/concurrency';
import { hostOf, isPublicAddress } from './public-address';

/** Addresses of a name that are tried one after the other. A name may have thousands, each of them a stranger's host. */
const MAX_ADDRESSES = 4;

/** A host that must not be connected to; the message says why and holds no address. */
export class RefusedDestinationError extends Error {}

/** Whether private addresses may be connected to. */
interface Permission {
  readonly allowPrivate: boolean;
}

/** The network for requests to strangers' servers: it resolves names and decides which addresses are public. */
@Injectable()
export class OutgoingNetwork {
  readonly names: Resolver;

  /** By default names are resolved by DNS only, without the system's files and search domains. */
  constructor(@Optional() names?: Resolver) {
    this.names = names ?? new Resolver({ timeout: 2_000, tries: 2 });
  }

  isPublic(address: string): boolean {
    return isPublicAddress(address);
  }

  /**
   * Sends a request and resolves with the head of its answer, whose body the caller must read or destroy; `signal` ends it.
   * A name is resolved once, all its addresses are checked, and only these addresses are connected to, so that a second
   * answer of DNS can't lead elsewhere. Redirects are not followed. Throws `RefusedDestinationError`.
   */
  async request(
    url: URL,
    permission: Permission,
    options: Pick<RequestOptions, 'method' | 'headers'> & { readonly signal: AbortSignal },
    body?: string,
  ): Promise<IncomingMessage> {
    const addresses = await untilAborted(this.resolve(hostOf(url), permission), options.signal);
    return new Promise((resolve, reject) => {
      (url.protocol === 'https:' ? requestHttps : requestHttp)(
        url,
        { ...options, agent: false, lookup: lookupOnly(addresses) },
        resolve,
      )
        .on('error', reject)
        // After an answer with the status 101, there is no other event.
        .on('close', () => reject(new Error('The connection was closed.')))
        .end(body);
    });
  }

  /**
   * The first addresses of a host, a name or an address. Unless `allowPrivate`, all of its addresses are public. Throws
   * `RefusedDestinationError`.
   */
  private async resolve(host: string, { allowPrivate }: Permission): Promise<readonly string[]> {
    const addresses = isIP(host) ? [host] : await this.findAddresses(host, allowPrivate);
    if (addresses.length === 0) throw new RefusedDestinationError('The host has no address.');
    if (!allowPrivate && !addresses.every((address) => this.isPublic(address)))
      throw new RefusedDestinationError('The host has an address that is not public.');
    return addresses.slice(0, MAX_ADDRESSES);
  }

  private async findAddresses(host: string, allowPrivate: boolean): Promise<readonly string[]> {
    const answers = await Promise.allSettled(
      allowPrivate
        ? [lookup(host, { all: true }).then((found) => found.map(({ address }) => address))]
        : [this.names.resolve4(host), this.names.resolve6(host)],
    );
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }
}

/** A look-up that gives a socket the addresses that were checked, so that a second answer of DNS can't lead elsewhere. */
function lookupOnly(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_, { all }, done) =>
    all ? done(null, known) : done(null, known[0]?.address ?? '', known[0]?.family);
}
