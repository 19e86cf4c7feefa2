import { Injectable } from '@nestjs/common';
import { Counters, type Limiter } from '@vitrine/counters';
import { TooManyRequestsError } from '../../base/errors/domain-error';

const WINDOW_SECONDS = 300;
/** Failed attempts in a window for one account from one client. */
const PER_PAIR = 5;
/** The same for all accounts from one client. */
const PER_CLIENT = 20;
/**
 * The same for one account from all clients. High, because strangers could lock the owner out by failing on purpose.
 */
const PER_ACCOUNT = 50;
/** The same for one account from one browser that has logged in to it before, which no stranger can use up. */
const PER_DEVICE = 10;
/** The same for the proofs that one session of an account gives before sensitive changes. */
const PER_SESSION = 5;

/**
 * Failed second factors of one account in an hour. A stranger who knows the password guesses a code of six digits, of
 * which three are right at a time, with a probability of less than one in a thousand a day.
 */
const PER_SECOND_FACTOR = 10;
const SECOND_FACTOR_SECONDS = 3600;

/** The key under which failed attempts on an account are counted. */
export const accountKey = (userId: number): string => `user:${userId}`;

/** Who attempts to log in. */
export interface Attempt {
  /** See `accountKey`. */
  readonly account: string;
  /** What was typed as the login. Strangers' limits are by this, so that they don't tell which names are one account's. */
  readonly typed: string;
  /** The key by which the limits tell clients apart. */
  readonly client: string;
  /** The token of a browser that has logged in to this account before; null for every other. */
  readonly knownDevice?: string | null;
}

/** A session, or an API token, whose user proves again who they are. */
export interface ProofAttempt {
  /** See `accountKey`. */
  readonly account: string;
  readonly tokenId: number;
}

interface Count {
  readonly limiter: Limiter;
  readonly key: string;
}

/**
 * Limits the guessing of passwords and second factors. Attempts are counted before the proof is verified, so that
 * simultaneous guesses count too; a successful attempt is uncounted. A browser that has logged in before has its own
 * allowance, and so has each session, so strangers can't lock an owner out of the account or of its settings.
 */
@Injectable()
export class LoginThrottle {
  private readonly pair: Limiter;
  private readonly client: Limiter;
  private readonly account: Limiter;
  private readonly device: Limiter;
  private readonly session: Limiter;
  private readonly secondFactor: Limiter;

  constructor(counters: Counters) {
    const limiter = (name: string, points: number, windowSeconds = WINDOW_SECONDS): Limiter =>
      counters.limiter({ name: `login-${name}`, points, windowSeconds });
    this.pair = limiter('pair', PER_PAIR);
    this.client = limiter('client', PER_CLIENT);
    this.account = limiter('account', PER_ACCOUNT);
    this.device = limiter('device', PER_DEVICE);
    this.session = limiter('session', PER_SESSION);
    this.secondFactor = limiter('second-factor', PER_SECOND_FACTOR, SECOND_FACTOR_SECONDS);
  }

  /** Counts an attempt. Throws `TooManyRequestsError` if there have been too many. */
  countAttempt(attempt: Attempt): Promise<void> {
    return consume(this.countsOf(attempt));
  }

  /** Uncounts a successful attempt. */
  forgive(attempt: Attempt): Promise<void> {
    return reward(this.countsOf(attempt));
  }

  /** As `countAttempt`, for a password that confirms a sensitive change. */
  countProof(attempt: ProofAttempt): Promise<void> {
    return consume([this.proofOf(attempt)]);
  }

  forgiveProof(attempt: ProofAttempt): Promise<void> {
    return reward([this.proofOf(attempt)]);
  }

  /** As `countAttempt`, for a second factor after the first one was right. */
  countSecondFactor(attempt: Attempt): Promise<void> {
    return consume([this.secondFactorOf(attempt)]);
  }

  forgiveSecondFactor(attempt: Attempt): Promise<void> {
    return reward([this.secondFactorOf(attempt)]);
  }

  private proofOf({ account, tokenId }: ProofAttempt): Count {
    return { limiter: this.session, key: `${account} ${tokenId}` };
  }

  private secondFactorOf({ account, knownDevice }: Attempt): Count {
    return { limiter: this.secondFactor, key: knownDevice ? `${account} ${knownDevice}` : account };
  }

  private countsOf({ account, typed, client, knownDevice }: Attempt): readonly Count[] {
    if (knownDevice) return [{ limiter: this.device, key: `${account} ${knownDevice}` }];
    return [
      { limiter: this.pair, key: `${client} ${typed}` },
      { limiter: this.client, key: client },
      { limiter: this.account, key: typed },
    ];
  }
}

async function consume(counts: readonly Count[]): Promise<void> {
  for (const { limiter, key } of counts) {
    const { exceeded, msBeforeNext } = await limiter.consume(key);
    if (exceeded) throw TooManyRequestsError.untilReset(msBeforeNext);
  }
}

async function reward(counts: readonly Count[]): Promise<void> {
  for (const { limiter, key } of counts) await limiter.reward(key);
}
