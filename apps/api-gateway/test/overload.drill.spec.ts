import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '@vitrine/testing';
import { Client } from 'pg';
import { type Gateway, PASSWORD, startGateway } from './gateway';
import { createPerson } from './people';
import { storeMedia } from './stored';

/** Requests that are processed at a time; as many more may wait. */
const LIMIT = 4;

describe('an overloaded gateway', () => {
  let gateway: Gateway;
  let locker: Client;
  /** A separate connection, because within a transaction PostgreSQL always shows the same activity. */
  let watcher: Client;

  beforeAll(async () => {
    gateway = await startGateway({ MAX_CONCURRENT_REQUESTS: String(LIMIT), DATABASE_POOL_SIZE: '20' });
    locker = new Client({ connectionString: gateway.database.url });
    watcher = new Client({ connectionString: gateway.database.url });
    await Promise.all([locker.connect(), watcher.connect()]);
  });
  afterAll(async () => {
    await Promise.all([locker?.end(), watcher?.end()]);
    await gateway?.stop();
  });

  /** Makes lists wait in the database until the returned function is called. */
  const hold = async (): Promise<() => Promise<unknown>> => {
    await locker.query('begin; lock table feed_totals in access exclusive mode');
    return () => locker.query('rollback');
  };
  const heldInDatabase = async (): Promise<number> => {
    const { rows } = await watcher.query<{ held: number }>(
      `select count(*)::integer as held from pg_stat_activity
       where datname = current_database() and application_name = 'vitrine-api-gateway' and wait_event_type = 'Lock'`,
    );
    return rows[0]?.held ?? 0;
  };
  const shed = async (): Promise<number> => {
    const metrics = await (await fetch(`${gateway.service.managementUrl}/metrics`)).text();
    return Number(/^vitrine_http_shed_total (\d+)$/m.exec(metrics)?.[1]);
  };
  const list = (signal?: AbortSignal): Promise<Response> =>
    fetch(`${gateway.service.url}/api/v1/posts`, signal ? { signal } : {});

  it('handles a limited number of requests, refuses the others immediately, and recovers', async () => {
    const before = await shed();
    const release = await hold();
    const atWork = Array.from({ length: LIMIT }, () => list());
    await eventually(async () => expect(await heldInDatabase()).toBe(LIMIT));

    // Some are refused when later requests arrive, the last ones after they have waited.
    const refused = await Promise.all(Array.from({ length: 3 * LIMIT }, () => list()));
    for (const response of refused) {
      expect(response.status).toBe(503);
      expect(await response.json()).toEqual({ message: 'Service unavailable, please retry.' });
      const { headers } = response;
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(5);
      expect(headers.get('x-request-id')).toMatch(/\S{8,}/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      // No token was looked up and no request was counted.
      expect(headers.get('x-ratelimit-remaining')).toBeNull();
    }
    expect(await heldInDatabase()).toBe(LIMIT);
    expect((await shed()) - before).toBe(3 * LIMIT);
    expect((await fetch(`${gateway.service.managementUrl}/health/live`)).status).toBe(200);
    expect((await fetch(`${gateway.service.managementUrl}/health/ready`)).status).toBe(200);

    await release();
    for (const response of await Promise.all(atWork)) expect(response.status).toBe(200);
    for (const response of await Promise.all(Array.from({ length: LIMIT }, () => list())))
      expect(response.status).toBe(200);
  });

  // Promise [requests]: A request whose body doesn’t arrive in time is ended.
  it('frees the places of requests whose body doesn’t arrive', async () => {
    const { hostname, port } = new URL(gateway.service.url);
    const idlers = Array.from({ length: LIMIT }, () => connect(Number(port), hostname));
    const answers = idlers.map(async (socket) => {
      socket.write(
        'POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n',
      );
      return text(socket);
    });
    await eventually(async () => expect((await list()).status).toBe(503));
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toContain('{"message":"The request took too long."}');
    }
    await eventually(async () => expect((await list()).status).toBe(200));
  });

  it('frees the places of clients that disconnect', async () => {
    const release = await hold();
    const leaving = new AbortController();
    const gone = Array.from({ length: LIMIT }, () => list(leaving.signal).catch(() => undefined));
    await eventually(async () => expect(await heldInDatabase()).toBe(LIMIT));
    leaving.abort();
    await Promise.all(gone);
    await eventually(async () =>
      expect((await fetch(`${gateway.service.url}/api/v1/tags`)).status).toBe(200),
    );
    await release();
  });
});

