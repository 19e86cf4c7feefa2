import type { IncomingMessage } from 'node:http';
import type { ThrottlerModuleOptions, ThrottlerOptions } from '@nestjs/throttler';
import type { Counters } from '@vitrine/counters';
import type { HttpConfig } from '../config/http.config';
import { CountersStorage } from './counters-storage';
import { ROUTE_THROTTLER } from './route-limits';
import { subjectOf } from './throttled-subject';

const MINUTE_MS = 60_000;

/**
 * The limits of requests. Each request counts for one of them, the one of its subject, and then for the limit of its
 * route if it has one (`ThrottleRequests`, `ThrottleFailures`).
 */
export function throttlersOf(config: HttpConfig, counters: Counters): ThrottlerModuleOptions {
  const limits = {
    address: config.publicPerMinute,
    user: config.userPerMinute,
    'site-address': config.publicPerMinute * config.siteFactor,
    'site-user': config.userPerMinute * config.siteFactor,
    preflight: config.optionsPerMinute,
  };
  return {
    storage: new CountersStorage(counters),
    throttlers: [
      ...Object.entries(limits).map(([name, limit]): ThrottlerOptions => ({
        name,
        limit,
        ttl: MINUTE_MS,
        skipIf: (context) =>
          subjectOf(context.switchToHttp().getRequest<IncomingMessage>()).throttler !== name,
        getTracker: (request) => subjectOf(request as IncomingMessage).key,
        // All routes count together.
        generateKey: (_context, tracker) => tracker,
      })),
      {
        name: ROUTE_THROTTLER,
        limit: Infinity,
        // The guard takes the throttlers by their `ttl`, so a request beyond the limits above doesn't count here.
        ttl: Infinity,
        getTracker: (request) => subjectOf(request as IncomingMessage).clientKey,
      },
    ],
  };
}
