import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { type CollectedSpan, eventually } from '@vitrine/testing';
import { bearer, linesOf, ObservedProduct } from './observed-product';
import { crashWorkers, sendSecrets, startWithBadSettings } from './planted-secrets';
import { documentedMetrics } from './scrape';

// One running product with the most detailed logs, and with secrets planted everywhere. Its logs, traces and metrics must
// be what docs/observability.md promises, must be linked to each other, and must hold no secret.

let product: ObservedProduct;

beforeAll(async () => {
  product = await ObservedProduct.start();
});

afterAll(() => product?.stop());

const traceparentOf = (traceId: string): string => `00-${traceId}-${randomBytes(8).toString('hex')}-01`;

/** Only the website's traces continue here. */
const onSite = (traceId: string): Record<string, string> => ({
  traceparent: traceparentOf(traceId),
  'X-Vitrine-Site-Key': product.stack.siteServiceKey,
});

describe('one upload', () => {
  const traceId = randomBytes(16).toString('hex');
  const requestId = `request-${randomUUID()}`;

  beforeAll(async () => {
    const { slug } = await product.upload(product.session, {
      ...onSite(traceId),
      'X-Request-Id': requestId,
    });
    await product.untilDecided(product.session, slug);
  });

  /** The names of a span and its ancestors in this process, beginning with the span. */
  const wayTo = (span: CollectedSpan): string[] => {
    const parent = product.collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
    return [`${span.service}: ${span.name}`, ...(parent ? wayTo(parent) : [])];
  };
  /** The relay that is first publishes an event of the outbox. */
  const relayed = (steps: readonly string[]): string[] =>
    steps.map((step) => step.replace(/^(?:upload|moderation)-service: publish/, 'a relay: publish'));
  const inTrace = (): CollectedSpan[] => product.collector.spans.filter((span) => span.traceId === traceId);

  it('is one trace from the request to the decision, through four kinds of work and three processes', async () => {
    const wanted = [
      'a relay: publish media.moderated',
      'moderation-service: transaction',
      'moderation-service: process moderation-service.media.variants_stored',
      'media-processor: publish media.variants_stored',
      'media-processor: process media-processor.media.processing_requested',
      'a relay: publish media.processing_requested',
      'upload-service: transaction',
      'upload-service: POST /api/v1/media',
    ];
    // Each process sends its spans at times of its own.
    await eventually(() => {
      const ends = inTrace().filter(({ name }) => name === 'publish media.moderated');
      expect(ends.map((span) => relayed(wayTo(span)))).toContainEqual(wanted);
      const kinds = Object.fromEntries(inTrace().map(({ name, kind }) => [name, kind]));
      expect(kinds).toMatchObject({
        'POST /api/v1/media': 'server',
        'publish media.uploaded': 'producer',
        'process media-processor.media.processing_requested': 'consumer',
        'process upload-service.media.variants_stored': 'consumer',
        'make variants': 'internal',
        'storage add_new': 'client',
        'storage move_in': 'client',
        classify: 'internal',
        transaction: 'client',
      });
    });
    expect(inTrace().filter(({ failed }) => failed)).toEqual([]);
  });

  it('has one id in the logs of every process that it passes through, and in its spans', async () => {
    await eventually(() =>
      expect(product.servicesThatLogged(requestId).sort()).toEqual([
        'media-processor',
        'moderation-service',
        'upload-service',
      ]),
    );
    const ids = new Set(inTrace().flatMap(({ attributes }) => attributes['vitrine.correlation_id'] ?? []));
    expect([...ids]).toEqual([requestId]);
    const traced = linesOf(product.stack.services.get('media-processor')!).filter(
      (line) => line['trace_id'] === traceId,
    );
    expect(traced.length).toBeGreaterThan(0);
  });

  it('continues from the website to the API, but not from an unknown client to the website', async () => {
    const strangersTrace = randomBytes(16).toString('hex');
    const id = `request-${randomUUID()}`;
    await product.ask(`${product.stack.siteUrl}/`, {
      headers: { traceparent: traceparentOf(strangersTrace), 'X-Request-Id': id },
    });
    await eventually(() => {
      const api = product.collector.spans.find(
        ({ service, kind, attributes }) =>
          service === 'api-gateway' && kind === 'server' && attributes['vitrine.correlation_id'] === id,
      );
      expect(api && wayTo(api).map((step) => step.replace(/ \/api.*/, ' …'))).toEqual([
        'api-gateway: GET …',
        'website: GET API',
        'website: GET /',
      ]);
      expect(product.servicesThatLogged(id).sort()).toEqual(['api-gateway', 'website']);
    });
    // The API doesn't continue it either, with a wrong key or without one.
    await product.ask(`${product.stack.apiUrl}/posts`, {
      headers: { ...onSite(strangersTrace), 'X-Vitrine-Site-Key': 'x', 'X-Request-Id': `${id}-2` },
    });
    await eventually(() =>
      expect(product.collector.spans.map((span) => span.attributes['vitrine.correlation_id'])).toContain(
        `${id}-2`,
      ),
    );
    expect(product.collector.spans.filter((span) => span.traceId === strangersTrace)).toEqual([]);
  });

  it('has the id of a deletion request in the logs of the process that deletes the files', async () => {
    const { slug } = await product.upload(product.session);
    const id = `request-${randomUUID()}`;
    await product.ask(`${product.stack.apiUrl}/media/${slug}`, {
      method: 'DELETE',
      headers: { ...bearer(product.session), 'X-Request-Id': id },
    });
    await eventually(() =>
      expect(product.servicesThatLogged(id).sort()).toEqual(['api-gateway', 'upload-service']),
    );
  });
});