describe('a gateway that holds requests', () => {
  it('needs no places for them, frees those of clients that disconnect, and answers all when it stops', async () => {
    const gateway = await startGateway({ MAX_CONCURRENT_REQUESTS: String(LIMIT) });
    const database = new Client({ connectionString: gateway.database.url });
    await database.connect();
    const metrics = async (): Promise<string> =>
      (await fetch(`${gateway.service.managementUrl}/metrics`)).text();
    const valueOf = async (name: string): Promise<number> =>
      Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await metrics())?.[1]);
    try {
      const { slug } = await storeMedia(database, await createPerson(database), { status: 'pending' });
      await database.query('update media set processed = false, decided_at = null');
      const ask = (signal?: AbortSignal): Promise<Response> =>
        fetch(`${gateway.service.url}/api/v1/media/${slug}?wait=20`, signal ? { signal } : {});
      const held = Array.from({ length: LIMIT }, () => ask());
      await eventually(async () => expect(await valueOf('vitrine_http_held')).toBe(LIMIT));
      const leaving = new AbortController();
      const more = Array.from({ length: LIMIT }, () => ask(leaving.signal).catch(() => undefined));
      await eventually(async () => expect(await valueOf('vitrine_http_held')).toBe(2 * LIMIT));
      expect(await valueOf('vitrine_http_requests_in_flight')).toBe(0);

      // If the places were still taken, these requests would be refused.
      const lists = Array.from({ length: LIMIT }, () => fetch(`${gateway.service.url}/api/v1/posts`));
      for (const { status } of await Promise.all(lists)) expect(status).toBe(200);
      leaving.abort();
      await Promise.all(more);
      await eventually(async () => expect(await valueOf('vitrine_http_held')).toBe(LIMIT));
      expect(await valueOf('vitrine_http_requests_in_flight')).toBe(0);

      const begun = Date.now();
      const stopped = gateway.service.stop();
      for (const response of await Promise.all(held)) {
        expect(response.status).toBe(200);
        expect(await response.json()).toMatchObject({ data: { slug, pending_on: 'machine' } });
      }
      expect(await stopped).toBe(0);
      expect(Date.now() - begun).toBeLessThan(10_000);
    } finally {
      await database.end();
      await gateway.stop();
    }
  });
});

describe('a gateway with too many passwords to hash', () => {
  it('refuses the others without rate-limit headers', async () => {
    const gateway = await startGateway({ MAX_CONCURRENT_REQUESTS: '300', TRUSTED_PROXIES: '127.0.0.1,::1' });
    try {
      // Failed logins of one address are limited, and a login costs less than a registration before its hash.
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, n) =>
          gateway.ask('POST', '/auth/login', {
            headers: { 'X-Forwarded-For': `2001:db8:${n.toString(16)}::1` },
            body: { login: `nobody_${n}`, password: PASSWORD },
          }),
        ),
      );
      // On a busy machine, the database may refuse some of the others, with another time to wait.
      const refused = answers.filter(
        ({ status, headers }) => status === 503 && headers.get('Retry-After') === '1',
      );
      expect(refused.length).toBeGreaterThan(0);
      for (const { headers } of refused) expect(headers.get('X-RateLimit-Limit')).toBeNull();
    } finally {
      await gateway.stop();
    }
  });
});
