import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Optional,
} from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { CountersConfig } from './counters.config';
import { MemoryLimiter } from './memory-limiter';
import { RedisLink } from './redis-link';

export interface LimiterOptions {
  /** Limiters with the same name share their counts, in all processes. */
  readonly name: string;
  /** The number of counts that a window allows. */
  readonly points: number;
  /** The length of a window, which begins with the first count of a key. */
  readonly windowSeconds: number;
}

/** What is left to a key in its window, and when the window ends. */
export type Count = Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>;

/** The counts of one limit, by key. */
export interface Limiter {
  readonly points: number;
  /** Adds one to the count of a key. `exceeded` says whether this exceeds the limit. */
  consume(key: string): Promise<Count & { readonly exceeded: boolean }>;
  /** The count of a key; null if there is none. */
  get(key: string): Promise<Count | null>;
  /** Subtracts one from the count of a key. */
  reward(key: string): Promise<void>;
}

/**
 * Counts for limits: in Redis if `REDIS_URL` is set, so that all processes count together, else in memory. While Redis is
 * unavailable, each process counts separately, from zero; no caller fails or waits for that reason.
 */
@Injectable()
export class Counters implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Counters.name);
  private readonly link: RedisLink | null;
  private readonly countedLocally: Counter | undefined;

  constructor(config: CountersConfig, @Optional() metrics?: Registry) {
    if (config.redisUrl === '') {
      this.link = null;
      return;
    }
    const registers = metrics ? [metrics] : [];
    const redisUp = new Gauge({
      name: 'vitrine_rate_limit_redis_up',
      help: '1 while limits are counted in Redis, 0 while this process counts separately.',
      registers,
    });
    this.countedLocally = new Counter({
      name: 'vitrine_rate_limit_counted_alone_total',
      help: 'Counts that this process kept in memory because Redis was unavailable.',
      registers,
    });
    this.link = new RedisLink(config.redisUrl, (up, reason) => {
      redisUp.set(up ? 1 : 0);
      if (up) this.logger.log('Limits are counted in Redis');
      else this.logger.warn(`Redis is unavailable; this process counts limits separately: ${reason}`);
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.link) return;
    await this.link.open();
    if (!this.link.isUp) this.logger.warn('Redis does not answer; this process counts limits separately');
  }

  onApplicationShutdown(): void {
    this.link?.close();
  }

  limiter({ name, points, windowSeconds }: LimiterOptions): Limiter {
    const local = new MemoryLimiter(points, windowSeconds);
    const { link } = this;
    const shared =
      link &&
      new RateLimiterRedis({
        keyPrefix: `vitrine:limit:${name}`,
        points,
        duration: windowSeconds,
        storeClient: link.client,
      });
    const count = async <T>(
      inRedis: (limiter: RateLimiterRedis) => Promise<T>,
      inMemory: () => T,
    ): Promise<T> => {
      if (!link || !shared) return inMemory();
      if (link.isUp) {
        try {
          return await link.inTime(() => inRedis(shared));
        } catch (error) {
          link.lose(error);
        }
      }
      this.countedLocally?.inc();
      return inMemory();
    };
    return {
      points,
      consume: (key) =>
        count(
          (limiter) => consumeIn(limiter, key),
          () => local.consume(key),
        ),
      get: (key) =>
        count(
          (limiter): Promise<Count | null> => limiter.get(key),
          () => local.get(key),
        ),
      reward: (key) =>
        count(
          async (limiter) => void (await limiter.reward(key)),
          () => local.reward(key),
        ),
    };
  }
}

/** The library throws both if the limit is exceeded and if Redis fails. */
async function consumeIn(limiter: RateLimiterRedis, key: string) {
  try {
    return counted(await limiter.consume(key), false);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return counted(refusal, true);
    throw refusal;
  }
}

const counted = ({ remainingPoints, msBeforeNext }: Count, exceeded: boolean) => ({
  remainingPoints,
  msBeforeNext,
  exceeded,
});
