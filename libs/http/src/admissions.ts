import { Injectable } from '@nestjs/common';
import { type Caller, TokensService, TooManyRequestsError, UnauthenticatedError } from '@vitrine/domain';
import { type ClientAddress, nameCaller } from '@vitrine/runtime';
import type { NextFunction, Request, Response } from 'express';
import { recordAdmission } from './admission';
import { type Allowance, RateLimits, type RateSubject } from './rate-limits';
import { RequestClients } from './request-clients';

/** The rate-limit headers of a response. */
export const RATE_LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

/** Longer than any `Authorization` header with a token, even with spaces after the scheme. */
const MAX_AUTHORIZATION = 512;

/**
 * Identifies and counts every request before its body is read and before any route is looked for, so that errors
 * of all kinds are counted, and carry the counters, too.
 */
@Injectable()
export class Admissions {
  constructor(
    private readonly tokens: TokensService,
    private readonly limits: RateLimits,
    private readonly clients: RequestClients,
  ) {}

  /** Express middleware. Refuses bad tokens (401) and requests beyond their limit (429). */
  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    this.admit(request, response).then(() => next(), next);
  };

  /** The same for exempt paths: only their preflights are counted, and their answers carry no rate-limit headers. */
  readonly exemptMiddleware = (request: Request, _response: Response, next: NextFunction): void => {
    if (request.method !== 'OPTIONS') return next();
    this.countPreflight(this.clients.of(request).client).then(() => next(), next);
  };

  private async admit(request: Request, response: Response): Promise<void> {
    const { client, viaSite } = this.clients.of(request);
    // Browsers send no credentials with a preflight. It has its own limit, so that it doesn't use up that of other
    // requests.
    if (request.method === 'OPTIONS') return this.countPreflight(client, response);

    const identity = await this.identify(request);
    const caller = 'caller' in identity ? identity.caller : null;
    if (caller) nameCaller(request, caller.kind);
    // With a ticket the website's pages upload straight from a visitor's browser; other requests with it have the
    // ordinary limits.
    const onSite = viaSite || (caller?.kind === 'ticket' && request.method === 'POST');
    // All guests of one address count together.
    const subject: RateSubject =
      caller && !caller.isGuest
        ? { kind: 'user', key: String(caller.userId), onSite }
        : { kind: 'address', key: client.bucket, onSite };
    const allowance = await this.limits.consume(subject);
    showAllowance(response, allowance);
    refuseExceeded(allowance);
    if ('refusal' in identity) throw identity.refusal;
    const { address, bucket: addressBucket } = client;
    recordAdmission(request, { caller, address, addressBucket, viaSite });
  }

  private async countPreflight({ bucket }: ClientAddress, response?: Response): Promise<void> {
    const allowance = await this.limits.consume({ kind: 'preflight', key: bucket, onSite: false });
    if (response) showAllowance(response, allowance);
    refuseExceeded(allowance);
  }

  /** Whatever goes wrong here is raised only once the request is counted. */
  private async identify(request: Request): Promise<{ caller: Caller | null } | { refusal: unknown }> {
    const header = request.headers.authorization;
    if (header === undefined) return { caller: null };
    try {
      const secret = header.length > MAX_AUTHORIZATION ? undefined : BEARER.exec(header)?.[1];
      const caller = secret === undefined ? null : await this.tokens.authenticate(secret);
      return caller ? { caller } : { refusal: new UnauthenticatedError() };
    } catch (error) {
      return { refusal: error };
    }
  }
}

const BEARER = /^Bearer +([^ ]+) *$/i;

function showAllowance(response: Response, { limit, remaining, resetInMs }: Allowance): void {
  response.setHeader('X-RateLimit-Limit', String(limit));
  response.setHeader('X-RateLimit-Remaining', String(remaining));
  response.setHeader('X-RateLimit-Reset', String(Math.ceil((Date.now() + resetInMs) / 1000)));
}

function refuseExceeded({ exceeded, resetInMs }: Allowance): void {
  if (exceeded) throw new TooManyRequestsError(Math.max(1, Math.ceil(resetInMs / 1000)));
}
