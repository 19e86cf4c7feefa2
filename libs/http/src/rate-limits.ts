import { Inject, Injectable } from '@nestjs/common';
import { type Count, Counters, type Limiter } from '@vitrine/domain';
import { HttpConfig } from './http.config';

/** Whose requests are counted together. */
export interface RateSubject {
  readonly kind: 'address' | 'user';
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
    };
  }

  /** Counts one request. */
  async consume(subject: RateSubject): Promise<Allowance> {
    const limiter = this.limiterOf(subject);
    const count = await limiter.consume(subject.key);
    return { ...allowance(limiter, count), exceeded: count.exceeded };
  }

  /** What a subject has left, without counting anything. */
  async peek(subject: RateSubject): Promise<Allowance> {
    const limiter = this.limiterOf(subject);
    const untouched = { remainingPoints: limiter.points, msBeforeNext: WINDOW_SECONDS * 1000 };
    return { ...allowance(limiter, (await limiter.get(subject.key)) ?? untouched), exceeded: false };
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
