import { Injectable } from '@nestjs/common';
import { type Caller, TokensService, TooManyRequestsError, UnauthenticatedError } from '@vitrine/domain';
import { type ClientAddress, nameCaller } from '@vitrine/runtime';
import type { NextFunction, Request, Response } from 'express';
import { recordAdmission } from './admission';
import { type Allowance, RateLimits, type RateSubject } from './rate-limits';
import { RequestClients } from './request-clients';

/** What a response says of the limit that its request counted for. */
export const RATE_LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

/** Longer than any token, whose scheme may be followed by spaces. */
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

  /** Express middleware. Refuses bad tokens (401) and what exceeds its limit (429). */
  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    this.admit(request, response).then(() => next(), next);
  };

  /** The same for paths that are exempt: of their requests preflights alone are counted, and no header says so. */
  readonly exemptMiddleware = (request: Request, _response: Response, next: NextFunction): void => {
    if (request.method !== 'OPTIONS') return next();
    this.countPreflight(this.clients.of(request).client).then(() => next(), next);
  };

  private async admit(request: Request, response: Response): Promise<void> {
    const { client, viaSite } = this.clients.of(request);
    // Browsers send no credentials with a preflight. It has a limit of its own, so that it never costs an answer.
    if (request.method === 'OPTIONS') return this.countPreflight(client, response);

    const identity = await this.identify(request);
    const caller = 'caller' in identity ? identity.caller : null;
    if (caller) nameCaller(request, caller.kind);
    // With a ticket the web site's pages upload straight from a visitor's browser; whatever else it is used for is ordinary.
    const onSite = viaSite || (caller?.kind === 'ticket' && request.method === 'POST');
    // A guest who becomes another guest stays one address.
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
