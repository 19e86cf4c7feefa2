import { type ArgumentsHost, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/internal';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
} from '@nestjs/throttler';
import { TooManyRequestsError } from '@vitrine/domain';
import type { Request, Response } from 'express';
import { Identification } from '../access/identification';
import { recordAccess } from '../access/request-access';
import { RequestClients } from '../clients/request-clients';
import { CountersStorage } from './counters-storage';
import { preflightSubject, recordSubject, requestSubject } from './throttled-subject';
import { CountsFailures, ROUTE_THROTTLER } from './route-limits';

/** The rate-limit headers of a response. */
export const RATE_LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

/** Stands for the route of a request that has none, where the guard looks for `@Throttle` and `@SkipThrottle`. */
class NoRoute {
  handle(): void {}
}

/**
 * Identifies and counts every request once, before its body is read: in front of its route as a Nest guard, and through
 * `countUnrouted` if it has no route. Refuses requests beyond their limit (429) and those with a bad token (401).
 */
@Injectable()
export class RequestThrottlerGuard extends ThrottlerGuard {
  private readonly seen = new WeakSet<Request>();

  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() private readonly counts: CountersStorage,
    reflector: Reflector,
    private readonly identification: Identification,
    private readonly clients: RequestClients,
  ) {
    super(options, counts, reflector);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<Request>();
    this.seen.add(request);
    if (request.method === 'OPTIONS') {
      recordSubject(request, preflightSubject(this.clients.of(request).client.clientKey));
      return super.canActivate(context);
    }
    const { refusal, ...access } = await this.identification.identify(request);
    recordSubject(request, requestSubject(request, access));
    await super.canActivate(context);
    if (refusal !== undefined) throw refusal;
    recordAccess(request, access);
    return true;
  }

  /**
   * Counts the request of an error that was thrown before its route ran, or because there is none. Rejects as the
   * guard does.
   */
  async countUnrouted(host: ArgumentsHost): Promise<void> {
    await this.canActivate(
      new ExecutionContextHost(host.getArgs<unknown[]>(), NoRoute, NoRoute.prototype.handle),
    );
  }

  /** Whether the guard has counted the request. */
  isDone(request: Request): boolean {
    return this.seen.has(request);
  }

  protected override async handleRequest(props: ThrottlerRequest): Promise<boolean> {
    const { context, limit, ttl, throttler, blockDuration, getTracker, generateKey } = props;
    if (limit === Infinity) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const name = throttler.name ?? '';
    const key = generateKey(context, await getTracker(request, context), name);
    const count = await this.counts.increment(key, ttl, limit, blockDuration, name);
    // The headers are about the limit that all routes share.
    if (name !== ROUTE_THROTTLER) {
      const [limitHeader, remainingHeader, resetHeader] = RATE_LIMIT_HEADERS;
      response.setHeader(limitHeader, String(limit));
      response.setHeader(remainingHeader, String(Math.max(0, limit - count.totalHits)));
      response.setHeader(resetHeader, String(Math.ceil(Date.now() / 1000 + count.timeToExpire)));
    }
    if (count.isBlocked) throw TooManyRequestsError.untilReset(count.timeToBlockExpire * 1000);
    if (name === ROUTE_THROTTLER && this.reflector.get(CountsFailures, context.getHandler())) {
      response.once('finish', () => {
        if (response.statusCode < 400) void this.counts.giveBack(key, ttl, limit, name);
      });
    }
    return true;
  }
}
