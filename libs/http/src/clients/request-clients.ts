import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type ClientAddress, ClientAddresses, PublicServerConfig, readAddress } from '@vitrine/runtime';
import { HttpConfig } from '../config/http.config';

/** Headers in which the website names its visitor. */
const SITE_KEY_HEADER = 'x-vitrine-site-key';
const VISITOR_HEADER = 'x-vitrine-visitor';
export const VISITOR_AGENT_HEADER = 'x-vitrine-visitor-agent';

/** The client that a request counts for. */
export interface RequestClient {
  readonly client: ClientAddress;
  /** The website makes the request for the client, and has proved its identity by the service key. */
  readonly viaSite: boolean;
}

/** Finds the client of a request: the peer, the one that a trusted proxy names, or the website's visitor. */
@Injectable()
export class RequestClients {
  readonly addresses: ClientAddresses;

  constructor(
    private readonly config: HttpConfig,
    { trustedProxies }: PublicServerConfig,
  ) {
    this.addresses = new ClientAddresses(trustedProxies);
  }

  /** Whether a request carries the service key, so that its headers about the visitor are trusted. */
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
