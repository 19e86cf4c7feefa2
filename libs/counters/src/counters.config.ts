import { parse, Setting } from '@vitrine/runtime';

/** Settings of the counts behind limits. */
export class CountersConfig {
  @Setting({
    env: 'REDIS_URL',
    secret: true,
    why: 'Redis in which all processes share the counts of limits; unset: each process counts by itself, in memory.',
    parse: parse.url('redis', 'rediss'),
    default: '',
    example: 'redis://:secret@redis.internal:6379',
  })
  redisUrl!: string;
}
