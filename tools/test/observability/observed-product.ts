import { randomBytes } from 'node:crypto';
import {
  eventually,
  freePort,
  noisePicture,
  type OtlpCollector,
  type ServiceProcess,
  type OwnStack,
  startOtlpCollector,
  startStack,
} from '@vitrine/testing';
import sharp from 'sharp';
import { type MetricsPage, scrape } from './scrape';
import { Secrets } from './secrets';

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
}

export interface Given {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** A running Vitrine that logs everything, sends its traces to a collector, and has secrets in its settings. */
export class ObservedProduct {
  /** The headers and bodies of all error responses: they must not contain a secret. */
  readonly refusals: string[] = [];

  private constructor(
    readonly secrets: Secrets,
    readonly collector: OtlpCollector,
    readonly stack: OwnStack,
    readonly person: { readonly username: string; readonly password: string },
    /** The person's email address, which must not be in logs either. */
    readonly email: string,
  ) {}

  /** A session of the person. */
  session = '';

  /** Starts everything and registers the person. */
  static async start(): Promise<ObservedProduct> {
    const secrets = new Secrets();
    const collector = await startOtlpCollector();
    const stack = await startStack({
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
    const username = `ada_${randomBytes(4).toString('hex')}`;
    const person = { username, password: secrets.plant('password') };
    const email = `${secrets.plant('email')}@example.org`;
    const product = new ObservedProduct(secrets, collector, stack, person, email);
    const registered = await product.ask(`${stack.apiUrl}/auth/register`, inJson({ ...person, email }));
    const { session } = JSON.parse(registered.text) as { session: string };
    product.session = secrets.know('session', session);
    return product;
  }

  async stop(): Promise<void> {
    await this.stack.close().finally(() => this.collector.close());
  }

  async ask(url: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Given> {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    if (response.status >= 400) {
      // The links of a page to log in and to sign up contain the page's own address as the return address.
      this.refusals.push(
        text.replaceAll(/\/(?:login|register)\?next=[^"]*/g, '/login'),
        JSON.stringify([...response.headers].filter(([name]) => name !== 'set-cookie')),
      );
    }
    return { status: response.status, text, headers: response.headers };
  }

  /** Uploads a new picture; fails unless it is accepted. */
  async upload(
    token: string,
    headers: Readonly<Record<string, string>> = {},
    fileName = 'a.jpg',
  ): Promise<Given & { slug: string }> {
    const form = new FormData();
    form.set('file', new Blob([Uint8Array.from(await picture(Math.random() * 2 ** 31))]), fileName);
    const given = await this.ask(this.stack.uploadUrl, {
      method: 'POST',
      headers: { ...bearer(token), ...headers },
      body: form,
    });
    expect(given.status).toBe(201);
    return { ...given, slug: (JSON.parse(given.text) as { media: { slug: string } }).media.slug };
  }

  /** Resolves when a media item is approved or rejected. */
  untilDecided(token: string, slug: string): Promise<void> {
    return eventually(async () => {
      const { text } = await this.ask(`${this.stack.apiUrl}/media/${slug}`, { headers: bearer(token) });
      const { data } = JSON.parse(text) as { data: { moderation_status: string } };
      expect(data.moderation_status).not.toBe('pending');
    });
  }

  async scrapeAll(): Promise<Map<string, MetricsPage>> {
    const pages = [...this.stack.services].map(
      async ([name, service]) => [name, await scrape(service)] as const,
    );
    return new Map(await Promise.all(pages));
  }

  /** The names of the services that logged a correlation id. */
  servicesThatLogged(id: string): string[] {
    return [...this.stack.services]
      .filter(([, service]) => linesOf(service).some((line) => line['correlation_id'] === id))
      .map(([name]) => name);
  }
}

export const inJson = (value: unknown, headers: Readonly<Record<string, string>> = {}): Asked => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

export const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

/** The log lines of a service so far. */
export const linesOf = (service: ServiceProcess): Record<string, unknown>[] =>
  service
    .output()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

async function picture(seed: number): Promise<Buffer> {
  const raw = await noisePicture(320, 240, seed);
  return sharp(raw, { raw: { width: 320, height: 240, channels: 3 } })
    .jpeg()
    .toBuffer();
}
