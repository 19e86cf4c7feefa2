import { Logger } from '@nestjs/common';
import { describeWithRedis, eventually, startRedis, type TestRedis } from '@vitrine/testing';
import { Registry } from 'prom-client';
import { Counters, type Limiter } from './counters';

const OPTIONS = { name: 'test', points: 5, windowSeconds: 60 };

beforeAll(() => Logger.overrideLogger(false));

const admitted = async (limiter: Limiter, key: string, tries: number): Promise<number> => {
  const counts = await Promise.all(Array.from({ length: tries }, () => limiter.consume(key)));
  return counts.filter(({ exceeded }) => !exceeded).length;
};

describeWithRedis('Counters with Redis', () => {
  let redis: TestRedis;
  const opened: Counters[] = [];
  const open = async (metrics = new Registry()): Promise<Counters> => {
    const counters = new Counters({ redisUrl: redis.url }, metrics);
    opened.push(counters);
    await counters.onApplicationBootstrap();
    return counters;
  };
  const metric = async (metrics: Registry, name: string): Promise<number | undefined> => {
    const { values } = (await metrics.getMetricsAsJSON()).find((known) => known.name === name) ?? {};
    return values?.[0]?.value;
  };
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    for (const counters of opened.splice(0)) counters.onApplicationShutdown();
    await redis.thaw();
    await redis.stop();
  });

  it('share the counts of limiters with the same name between processes', async () => {
    const [one, other] = [await open(), await open()];
    const both = [one.limiter(OPTIONS), other.limiter(OPTIONS)];
    const counts = await Promise.all(both.map((limiter) => admitted(limiter, 'a', 20)));
    expect(counts[0]! + counts[1]!).toBe(5);
    const count = await other.limiter(OPTIONS).consume('a');
    expect(count).toMatchObject({ exceeded: true, remainingPoints: 0 });
    expect(count.msBeforeNext).toBeGreaterThan(50_000);
    expect(await one.limiter({ ...OPTIONS, name: 'another' }).get('a')).toBeNull();
  });

  it('count separately while Redis is unavailable, report it, and share counts again afterwards', async () => {
    const metrics = new Registry();
    const limiter = (await open(metrics)).limiter(OPTIONS);
    expect(await metric(metrics, 'vitrine_rate_limit_redis_up')).toBe(1);
    expect(await admitted(limiter, 'a', 2)).toBe(2);

    await redis.stop();
    expect(await admitted(limiter, 'a', 20)).toBe(5);
    expect(await metric(metrics, 'vitrine_rate_limit_redis_up')).toBe(0);
    expect(await metric(metrics, 'vitrine_rate_limit_counted_alone_total')).toBe(20);

    await redis.start();
    await eventually(async () => expect(await metric(metrics, 'vitrine_rate_limit_redis_up')).toBe(1));
    expect(await admitted((await open()).limiter(OPTIONS), 'b', 3)).toBe(3);
    expect((await limiter.get('b'))?.remainingPoints).toBe(2);
  });

  it('wait only once for a Redis that hangs', async () => {
    const limiter = (await open()).limiter(OPTIONS);
    await limiter.consume('a');
    await redis.freeze();
    expect(await admitted(limiter, 'a', 20)).toBe(5);
    const began = performance.now();
    for (let n = 0; n < 50; n++) await limiter.consume('b');
    // One after the other, each waiting for Redis's 250 ms, would take 12.5 s.
    expect(performance.now() - began).toBeLessThan(5_000);
    await redis.thaw();
    // Counts of the time without Redis are not in Redis.
    await eventually(async () => expect(await limiter.get('b')).toBeNull());
  });

  it('start without Redis, and use it as soon as it answers', async () => {
    await redis.stop();
    const metrics = new Registry();
    const limiter = (await open(metrics)).limiter(OPTIONS);
    expect(await metric(metrics, 'vitrine_rate_limit_redis_up')).toBe(0);
    expect(await admitted(limiter, 'a', 20)).toBe(5);
    await redis.start();
    await eventually(async () => expect(await metric(metrics, 'vitrine_rate_limit_redis_up')).toBe(1));
    expect(await admitted(limiter, 'a', 20)).toBe(5);
  });
});
