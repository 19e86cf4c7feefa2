import { Injectable } from '@nestjs/common';
import { Counters, type Limiter } from '../counters/counters';
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
 * once count too; a success takes its own try back.
 */
@Injectable()
export class LoginThrottle {
  private readonly limits: readonly {
    readonly limiter: Limiter;
    readonly keyOf: (account: string, client: string) => string;
  }[];

  constructor(counters: Counters) {
    const limiter = (name: string, points: number): Limiter =>
      counters.limiter({ name: `login-${name}`, points, windowSeconds: WINDOW_SECONDS });
    this.limits = [
      { limiter: limiter('pair', PER_PAIR), keyOf: (account, client) => `${client} ${account}` },
      { limiter: limiter('client', PER_CLIENT), keyOf: (_, client) => client },
      { limiter: limiter('account', PER_ACCOUNT), keyOf: (account) => account },
    ];
  }

  /** Counts a try. Throws `TooManyRequestsError` where there have been too many. */
  async countTry(account: string, client: string): Promise<void> {
    for (const { limiter, keyOf } of this.limits) {
      const { exceeded, msBeforeNext } = await limiter.consume(keyOf(account, client));
      if (exceeded) throw new TooManyRequestsError(Math.max(1, Math.ceil(msBeforeNext / 1000)));
    }
  }

  /** Takes back a try that succeeded. */
  async forgive(account: string, client: string): Promise<void> {
    for (const { limiter, keyOf } of this.limits) await limiter.reward(keyOf(account, client));
  }
}
