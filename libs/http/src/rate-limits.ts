import { Inject, Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HttpConfig } from './http.config';

/** Whose requests are counted together. */
export interface RateSubject {
  readonly kind: 'address' | 'user';
  readonly key: string;
  /** Through the web site, on a larger allowance of its own. */
  readonly viaSite: boolean;
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
  private readonly limiters: Readonly<Record<string, RateLimiterMemory>>;

  constructor(@Inject(HttpConfig) config: HttpConfig) {
    const limiter = (name: string, points: number): [string, RateLimiterMemory] => [
      name,
      new RateLimiterMemory({ keyPrefix: name, points, duration: WINDOW_SECONDS }),
    ];
    this.limiters = Object.fromEntries([
      limiter('address', config.publicPerMinute),
      limiter('user', config.userPerMinute),
      limiter('site-address', config.publicPerMinute * config.siteFactor),
      limiter('site-user', config.userPerMinute * config.siteFactor),
    ]);
  }

  /** Counts one request. */
  async consume(subject: RateSubject): Promise<Allowance> {
    const limiter = this.limiterOf(subject);
    try {
      return allowance(limiter.points, await limiter.consume(subject.key), false);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return allowance(limiter.points, refusal, true);
      throw refusal;
    }
  }

  /** What a subject has left, without counting anything. */
  async peek(subject: RateSubject): Promise<Allowance> {
    const limiter = this.limiterOf(subject);
    const state = await limiter.get(subject.key);
    return state
      ? allowance(limiter.points, state, false)
      : {
          limit: limiter.points,
          remaining: limiter.points,
          resetInMs: WINDOW_SECONDS * 1000,
          exceeded: false,
        };
  }

  private limiterOf({ kind, viaSite }: RateSubject): RateLimiterMemory {
    return this.limiters[viaSite ? `site-${kind}` : kind] as RateLimiterMemory;
  }
}

const allowance = (limit: number, state: RateLimiterRes, exceeded: boolean): Allowance => ({
  limit,
  remaining: Math.max(0, state.remainingPoints),
  resetInMs: state.msBeforeNext,
  exceeded,
});
