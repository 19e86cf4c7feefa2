import { Inject, Injectable } from '@nestjs/common';
import { type Count, Counters, type Limiter } from '@vitrine/domain';
import { HttpConfig } from './http.config';

/** Whose requests are counted together. */
export interface RateSubject {
  /** `preflight`: an address, whose `OPTIONS` requests are counted apart. */
  readonly kind: 'address' | 'user' | 'preflight';
  readonly key: string;
  /** On the web site's pages: a larger allowance of its own. */
  readonly onSite: boolean;
}

/** What is left to a subject in the minute that runs. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Until the count begins anew. */
  readonly resetInMs: number;
  readonly exceeded: boolean;
}

const WINDOW_SECONDS = 60;

/** Counts requests in windows of a minute that begin with a subject's first request. */
@Injectable()
export class RateLimits {
  private readonly limiters: Readonly<Record<RateSubject['kind'], { own: Limiter; site: Limiter }>>;

  constructor(@Inject(HttpConfig) config: HttpConfig, counters: Counters) {
    const limiters = (name: string, points: number) => ({
      own: counters.limiter({ name, points, windowSeconds: WINDOW_SECONDS }),
      site: counters.limiter({
        name: `site-${name}`,
        points: points * config.siteFactor,
        windowSeconds: WINDOW_SECONDS,
      }),
    });
    this.limiters = {
      address: limiters('address', config.publicPerMinute),
      user: limiters('user', config.userPerMinute),
      preflight: limiters('preflight', config.optionsPerMinute),
    };
  }

  /** Counts one request. */
  async consume(subject: RateSubject): Promise<Allowance> {
    const limiter = this.limiterOf(subject);
    const count = await limiter.consume(subject.key);
    return { ...allowance(limiter, count), exceeded: count.exceeded };
  }

  private limiterOf({ kind, onSite }: RateSubject): Limiter {
    return this.limiters[kind][onSite ? 'site' : 'own'];
  }
}

const allowance = ({ points }: Limiter, { remainingPoints, msBeforeNext }: Count) => ({
  limit: points,
  remaining: Math.max(0, remainingPoints),
  resetInMs: msBeforeNext,
});
