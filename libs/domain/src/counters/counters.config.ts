import { parse, Setting } from '@vitrine/runtime';

/** Where limits are counted. */
export class CountersConfig {
  @Setting({
    env: 'REDIS_URL',
    why: 'Redis in which all processes count for limits together; unset: each counts alone, in memory.',
    parse: parse.url('redis', 'rediss'),
    default: '',
    example: 'redis://:secret@redis.internal:6379',
  })
  redisUrl!: string;
}
