import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  describeWithRedis,
  eventually,
  type ServiceProcess,
  startRedis,
  startService,
  type TestRedis,
} from '@vitrine/testing';
import { type Answer, type Ask, askUrl, type Gateway, startGateway } from './gateway';

describeWithRedis('rate limits with Redis', () => {
  const LIMIT = 7;
  let redis: TestRedis;
  let gateway: Gateway;
  let folder: string;
  let second: ServiceProcess;
  let upload: ServiceProcess;
  let visitors = 0;

  beforeAll(async () => {
    redis = await startRedis();
    const env = {
      REDIS_URL: redis.url,
      TRUSTED_PROXIES: '127.0.0.1',
      RATE_LIMIT_PUBLIC_PER_MINUTE: String(LIMIT),
      RATE_LIMIT_USER_PER_MINUTE: String(LIMIT),
    };
    gateway = await startGateway(env);
    const shared = { ...env, DATABASE_URL: gateway.database.url };
    second = await startService('api-gateway', { env: shared });
    folder = await mkdtemp(join(tmpdir(), 'vitrine-limits-'));
    const STORAGE_URL = pathToFileURL(join(folder, 'objects')).href;
    upload = await startService('upload-service', { env: { ...shared, STORAGE_URL } });
  });
  afterAll(async () => {
    await Promise.all([upload.stop(), second.stop()]);
    await gateway.stop();
    await redis.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const newcomer = () => ({ 'X-Forwarded-For': `198.51.100.${++visitors}` });
  const hosts = () => [gateway.service, second, upload];
  const askEach = (times: number, ask: Ask): Promise<Answer[]> =>
    Promise.all(
      Array.from({ length: times }, () =>
        hosts().map(({ url }) => askUrl('GET', `${url}/api/v1/nothing`, ask)),
      ).flat(),
    );
  const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();
  const valueOf = async (name: string, { managementUrl }: ServiceProcess): Promise<number> => {
    const metrics = await (await fetch(`${managementUrl}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1]);
  };
  const redisUp = (host: ServiceProcess): Promise<number> => valueOf('vitrine_rate_limit_redis_up', host);
  const countedAlone = (): Promise<number[]> =>
    Promise.all(hosts().map((host) => valueOf('vitrine_rate_limit_counted_alone_total', host)));
  /** Asks until all processes count together: on a busy machine, Redis sometimes takes too long for one. */
  const askTogether = (ask: () => Promise<Answer[]>): Promise<Answer[]> =>
    eventually(async () => {
      const before = await countedAlone();
      const answers = await ask();
      expect(await countedAlone()).toEqual(before);
      return answers;
    });
  const isReady = async ({ managementUrl }: ServiceProcess): Promise<boolean> =>
    (await fetch(`${managementUrl}/health/ready`)).ok;

  // Promise [requests]: With Redis, all processes and both hosts share the counts.
  it('accept exactly the limit over all processes and both hosts', async () => {
    const answers = await askTogether(() => askEach(6, { headers: newcomer() }));
    expect(statuses(answers)).toEqual([
      ...Array<number>(LIMIT).fill(404),
      ...Array<number>(18 - LIMIT).fill(429),
    ]);

    const asked = await askTogether(async () => {
      const token = await gateway.register(`everywhere_${visitors}`, {});
      return askEach(4, { token, headers: newcomer() });
    });
    expect(statuses(asked)).toEqual([
      ...Array<number>(LIMIT).fill(404),
      ...Array<number>(12 - LIMIT).fill(429),
    ]);
  });

  it('share the count of failed logins', async () => {
    const fail = async ({ url }: ServiceProcess, headers: Record<string, string>) =>
      askUrl('POST', `${url}/api/v1/auth/login`, {
        headers,
        body: { login: 'nobody', password: 'wrong password' },
      });
    const answers = await askTogether(async () => {
      const headers = newcomer();
      const failed: Answer[] = [];
      for (let n = 0; n < 6; n++) failed.push(await fail(n % 2 ? second : gateway.service, headers));
      return failed;
    });
    expect(statuses(answers)).toEqual([422, 422, 422, 422, 422, 429]);
    expect(Number(answers[5]?.headers.get('Retry-After'))).toBeGreaterThan(60);
  });

  // Promise [requests]: While Redis is unreachable, each process counts requests separately.
  it('are counted per process while Redis is down, and shared again afterwards', async () => {
    await eventually(async () => expect(await Promise.all(hosts().map(redisUp))).toEqual([1, 1, 1]));
    const during = askEach(20, { headers: newcomer() });
    await redis.stop();
    expect(statuses(await during).filter((status) => status !== 404 && status !== 429)).toEqual([]);

    const answers = await askEach(10, { headers: newcomer() });
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(3 * LIMIT);
    expect(await Promise.all(hosts().map(redisUp))).toEqual([0, 0, 0]);
    expect(await Promise.all(hosts().map(isReady))).toEqual([true, true, true]);

    await redis.start();
    await eventually(async () => expect(await Promise.all(hosts().map(redisUp))).toEqual([1, 1, 1]));
    const shared = await askTogether(() => askEach(6, { headers: newcomer() }));
    expect(shared.filter(({ status }) => status === 404)).toHaveLength(LIMIT);
  });

  it('are counted per process while Redis does not respond', async () => {
    await redis.freeze();
    try {
      const answers = await askEach(10, { headers: newcomer() });
      expect(answers.filter(({ status }) => status === 404)).toHaveLength(3 * LIMIT);
      expect(await Promise.all(hosts().map(isReady))).toEqual([true, true, true]);
    } finally {
      await redis.thaw();
    }
    await eventually(async () => expect(await Promise.all(hosts().map(redisUp))).toEqual([1, 1, 1]));
  });

  it('let a process start without Redis, and never log its full address', async () => {
    const url = redis.url.replace('//', '//user:hunter2-very-secret@').replace(/\d+$/, '1');
    const alone = await startService('api-gateway', {
      env: { DATABASE_URL: gateway.database.url, REDIS_URL: url },
    });
    try {
      expect((await askUrl('GET', `${alone.url}/api/v1/nothing`)).status).toBe(404);
      expect(await redisUp(alone)).toBe(0);
    } finally {
      expect(await alone.stop()).toBe(0);
    }
    expect(alone.output()).toContain('Redis does not answer');
    expect(alone.output()).not.toContain('hunter2');
  });
});