describe('secrets in requests and settings', () => {
  let outputs: Promise<string[]>;

  beforeAll(async () => {
    outputs = startWithBadSettings(product);
    outputs.catch(() => undefined);
    await sendSecrets(product);
    await crashWorkers(product);
  });

  it('are in no answer that refuses', () => {
    expect(product.refusals.length).toBeGreaterThan(20);
    expect(
      product.refusals.flatMap((text) => product.secrets.foundIn(text).map((where) => ({ where, text }))),
    ).toEqual([]);
  });

  // Promise [security]: Secrets are in no log line.
  it('are in no log line of any process', () => {
    const found = [...product.stack.services].flatMap(([name, service]) =>
      service
        .output()
        .split('\n')
        .flatMap((line) => product.secrets.foundIn(line).map((where) => ({ name, where, line }))),
    );
    expect(found).toEqual([]);
  });

  it('are not in the output of a process that can not start or reach its bus', async () => {
    const texts = await outputs;
    const found = texts.flatMap((text) =>
      text.split('\n').flatMap((line) => product.secrets.foundIn(line).map((where) => ({ where, line }))),
    );
    expect(found).toEqual([]);
    expect(texts).toHaveLength(7);
  });

  it('are in no span', async () => {
    await eventually(() => expect(product.collector.spans.length).toBeGreaterThan(100));
    const found = product.collector.spans.flatMap((span) =>
      product.secrets.foundIn(JSON.stringify(span)).map((where) => ({ where, span })),
    );
    expect(found).toEqual([]);
    expect(product.secrets.foundIn(product.collector.received())).toEqual([]);
  });

  it('are in no metric', async () => {
    for (const [name, { text }] of await product.scrapeAll()) {
      expect({ name, found: product.secrets.foundIn(text) }).toEqual({ name, found: [] });
    }
  });

  it('are in no reason of a dead letter', async () => {
    const reasons = await product.stack.sql<{ reason: string }>('select reason from bus.dead_letters');
    expect(
      reasons.flatMap(({ reason }) => product.secrets.foundIn(reason).map((where) => ({ where, reason }))),
    ).toEqual([]);
  });

  it('are found by the check in plain, upper-case and encoded form', () => {
    const secret = product.secrets.plant('control');
    for (const disguise of [secret, secret.toUpperCase(), Buffer.from(`ab:${secret}!`).toString('base64')]) {
      expect(product.secrets.foundIn(`x ${disguise} y`)).toEqual(['control']);
    }
  });
});

describe('log lines', () => {
  it('are JSON objects with the fields that are promised', () => {
    for (const [name, service] of product.stack.services) {
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

  it('have one line for each request with its route, status and kind of caller', async () => {
    const id = `request-${randomUUID()}`;
    await product.ask(`${product.stack.apiUrl}/me?secret=1`, {
      headers: { ...bearer(product.session), 'X-Request-Id': id },
    });
    const api = product.stack.services.get('api-gateway')!;
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
    for (const [name, { kinds, samples }] of await product.scrapeAll()) {
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

  it('have values for everything that was counted', async () => {
    // A gauge whose reading takes too long has no value.
    await eventually(async () => {
      const all = [...(await product.scrapeAll()).values()].flatMap(({ samples }) => samples);
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
  });

  it('have the same number of series after requests of other users', async () => {
    const seriesOf = async (): Promise<string[]> =>
      // Either relay may publish an event.
      [...(await product.scrapeAll()).values()].flatMap(({ samples }) =>
        samples.map(({ metric, labels }) => `${metric} ${JSON.stringify(labels)}`),
      );
    const round = async (): Promise<void> => {
      const other = await product.stack.createPerson(`b${randomBytes(6).toString('hex')}`);
      const { slug } = await product.upload(other.session);
      await product.untilDecided(other.session, slug);
      for (const path of [`/users/${other.username}`, `/media/${slug}`, `/media/${slug}x`, `/no-${slug}`]) {
        await product.ask(product.stack.apiUrl + path);
      }
      await product.ask(`${product.stack.siteUrl}/m/${slug}`);
      await product.ask(`${product.stack.siteUrl}/u/${other.username}`);
      await product.ask(`${product.stack.cdnUrl}/f/${slug}.jpg`);
      await product.ask(`${product.stack.apiUrl}/posts`, { method: 'PROPFIND' });
      await product.ask(`${product.stack.apiUrl}/media/${slug}`, {
        method: 'DELETE',
        headers: bearer(other.session),
      });
    };
    await round();
    // What a round causes may be counted after it, but the series of a user would grow in every round.
    await eventually(async () => {
      const before = new Set(await seriesOf());
      await round();
      const grown = (await seriesOf()).filter((series) => !before.has(series) && !/"le":/.test(series));
      expect(grown).toEqual([]);
    });
  });
});

describe('without a collector', () => {
  it('only the API of OpenTelemetry is loaded', () => {
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
