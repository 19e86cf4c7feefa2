import { Injectable } from '@nestjs/common';
import { Counters, type Limiter } from '@vitrine/counters';
import { TooManyRequestsError } from '../errors/domain-error';

const WINDOW_SECONDS = 300;
/** Failed attempts in a window for one account from one client. */
const PER_PAIR = 5;
/** The same for all accounts from one client. */
const PER_CLIENT = 20;
/**
 * The same for one account from all clients. High, because strangers could lock the owner out by failing on purpose.
 */
const PER_ACCOUNT = 50;

/** The key under which failed attempts on an account are counted. */
export const accountKey = (userId: number): string => `user:${userId}`;

/**
 * Limits the guessing of passwords. Attempts are counted before the password is verified, so that simultaneous
 * guesses count too; a successful attempt is uncounted.
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

  /** Counts an attempt. Throws `TooManyRequestsError` if there have been too many. */
  async countAttempt(account: string, client: string): Promise<void> {
    for (const { limiter, keyOf } of this.limits) {
      const { exceeded, msBeforeNext } = await limiter.consume(keyOf(account, client));
      if (exceeded) throw TooManyRequestsError.untilReset(msBeforeNext);
    }
  }

  /** Uncounts a successful attempt. */
  async forgive(account: string, client: string): Promise<void> {
    for (const { limiter, keyOf } of this.limits) await limiter.reward(keyOf(account, client));
  }
}
