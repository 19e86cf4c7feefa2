import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { type ClientAddress, ClientAddresses, PublicServerConfig, readAddress } from '@vitrine/runtime';
import { HttpConfig } from './http.config';

/** Headers by which the web site vouches for a visitor. */
export const SITE_KEY_HEADER = 'x-vitrine-site-key';
export const VISITOR_HEADER = 'x-vitrine-visitor';
export const VISITOR_AGENT_HEADER = 'x-vitrine-visitor-agent';

/** For whom a request counts. */
export interface RequestClient {
  readonly client: ClientAddress;
  /** The web site asks on the client's behalf, and has proved that it is the web site. */
  readonly viaSite: boolean;
}

/** Tells which client is behind a request: the peer, the one that a trusted proxy names, or the web site's visitor. */
@Injectable()
export class RequestClients {
  readonly addresses: ClientAddresses;

  constructor(
    @Inject(HttpConfig) private readonly config: HttpConfig,
    @Inject(PublicServerConfig) { trustedProxies }: PublicServerConfig,
  ) {
    this.addresses = new ClientAddresses(trustedProxies);
  }

  /** Whether a request carries the service key: what the web site says with it is true. */
  isSite({ headers }: IncomingMessage): boolean {
    const sent = headers[SITE_KEY_HEADER];
    if (typeof sent !== 'string' || this.config.siteServiceKey === '') return false;
    return timingSafeEqual(sha256(sent), sha256(this.config.siteServiceKey));
  }

  of(request: IncomingMessage): RequestClient {
    const peer = this.addresses.of(request);
    if (!this.isSite(request)) return { client: peer, viaSite: false };
    const visitor = request.headers[VISITOR_HEADER];
    return { client: readAddress(typeof visitor === 'string' ? visitor : undefined) ?? peer, viaSite: true };
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
