import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  type CollectedSpan,
  eventually,
  freePort,
  noisePicture,
  type OtlpCollector,
  type ServiceProcess,
  type Stack,
  startOtlpCollector,
  startService,
  startStack,
} from '@vitrine/testing';
import sharp from 'sharp';
import { descendantsOf } from '../../src/chaos/process-usage';
import { documentedMetrics, type MetricsPage, scrape } from './scrape';
import { Secrets } from './secrets';

// One running product, as talkative as it can be and with secrets planted everywhere: what it says of itself must be
// what docs/observability.md promises, hang together, and hold no secret.

jest.setTimeout(180_000);

const secrets = new Secrets();
/** Everything of an answer that isn't a success: nobody's secrets belong there. */
const refusals: string[] = [];
/** What processes said that could not start, or ran on the side. */
const asides: string[] = [];

let collector: OtlpCollector;
let stack: Stack;

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
}

interface Given {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function ask(url: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Given> {
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  if (response.status >= 400) {
    // A page for strangers leads them back to where they were, once they have logged in.
    refusals.push(
      text.replaceAll(/\/login\?next=[^"]*/g, '/login'),
      JSON.stringify([...response.headers].filter(([name]) => name !== 'set-cookie')),
    );
  }
  return { status: response.status, text, headers: response.headers };
}

const inJson = (value: unknown, headers: Readonly<Record<string, string>> = {}): Asked => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

const picture = async (seed: number): Promise<Buffer> => {
  const raw = await noisePicture(320, 240, seed);
  return sharp(raw, { raw: { width: 320, height: 240, channels: 3 } })
    .jpeg()
    .toBuffer();
};

const upload = async (
  token: string,
  headers: Readonly<Record<string, string>> = {},
  fileName = 'a.jpg',
): Promise<Given & { slug: string }> => {
  const form = new FormData();
  form.set('file', new Blob([Uint8Array.from(await picture(Math.random() * 2 ** 31))]), fileName);
  const given = await ask(stack.uploadUrl, {
    method: 'POST',
    headers: { ...bearer(token), ...headers },
    body: form,
  });
  expect(given.status).toBe(201);
  return { ...given, slug: (JSON.parse(given.text) as { media: { slug: string } }).media.slug };
};

const isDecided = (token: string, slug: string): Promise<void> =>
  eventually(async () => {
    const { text } = await ask(`${stack.apiUrl}/media/${slug}`, { headers: bearer(token) });
    expect((JSON.parse(text) as { data: { moderation_status: string } }).data.moderation_status).not.toBe(
      'pending',
    );
  }, 60_000);

const traceparentOf = (traceId: string): string => `00-${traceId}-${randomBytes(8).toString('hex')}-01`;

/** A trace goes on here for the website alone. */
const onSite = (traceId: string): Record<string, string> => ({
  traceparent: traceparentOf(traceId),
  'X-Vitrine-Site-Key': stack.siteServiceKey,
});

const linesOf = (service: ServiceProcess): Record<string, unknown>[] =>
  service
    .output()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Names of the services in whose logs an id is. */
const servicesThatLogged = (id: string): string[] =>
  [...stack.services]
    .filter(([, service]) => linesOf(service).some((line) => line['correlation_id'] === id))
    .map(([name]) => name);

const scrapeAll = async (): Promise<Map<string, MetricsPage>> =>
  new Map(
    await Promise.all(
      [...stack.services].map(async ([name, service]) => [name, await scrape(service)] as const),
    ),
  );

let session = '';
const person = { username: `ada_${randomBytes(4).toString('hex')}`, password: secrets.plant('password') };
/** A person's address is not for operators' logs either. */
const email = `${secrets.plant('email')}@example.org`;

beforeAll(async () => {
  collector = await startOtlpCollector();
  stack = await startStack({
    env: {
      LOG_LEVEL: 'debug',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${secrets.plant('OTLP header')}`,
      REDIS_URL: `redis://:${secrets.plant('Redis password')}@127.0.0.1:${await freePort()}`,
      SITE_SERVICE_KEY: secrets.plant('site service key'),
      BUS_RETRY_DELAYS_MS: '10,10',
    },
  });
  secrets.know('database password', new URL(stack.database.url).password);
  const registered = await ask(`${stack.apiUrl}/auth/register`, inJson({ ...person, email }));
  session = secrets.know('session', (JSON.parse(registered.text) as { session: string }).session);
});

afterAll(async () => {
  await stack?.close().finally(() => collector?.close());
});

describe('one upload', () => {
  const traceId = randomBytes(16).toString('hex');
  const requestId = `request-${randomUUID()}`;

  beforeAll(async () => {
    const { slug } = await upload(session, {
      ...onSite(traceId),
      'X-Request-Id': requestId,
    });
    await isDecided(session, slug);
  });

  /** The names from a span up to where its trace begins here, the last first. */
  const wayTo = (span: CollectedSpan): string[] => {
    const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
    return [`${span.service}: ${span.name}`, ...(parent ? wayTo(parent) : [])];
  };
  /** What the outbox holds is published by whichever relay is first. */
  const relayed = (steps: readonly string[]): string[] =>
    steps.map((step) => step.replace(/^(?:upload|moderation)-service: publish/, 'a relay: publish'));
  const inTrace = (): CollectedSpan[] => collector.spans.filter((span) => span.traceId === traceId);

  it('is one trace from the request to the decision, through four kinds of work and three processes', async () => {
    const wanted = [
      'a relay: publish media.moderated',
      'moderation-service: transaction',
      'moderation-service: process moderation-service.media.processed',
      'media-processor: publish media.processed',
      'media-processor: process media-processor.media.processing_requested',
      'a relay: publish media.processing_requested',
      'upload-service: transaction',
      'upload-service: POST /api/v1/media',
    ];
    await eventually(() => {
      const ends = inTrace().filter(({ name }) => name === 'publish media.moderated');
      expect(ends.map((span) => relayed(wayTo(span)))).toContainEqual(wanted);
    }, 20_000);
    const kinds = Object.fromEntries(inTrace().map(({ name, kind }) => [name, kind]));
    expect(kinds).toMatchObject({
      'POST /api/v1/media': 'server',
      'publish media.uploaded': 'producer',
      'process media-processor.media.processing_requested': 'consumer',
      'process upload-service.media.processed': 'consumer',
      'make variants': 'internal',
      'storage add_new': 'client',
      'storage move_in': 'client',
      classify: 'internal',
      transaction: 'client',
    });
    expect(inTrace().filter(({ failed }) => failed)).toEqual([]);
  });

  it('has one id in the logs of every process that it passes through, and in its spans', async () => {
    await eventually(() =>
      expect(servicesThatLogged(requestId).sort()).toEqual([
        'media-processor',
        'moderation-service',
        'upload-service',
      ]),
    );
    const ids = new Set(inTrace().flatMap(({ attributes }) => attributes['vitrine.correlation_id'] ?? []));
    expect([...ids]).toEqual([requestId]);
    const traced = linesOf(stack.services.get('media-processor')!).filter(
      (line) => line['trace_id'] === traceId,
    );
    expect(traced.length).toBeGreaterThan(0);
  });

  it('goes on from the page to the API under the same trace and id, and not from a stranger to the page', async () => {
    const strangersTrace = randomBytes(16).toString('hex');
    const id = `request-${randomUUID()}`;
    await ask(`${stack.siteUrl}/`, {
      headers: { traceparent: traceparentOf(strangersTrace), 'X-Request-Id': id },
    });
    await eventually(() => {
      const api = collector.spans.find(
        ({ service, kind, attributes }) =>
          service === 'api-gateway' && kind === 'server' && attributes['vitrine.correlation_id'] === id,
      );
      expect(api && wayTo(api).map((step) => step.replace(/ \/api.*/, ' …'))).toEqual([
        'api-gateway: GET …',
        'website: GET API',
        'website: GET /',
      ]);
      expect(servicesThatLogged(id).sort()).toEqual(['api-gateway', 'website']);
    }, 20_000);
    // Nor to the API, with a key that is wrong or none.
    await ask(`${stack.apiUrl}/posts`, {
      headers: { ...onSite(strangersTrace), 'X-Vitrine-Site-Key': 'x', 'X-Request-Id': `${id}-2` },
    });
    await eventually(() =>
      expect(collector.spans.map((span) => span.attributes['vitrine.correlation_id'])).toContain(`${id}-2`),
    );
    expect(collector.spans.filter((span) => span.traceId === strangersTrace)).toEqual([]);
  });

  it('follows the id of whoever deletes the media to the process that takes its files away', async () => {
    const { slug } = await upload(session);
    const id = `request-${randomUUID()}`;
    await ask(`${stack.apiUrl}/media/${slug}`, {
      method: 'DELETE',
      headers: { ...bearer(session), 'X-Request-Id': id },
    });
    await eventually(() => expect(servicesThatLogged(id).sort()).toEqual(['api-gateway', 'upload-service']));
  });
});

describe('secrets, wherever they enter', () => {
  let boots: Promise<void>;

  const bootFails = async (name: string, env: Record<string, string>): Promise<void> => {
    const failure = await startService(name, { env }).then(
      async (service) => {
        await service.stop();
        throw new Error(`${name} started`);
      },
      (error: Error) => error.message,
    );
    asides.push(failure);
  };

  /** Starts with something out of reach, is asked for something, and is stopped. */
  const limps = async (name: string, env: Record<string, string>): Promise<void> => {
    const service = await startService(name, { env, untilAlive: true });
    await eventually(
      () => expect(service.output()).toMatch(/ECONNREFUSED|refused|out of reach|can't be used/i),
      20_000,
    );
    await service.stop();
    asides.push(service.output());
  };

  beforeAll(async () => {
    const nowhere = `127.0.0.1:${await freePort()}`;
    const data = { VITRINE_DATA_DIR: `/tmp/vitrine-aside-${randomUUID()}`, LOG_LEVEL: 'debug' };
    boots = Promise.all([
      limps('api-gateway', {
        ...data,
        DATABASE_URL: `postgresql://vitrine:${secrets.plant('refused database')}@${nowhere}/x`,
      }),
      bootFails('api-gateway', {
        ...data,
        DATABASE_URL: `mysql://vitrine:${secrets.plant('wrong scheme')}@${nowhere}/x`,
      }),
      bootFails('upload-service', {
        ...data,
        DATABASE_URL: `postgresql://vitrine:${secrets.plant('unreadable database')}%zz@[${nowhere}/x`,
      }),
      limps('upload-service', {
        ...data,
        DATABASE_URL: stack.database.url,
        BUS_URL: stack.database.url,
        STORAGE_URL: `s3://bucket?region=eu-west-1&endpoint=http://${nowhere}&path_style=true`,
        S3_ACCESS_KEY_ID: secrets.plant('S3 key id'),
        S3_SECRET_ACCESS_KEY: secrets.plant('S3 secret'),
      }),
      limps('media-processor', {
        ...data,
        BUS_URL: `amqp://vitrine:${secrets.plant('refused broker')}@${nowhere}`,
      }),
      bootFails('media-processor', {
        ...data,
        BUS_URL: `amqp://vitrine:${secrets.plant('unreadable broker')}@[${nowhere}`,
      }),
      bootFails('website', { ...data, SITE_SERVICE_KEY: secrets.plant('too short a site key').slice(0, 24) }),
    ]).then(() => undefined);
    await send();
    await crash();
  });

  /** Successes and failures of every kind, each with a secret in it. */
  const send = async (): Promise<void> => {
    const { apiUrl, siteUrl, cdnUrl, uploadUrl } = stack;
    const wrong = secrets.plant('wrong password');
    await ask(`${apiUrl}/auth/login`, inJson({ login: person.username, password: person.password }));
    await ask(`${apiUrl}/auth/login`, inJson({ login: person.username, password: wrong }));
    await ask(`${apiUrl}/auth/login`, inJson({ login: email, password: wrong }));
    await ask(`${apiUrl}/auth/register`, inJson({ ...person, email }));
    await ask(
      `${apiUrl}/auth/register`,
      inJson({ username: 'no spaces', password: secrets.plant('refused registration') }),
    );
    await ask(`${apiUrl}/auth/login`, {
      ...inJson({}),
      body: `{"login":"x","password":"${secrets.plant('malformed JSON')}"`,
    });
    await ask(
      `${apiUrl}/me/password`,
      inJson({ current_password: wrong, password: secrets.plant('new password') }, bearer(session)),
    );
    await ask(`${apiUrl}/me`, { headers: bearer(`vtr_${secrets.plant('invented token')}`) });
    await ask(`${apiUrl}/me`, {
      headers: { Authorization: `Basic ${Buffer.from(`a:${secrets.plant('basic')}`).toString('base64')}` },
    });

    const made = await ask(
      `${apiUrl}/tokens`,
      inJson({ name: 'canary', current_password: person.password }, bearer(session)),
    );
    const token = secrets.know('API token', (JSON.parse(made.text) as { token: string }).token);
    const siteKey = { 'X-Vitrine-Site-Key': stack.siteServiceKey, 'X-Vitrine-Visitor': '192.0.2.7' };
    const ticket = await ask(`${apiUrl}/upload-tickets`, { method: 'POST', headers: siteKey });
    const given = JSON.parse(ticket.text) as { ticket: string; guest_token: string };
    await upload(secrets.know('upload ticket', given.ticket));
    await ask(`${apiUrl}/me`, { headers: bearer(secrets.know('guest token', given.guest_token)) });
    await ask(`${apiUrl}/posts`, { headers: { 'X-Vitrine-Site-Key': secrets.plant('wrong site key') } });

    const { slug } = await upload(
      token,
      { 'Idempotency-Key': secrets.plant('idempotency key') },
      `${secrets.plant('file name')}.jpg`,
    );
    const media = JSON.parse((await ask(`${apiUrl}/media/${slug}`, { headers: bearer(token) })).text) as {
      data: { id: number };
    };
    const posted = await ask(
      `${apiUrl}/posts`,
      inJson(
        { media_ids: [media.data.id], visibility: 'private', title: secrets.plant('private title') },
        bearer(token),
      ),
    );
    const post = (JSON.parse(posted.text) as { post: { slug: string; access_key: string } }).post;
    const key = secrets.know('access key', post.access_key);
    await ask(`${apiUrl}/posts/${post.slug}?key=${key}`);
    await ask(`${apiUrl}/posts/${post.slug}?key=${secrets.plant('wrong access key')}`);
    await ask(`${siteUrl}/p/${post.slug}?key=${key}`);
    await ask(`${siteUrl}/p/${post.slug}?key=${secrets.plant('wrong access key on the site')}`);
    await ask(`${apiUrl}/posts?q=${secrets.plant('search')}&limit=${secrets.plant('wrong parameter')}`);
    await ask(`${siteUrl}/search?q=${secrets.plant('search on the site')}`);
    await ask(`${apiUrl}/${secrets.plant('path')}`);
    await ask(`${cdnUrl}/f/${secrets.plant('path of a file')}.jpg`);
    await ask(`${siteUrl}/${secrets.plant('path on the site')}`);
    await ask(`${siteUrl}/settings`, {
      headers: { Cookie: `vitrine_session=vts_${secrets.plant('invented session')}` },
    });
    await ask(`${siteUrl}/`, {
      headers: { Cookie: `vitrine_session=${session}; other=${secrets.plant('cookie')}` },
    });
    await ask(`${apiUrl}/me`, {
      headers: { ...bearer(session), Cookie: `a=${secrets.plant('cookie at the API')}` },
    });
    await ask(uploadUrl, {
      method: 'POST',
      headers: { ...bearer(token), 'Content-Type': 'multipart/form-data; boundary=x' },
      body: `--x\r\nContent-Disposition: form-data; name="file"; filename="${secrets.plant('refused file name')}"\r\n\r\n${secrets.plant('refused file')}\r\n--x--\r\n`,
    });

    // What breaks on our side.
    const comment = (content: string): Promise<Given> =>
      ask(`${apiUrl}/posts/${post.slug}/comments?key=${key}`, inJson({ content }, bearer(token)));
    await stack.sql(
      `alter table comments add constraint canary check (content not like 'canary%') not valid`,
    );
    expect((await comment(secrets.plant('row that breaks a constraint'))).status).toBe(500);
    await stack.sql('alter table comments rename to comments_away');
    expect((await comment(secrets.plant('row without a table'))).status).toBe(500);
    await stack.sql('alter table comments_away rename to comments');

    // Poison, of which PostgreSQL says what it can't read.
    const poison = { media_id: secrets.plant('poison'), slug: 'poison1' };
    await stack.sql(
      `insert into bus.messages (queue, envelope) values ('upload-service.media.deleted', $1)`,
      [
        JSON.stringify({
          id: randomUUID(),
          type: 'media.deleted',
          version: 1,
          occurred_at: new Date().toISOString(),
          correlation_id: 'poison-0001',
          data: poison,
        }),
      ],
    );
    await stack.sql(
      `insert into bus.messages (queue, envelope) values ('upload-service.media.processed', $1)`,
      [
        JSON.stringify({
          id: randomUUID(),
          type: 'media.processed',
          version: 1,
          occurred_at: new Date().toISOString(),
          correlation_id: 'poison-0002',
          data: poison,
        }),
      ],
    );
    await eventually(async () => {
      const dead = await stack.sql<{ reason: string }>('select reason from bus.dead_letters');
      expect(dead.length).toBeGreaterThan(0);
    }, 20_000);

    // A collector that fails, and repeats what it was sent.
    collector.answer(400, secrets.plant('answer of the collector'));
    await ask(`${apiUrl}/posts`);
    await eventually(() => {
      const outputs = [...stack.services.values()].map((service) => service.output()).join('');
      expect(outputs).toContain("Spans can't be delivered");
    }, 20_000);
    collector.answer(200, '{}');
  };

  /** The workers of the processor die while they work. */
  const crash = async (): Promise<void> => {
    const processor = stack.services.get('media-processor')!;
    // The innermost first: what encloses a worker ends by itself, with the worker.
    const workers = [...descendantsOf(processor.pid!)].reverse();
    for (const pid of workers) process.kill(pid, 'SIGSTOP');
    const busy = async (): Promise<number> =>
      (await scrape(processor)).samples
        .filter(({ metric }) => metric === 'vitrine_media_busy_workers')
        .reduce((sum, { value }) => sum + value, 0);
    const { slug } = await upload(session, {}, `${secrets.plant('file that kills')}.jpg`);
    await eventually(async () => expect(await busy()).toBe(1));
    for (const pid of workers) process.kill(pid, 'SIGKILL');
    await isDecided(session, slug);
    const { samples } = await scrape(processor);
    expect(
      samples.find(({ metric }) => metric === 'vitrine_media_worker_crashes_total')?.value,
    ).toBeGreaterThan(0);
  };

  it('are in no answer that refuses', () => {
    expect(refusals.length).toBeGreaterThan(20);
    expect(refusals.flatMap((text) => secrets.foundIn(text).map((where) => ({ where, text })))).toEqual([]);
  });

  it('are in no log line of any process', () => {
    const found = [...stack.services].flatMap(([name, service]) =>
      service
        .output()
        .split('\n')
        .flatMap((line) => secrets.foundIn(line).map((where) => ({ name, where, line }))),
    );
    expect(found).toEqual([]);
  });

  it('are not told by a process that can not start, or whose bus is away', async () => {
    await boots;
    const found = asides.flatMap((text) =>
      text.split('\n').flatMap((line) => secrets.foundIn(line).map((where) => ({ where, line }))),
    );
    expect(found).toEqual([]);
    expect(asides).toHaveLength(7);
  });

  it('are in no span', () => {
    expect(collector.spans.length).toBeGreaterThan(100);
    const found = collector.spans.flatMap((span) =>
      secrets.foundIn(JSON.stringify(span)).map((where) => ({ where, span })),
    );
    expect(found).toEqual([]);
    expect(secrets.foundIn(collector.received())).toEqual([]);
  });

  it('are in no metric', async () => {
    for (const [name, { text }] of await scrapeAll()) {
      expect({ name, found: secrets.foundIn(text) }).toEqual({ name, found: [] });
    }
  });

  it('are in no reason of a dead letter', async () => {
    const reasons = await stack.sql<{ reason: string }>('select reason from bus.dead_letters');
    expect(
      reasons.flatMap(({ reason }) => secrets.foundIn(reason).map((where) => ({ where, reason }))),
    ).toEqual([]);
  });

  it('would be found', () => {
    const secret = secrets.plant('control');
    for (const disguise of [secret, secret.toUpperCase(), Buffer.from(`ab:${secret}!`).toString('base64')]) {
      expect(secrets.foundIn(`x ${disguise} y`)).toEqual(['control']);
    }
  });
});

describe('log lines', () => {
  it('are JSON objects with the fields that are promised', () => {
    for (const [name, service] of stack.services) {
      const lines = linesOf(service);
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) {
        expect(line).toMatchObject({
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          level: expect.stringMatching(/^(?:debug|log|warn|error|fatal)$/),
          service: name,
          context: expect.any(String),
          message: expect.any(String),
        });
      }
    }
  });

  it('tell of each request once: by its pattern, how it ended, and what kind of caller it was', async () => {
    const id = `request-${randomUUID()}`;
    await ask(`${stack.apiUrl}/me?secret=1`, { headers: { ...bearer(session), 'X-Request-Id': id } });
    const api = stack.services.get('api-gateway')!;
    const lines = await eventually(() => {
      const found = linesOf(api).filter(
        (line) => line['correlation_id'] === id && line['context'] === 'Access',
      );
      expect(found).toHaveLength(1);
      return found;
    });
    expect(lines[0]).toMatchObject({
      level: 'debug',
      method: 'GET',
      route: '/api/v1/me',
      status: '200',
      caller: 'session',
      ms: expect.any(Number),
      bytes: expect.any(Number),
      trace_id: expect.any(String),
    });
  });
});

describe('metrics', () => {
  const documented = documentedMetrics();

  it('are those of docs/observability.md, in the processes that it names, with its labels', async () => {
    for (const [name, { kinds, samples }] of await scrapeAll()) {
      const promised = documented.filter(
        ({ processes, onlyWith }) => processes.includes(name) && onlyWith !== 'DATABASE_REPLICA_URLS',
      );
      expect({ name, metrics: [...kinds].sort() }).toEqual({
        name,
        metrics: promised.map(({ name, kind }) => [name, kind]).sort(),
      });
      for (const { metric, labels } of samples) {
        const known = promised.find(({ name }) => name === metric)?.labels ?? [];
        const others = Object.keys(labels).filter((label) => label !== 'le' && !known.includes(label));
        expect({ metric, others }).toEqual({ metric, others: [] });
      }
    }
  });

  it('have values wherever there was something to count', async () => {
    const all = [...(await scrapeAll()).values()].flatMap(({ samples }) => samples);
    const total = (metric: string, labels: Record<string, string> = {}): number =>
      all
        .filter(
          (sample) =>
            sample.metric === metric && Object.entries(labels).every(([k, v]) => sample.labels[k] === v),
        )
        .reduce((sum, { value }) => sum + value, 0);
    expect(total('vitrine_uploads_total', { outcome: 'accepted' })).toBeGreaterThan(3);
    expect(total('vitrine_uploads_total', { outcome: 'refused' })).toBe(1);
    expect(total('vitrine_upload_bytes_total')).toBeGreaterThan(10_000);
    expect(total('vitrine_accounts_registered_total')).toBe(1);
    expect(total('vitrine_logins_total', { outcome: 'accepted' })).toBe(1);
    expect(total('vitrine_logins_total', { outcome: 'refused' })).toBe(2);
    expect(
      total('vitrine_bus_published_total', { event: 'media.uploaded', outcome: 'confirmed' }),
    ).toBeGreaterThan(3);
    expect(total('vitrine_bus_queue_messages', { state: 'dead' })).toBeGreaterThan(0);
    expect(total('vitrine_bus_up')).toBe(3);
    expect(total('vitrine_build_info')).toBe(5);
    expect(total('vitrine_http_requests_in_flight')).toBe(0);
    expect(total('vitrine_rate_limit_redis_up')).toBe(0);
  });

  it('have as many series after other people asked for other things', async () => {
    const seriesOf = async (): Promise<string[]> =>
      // Which relay publishes an event is chance.
      [...(await scrapeAll()).values()].flatMap(({ samples }) =>
        samples.map(({ metric, labels }) => `${metric} ${JSON.stringify(labels)}`),
      );
    const round = async (): Promise<void> => {
      const other = await stack.createPerson(`b${randomBytes(6).toString('hex')}`);
      const { slug } = await upload(other.session);
      await isDecided(other.session, slug);
      for (const path of [`/users/${other.username}`, `/media/${slug}`, `/media/${slug}x`, `/no-${slug}`]) {
        await ask(stack.apiUrl + path);
      }
      await ask(`${stack.siteUrl}/m/${slug}`);
      await ask(`${stack.siteUrl}/u/${other.username}`);
      await ask(`${stack.cdnUrl}/f/${slug}.jpg`);
      await ask(`${stack.apiUrl}/posts`, { method: 'PROPFIND' });
      await ask(`${stack.apiUrl}/media/${slug}`, { method: 'DELETE', headers: bearer(other.session) });
    };
    await round();
    const before = new Set(await seriesOf());
    await round();
    const grown = (await seriesOf()).filter((series) => !before.has(series) && !/"le":/.test(series));
    expect(grown).toEqual([]);
  });
});

describe('without a collector', () => {
  it('nothing of OpenTelemetry but its API is loaded', () => {
    const script = `
      const { inSpan } = require('@vitrine/runtime');
      inSpan('x', { kind: 'server' }, async () => {}).then(() => {
        console.log(JSON.stringify(Object.keys(require.cache).filter((path) => path.includes('@opentelemetry'))));
      });`;
    const loaded = JSON.parse(
      execFileSync(process.execPath, ['-e', script], { cwd: __dirname, encoding: 'utf8' }),
    ) as string[];
    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.filter((path) => !path.includes('@opentelemetry/api/'))).toEqual([]);
  });
});
