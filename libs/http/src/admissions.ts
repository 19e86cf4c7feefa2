import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { type Caller, TokensService, TooManyRequestsError, UnauthenticatedError } from '@vitrine/domain';
import { nameCaller } from '@vitrine/runtime';
import type { NextFunction, Request, Response } from 'express';
import { recordAdmission } from './admission';
import { type ClientAddress, readAddress } from './client-address';
import { HttpConfig } from './http.config';
import { type Allowance, RateLimits, type RateSubject } from './rate-limits';

/** Headers by which the web site vouches for a visitor. */
export const SITE_KEY_HEADER = 'x-vitrine-site-key';
export const VISITOR_HEADER = 'x-vitrine-visitor';
export const VISITOR_AGENT_HEADER = 'x-vitrine-visitor-agent';

/**
 * Identifies and counts every request before its body is read and before any route is looked for, so that errors
 * of all kinds are counted, and carry the counters, too.
 */
@Injectable()
export class Admissions {
  constructor(
    private readonly tokens: TokensService,
    private readonly limits: RateLimits,
    @Inject(HttpConfig) private readonly config: HttpConfig,
  ) {}

  /** Express middleware. Answers preflights; refuses bad tokens (401) and what exceeds its limit (429). */
  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    this.admit(request, response).then(() => next(), next);
  };

  /** Whether a request carries the service key: what the web site says with it is true. */
  isSite({ headers }: IncomingMessage): boolean {
    const sent = headers[SITE_KEY_HEADER];
    if (typeof sent !== 'string' || this.config.siteServiceKey === '') return false;
    return timingSafeEqual(sha256(sent), sha256(this.config.siteServiceKey));
  }

  private async admit(request: Request, response: Response): Promise<void> {
    const { client, viaSite } = this.clientOf(request);
    const byAddress = (onSite: boolean): RateSubject => ({ kind: 'address', key: client.bucket, onSite });
    // Browsers send no credentials with a preflight, and can't be told of a refusal: it costs nothing.
    if (request.method === 'OPTIONS')
      return showAllowance(response, await this.limits.peek(byAddress(viaSite)));

    const identity = await this.identify(request);
    const caller = 'caller' in identity ? identity.caller : null;
    if (caller) nameCaller(request, caller.kind);
    // Tickets and guests' tokens are used on the site's pages, straight from a visitor's browser too.
    const onSite = viaSite || caller?.kind === 'ticket' || caller?.kind === 'guest';
    // Whoever is anybody's guest again and again stays one address.
    const subject: RateSubject =
      caller && !caller.isGuest ? { kind: 'user', key: String(caller.userId), onSite } : byAddress(onSite);
    const allowance = await this.limits.consume(subject);
    showAllowance(response, allowance);
    if (allowance.exceeded)
      throw new TooManyRequestsError(Math.max(1, Math.ceil(allowance.resetInMs / 1000)));
    if ('refusal' in identity) throw identity.refusal;
    const { address, bucket: addressBucket } = client;
    recordAdmission(request, { caller, address, addressBucket, viaSite });
  }

  /** Whatever goes wrong here is raised only once the request is counted. */
  private async identify(request: Request): Promise<{ caller: Caller | null } | { refusal: unknown }> {
    const header = request.headers.authorization;
    if (header === undefined) return { caller: null };
    try {
      const secret = /^Bearer +(\S+)$/i.exec(header.trim())?.[1];
      const caller = secret === undefined ? null : await this.tokens.authenticate(secret);
      return caller ? { caller } : { refusal: new UnauthenticatedError() };
    } catch (error) {
      return { refusal: error };
    }
  }

  private clientOf(request: Request): { client: ClientAddress; viaSite: boolean } {
    const peer = readAddress(request.ip) ?? readAddress(request.socket.remoteAddress) ?? GONE;
    if (!this.isSite(request)) return { client: peer, viaSite: false };
    return { client: readAddress(request.get(VISITOR_HEADER)) ?? peer, viaSite: true };
  }
}

/** The connection was gone before anybody asked for its address. */
const GONE: ClientAddress = { address: 'unknown', bucket: 'unknown' };

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

function showAllowance(response: Response, { limit, remaining, resetInMs }: Allowance): void {
  response.setHeader('X-RateLimit-Limit', String(limit));
  response.setHeader('X-RateLimit-Remaining', String(remaining));
  response.setHeader('X-RateLimit-Reset', String(Math.ceil((Date.now() + resetInMs) / 1000)));
}
