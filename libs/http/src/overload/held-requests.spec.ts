import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { HttpMetrics, HttpObserver, loadConfig, PublicServerConfig } from '@vitrine/runtime';
import { eventually } from '@vitrine/testing';
import { Registry } from 'prom-client';
import { RequestClients } from '../clients/request-clients';
import { HttpConfig } from '../config/http.config';
import { HeldRequests, HoldServices } from './held-requests';
import { Overload } from './overload';

/** Longer than any test. */
const LONG = 60;
/** Places of the process, and of one address. */
const PLACES = 8;
const EACH = 4;
/** Requests that may wait. */
const WAITING = 40;

interface Query {
  readonly slugs: readonly string[];
  answer(pending: readonly string[]): void;
  fail(): void;
}

describe('HeldRequests', () => {
  let server: Server;
  let overload: Overload;
  let registry: Registry;
  let holds: HeldRequests;
  let seconds: number;
  /** All queries so far, and the number of those that the test has read. */
  let queries: Query[];
  let taken: number;
  /** Requests that have waited; the test answers them. */
  let ended: ServerResponse[];

  beforeEach(async () => {
    queries = [];
    taken = 0;
    ended = [];
    seconds = LONG;
    registry = new Registry();
    const clients = new RequestClients(
      loadConfig(HttpConfig, {}),
      loadConfig(PublicServerConfig, { TRUSTED_PROXIES: '127.0.0.1' }),
    );
    overload = new Overload(registry, clients);
    holds = new HeldRequests(
      { limit: WAITING, each: EACH },
      (slugs) =>
        new Promise((resolve, reject) =>
          queries.push({
            slugs,
            answer: (pending) => resolve(new Set(pending)),
            fail: () => reject(new Error('The database is unreachable')),
          }),
        ),
      new HoldServices(clients, overload, new HttpObserver(new HttpMetrics(registry)), registry),
    );
    const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const slug = (request.url ?? '').slice(1);
      if (slug === 'at-once') return void response.end();
      response.statusCode = (await holds.hold(slug, seconds, request, response)) ? 200 : 503;
      ended.push(response);
    };
    const limit = overload.limit([{ start: '', limit: PLACES, waiting: 0, perAddress: EACH }], {});
    server = createServer((request, response) =>
      limit(request, response, () => void handle(request, response)),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    holds.beforeApplicationShutdown();
    for (const { answer } of queries) answer([]);
    overload.onApplicationShutdown();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  const ask = async (slug: string, from: string, signal?: AbortSignal): Promise<number> => {
    const { status } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${slug}`, {
      headers: { 'X-Forwarded-For': from },
      ...(signal && { signal }),
    });
    return status;
  };
  const valueOf = async (name: string, outcome?: string): Promise<number> => {
    const { values } = await registry.getSingleMetric(name)!.get();
    return values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0;
  };
  /** Resolves with the next query. */
  const nextQuery = async (): Promise<Query> => {
    await eventually(() => expect(queries.length).toBeGreaterThan(taken));
    return queries[taken++]!;
  };
  const waiting = (): Promise<number> => valueOf('vitrine_http_held');
  const untilWaiting = (count: number): Promise<void> =>
    eventually(async () => expect(await waiting()).toBe(count));
  /** Holds requests, each from its own address. Each begins after the previous one has given its place back. */
  const holdAll = async (slugs: readonly string[]): Promise<Promise<number>[]> => {
    const statuses: Promise<number>[] = [];
    for (const [index, slug] of slugs.entries()) {
      statuses.push(ask(slug, `192.0.2.${index}`));
      await untilWaiting(index + 1);
    }
    return statuses;
  };
  const finish = (count: number): Promise<void> =>
    eventually(() => {
      expect(ended).toHaveLength(count);
      for (const response of ended) response.end();
    });

  it('asks for all slugs with one query at a time, however many requests wait', async () => {
    const slugs = Array.from({ length: WAITING }, (_, index) => `slug${index % 3}`);
    const statuses = await holdAll(slugs);
    // Other requests still find the places, although five times as many wait as there are.
    expect(await ask('at-once', '198.51.100.1')).toBe(200);
    // The first query may have been sent before all requests had arrived.
    (await nextQuery()).answer(slugs);
    const all = await nextQuery();
    expect(all.slugs).toEqual(['slug0', 'slug1', 'slug2']);
    all.answer(['slug2']);
    const rest = await nextQuery();
    expect(rest.slugs).toEqual(['slug2']);
    rest.answer([]);

    await finish(WAITING);
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
    expect(await valueOf('vitrine_http_held_total', 'ready')).toBe(WAITING);
    expect(queries).toHaveLength(3);
  });

  it('takes the places again, so that the answers count for their addresses until they are read', async () => {
    const greedy = '2001:db8:1:2::1';
    const statuses: Promise<number>[] = [];
    for (let count = 1; count <= EACH; count++) {
      statuses.push(ask('slug', greedy));
      await untilWaiting(count);
    }
    expect(await ask('at-once', greedy)).toBe(200);
    (await nextQuery()).answer([]);
    await eventually(() => expect(ended).toHaveLength(EACH));

    expect(await ask('at-once', greedy)).toBe(429);

    await finish(EACH);
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
    expect(await ask('at-once', greedy)).toBe(200);
  });

  it('refuses further requests of the same /64, and counts how waiting ended', async () => {
    const greedy = '2001:db8:1:2::';
    const statuses: Promise<number>[] = [];
    for (let count = 1; count <= EACH; count++) {
      statuses.push(ask('slug', `${greedy}${count}`));
      await untilWaiting(count);
    }
    const refused = ask('slug', `${greedy}ffff`);
    await finish(1);
    expect(await refused).toBe(503);

    const leaves = new AbortController();
    const gone = ask('slug', '192.0.2.1', leaves.signal).catch(() => null);
    await untilWaiting(EACH + 1);
    leaves.abort();
    expect(await gone).toBeNull();
    await untilWaiting(EACH);

    seconds = 0.01;
    const late = ask('slug', '192.0.2.1');
    await eventually(() => expect(ended).toHaveLength(3));

    holds.beforeApplicationShutdown();
    await finish(EACH + 3);
    expect(await late).toBe(503);
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([503]));
    expect(await waiting()).toBe(0);
    for (const [outcome, count] of Object.entries({ refused: 1, gone: 1, timed_out: 1, stopped: EACH })) {
      expect([outcome, await valueOf('vitrine_http_held_total', outcome)]).toEqual([outcome, count]);
    }
  });

  it('asks again if a query fails', async () => {
    const [status] = await holdAll(['slug']);
    (await nextQuery()).fail();
    (await nextQuery()).answer([]);
    await finish(1);
    expect(await status).toBe(200);
  });
});
