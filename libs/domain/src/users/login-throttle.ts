import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { TooManyRequestsError } from '../errors/domain-error';

const WINDOW_SECONDS = 300;
/** Failures a window for one account from one client. */
const PER_PAIR = 5;
/** For all accounts from one client. */
const PER_CLIENT = 20;
/** For one account from everywhere: high, since a stranger could shut its owner out by failing on purpose. */
const PER_ACCOUNT = 50;

/**
 * Slows the guessing of passwords down. Tries are counted before the password is looked at, so that guesses sent at
 * once count too; a success takes its own try back. Each process counts alone.
 */
@Injectable()
export class LoginThrottle {
  private readonly limiters = [
    {
      limiter: limiterOf('pair', PER_PAIR),
      keyOf: (account: string, client: string) => `${client} ${account}`,
    },
    { limiter: limiterOf('client', PER_CLIENT), keyOf: (_: string, client: string) => client },
    { limiter: limiterOf('account', PER_ACCOUNT), keyOf: (account: string) => account },
  ];

  /** Counts a try. Throws `TooManyRequestsError` where there have been too many. */
  async countTry(account: string, client: string): Promise<void> {
    for (const { limiter, keyOf } of this.limiters) {
      try {
        await limiter.consume(keyOf(account, client));
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        throw new TooManyRequestsError(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)));
      }
    }
  }

  /** Takes back a try that succeeded. */
  async forgive(account: string, client: string): Promise<void> {
    for (const { limiter, keyOf } of this.limiters) await limiter.reward(keyOf(account, client));
  }
}

const limiterOf = (keyPrefix: string, points: number): RateLimiterMemory =>
  new RateLimiterMemory({ keyPrefix, points, duration: WINDOW_SECONDS });
