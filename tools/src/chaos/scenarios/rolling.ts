import { once } from 'node:events';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@vitrine/testing';
import sharp from 'sharp';
import { type ChaosStack, withStack } from '../stack/chaos-stack';
import { Random } from '../../random/random';
import { ReadyProxy } from '../faults/ready-proxy';
import { Replica } from '../stack/replica';
import { type Scenario, type ScenarioContext, setting, type Verdict } from '../contract/scenario';
import { Traffic } from './traffic';

/** Replicas of each service, and the setting of its public port. */
const SERVICES = [
  { service: 'api-gateway', count: 2, portSetting: 'API_PORT' },
  { service: 'upload-service', count: 2, portSetting: 'UPLOAD_PORT' },
  { service: 'website', count: 2, portSetting: 'SITE_PORT' },
  { service: 'media-processor', count: 1 },
  { service: 'moderation-service', count: 1 },
] as const;

/** Longest time until the nodes of the cluster know that a pod is going; its preStop hook waits longer. */
const PROPAGATION_MS = 500;
const PRE_STOP_MS = 1_000;
const GRACE_SECONDS = 2;
const STOP_TIMEOUT_SECONDS = 90;
const BOOT_PATIENCE_MS = 240_000;

/** Replaces every process in turn, repeatedly, as Kubernetes does. Clients must not notice. */
export const rollingScenario: Scenario = {
  name: 'rolling',
  promise:
    'While every process is restarted in turn under load, with slow uploads and downloads in progress, no ' +
    'request fails, no connection is reset, every process ends with status 0, and no upload is lost.',
  settings: { rounds: 3, slowSeconds: 8, quietSeconds: 60 },
  buses: ['postgres', 'rabbitmq'],
  run: async (context) => {
    const proxies = {
      api: await ReadyProxy.open(),
      upload: await ReadyProxy.open(),
      site: await ReadyProxy.open(),
    };
    const env = {
      PUBLIC_API_URL: `${proxies.api.origin}/api/v1`,
      PUBLIC_UPLOAD_URL: `${proxies.upload.origin}/api/v1/media`,
      PUBLIC_CDN_URL: proxies.upload.origin,
      PUBLIC_SITE_URL: proxies.site.origin,
      STOP_GRACE_SECONDS: String(GRACE_SECONDS),
      STOP_TIMEOUT_SECONDS: String(STOP_TIMEOUT_SECONDS),
    };
    try {
      return await withStack({ bus: context.bus, env }, context.say, (stack) =>
        new Rolling(stack, context, proxies).run(),
      );
    } finally {
      await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
    }
  },
};

interface Proxies {
  readonly api: ReadyProxy;
  readonly upload: ReadyProxy;
  readonly site: ReadyProxy;
}

class Rolling {
  private readonly replicas: { readonly replica: Replica; readonly proxy: ReadyProxy | undefined }[] = [];
  private readonly breaches: string[] = [];
  private readonly statuses: (number | null)[] = [];
  private slowUploads = 0;
  private slowDownloads = 0;
  private pages = 0;
  private stopped = false;

  constructor(
    private readonly stack: ChaosStack,
    private readonly context: ScenarioContext,
    private readonly proxies: Proxies,
  ) {}

  async run(): Promise<Verdict> {
    const { say } = this.context;
    try {
      await this.startReplicas();
      say(`${this.replicas.length} replicas are ready behind their proxies`);
      const traffic = await Traffic.create(this.stack, this.context, { isExcused: () => false });
      const file = await largePicture();
      const slug = await traffic.uploadOne({ name: 'large.png', bytes: file, decodable: true });
      if (slug === undefined) throw new Error('The file for slow downloads was not accepted');
      const original = await this.originalOf(traffic, slug);

      traffic.start();
      const slow = Promise.all([
        this.repeat(() => this.uploadSlowly(traffic)),
        this.repeat(() => this.downloadSlowly(original, file.length)),
        this.repeat(() => this.browse()),
      ]);
      slow.catch(() => undefined);
      const random = new Random(this.context.seed);
      const rounds = setting(this.context, 'rounds');
      for (let round = 1; round <= rounds; round++) {
        for (const { replica, proxy } of this.replicas) await this.replace(replica, proxy, random);
        say(`round ${round} of ${rounds}: every process has been replaced`);
      }
      this.stopped = true;
      await slow;
      await traffic.stop();

      const failed = this.statuses.filter((status) => status !== 0).length;
      if (failed > 0) this.breaches.push(`${failed} processes ended with ${this.statuses.join(' ')}`);
      const unserved = Object.values(this.proxies).reduce((sum, { refused }) => sum + refused, 0);
      if (unserved > 0) this.breaches.push(`${unserved} connections found no replica ready`);
      const answered = [...traffic.ledger.outcomes.values()].reduce((sum, count) => sum + count, 0);
      const verdict = await traffic.inspect(setting(this.context, 'quietSeconds'));
      return {
        figures: [
          ['processes replaced', this.statuses.length],
          ['  that ended with status 0', this.statuses.length - failed],
          ['requests', answered + this.slowUploads + this.slowDownloads + this.pages],
          ['  slow uploads among them', this.slowUploads],
          ['  slow downloads', this.slowDownloads],
          ['  pages of the website', this.pages],
          ['  that failed', traffic.ledger.violations.length + this.breaches.length],
          ...verdict.figures,
        ],
        breaches: [...this.breaches, ...verdict.breaches],
      };
    } finally {
      this.stopped = true;
      await Promise.all(this.replicas.map(({ replica }) => replica.stop(STOP_TIMEOUT_SECONDS * 1000)));
      this.replicas.forEach(({ replica }) => replica.close());
    }
  }

  private async startReplicas(): Promise<void> {
    for (const { service, count, ...more } of SERVICES) {
      const portSetting = 'portSetting' in more ? more.portSetting : undefined;
      const proxy = this.proxyOf(service);
      for (let number = 1; number <= count; number++) {
        const managementPort = await freePort();
        const port = portSetting ? await freePort() : managementPort;
        const name = `${service}-${number}`;
        const environment = {
          ...this.stack.environmentOf(service),
          MANAGEMENT_PORT: String(managementPort),
          ...(portSetting && { [portSetting]: String(port) }),
          ...(service === 'website' && { SITE_API_URL: `${this.proxies.api.origin}/api/v1` }),
        };
        const logFile = join(this.stack.folder, `${name}.log`);
        const replica = new Replica({ name, service, environment, port, managementPort, logFile });
        this.replicas.push({ replica, proxy });
      }
    }
    await Promise.all(this.replicas.map(({ replica, proxy }) => this.bringUp(replica, proxy)));
  }

  private async bringUp(replica: Replica, proxy: ReadyProxy | undefined): Promise<void> {
    await replica.start(BOOT_PATIENCE_MS);
    proxy?.add(replica.endpoint);
    await proxy?.untilReady(replica.name, BOOT_PATIENCE_MS);
  }

  private proxyOf(service: string): ReadyProxy | undefined {
    const { api, upload, site } = this.proxies;
    return new Map([
      ['api-gateway', api],
      ['upload-service', upload],
      ['website', site],
    ]).get(service);
  }

  /** Replaces a pod: the proxies learn of its deletion while its preStop hook waits; SIGTERM; its end; a new pod. */
  private async replace(replica: Replica, proxy: ReadyProxy | undefined, random: Random): Promise<void> {
    const heard = pause(random.integer(0, PROPAGATION_MS)).then(() => proxy?.withdraw(replica.name));
    await pause(PRE_STOP_MS);
    await heard;
    this.statuses.push(await replica.stop(STOP_TIMEOUT_SECONDS * 1000));
    await this.bringUp(replica, proxy);
  }

  private async repeat(work: () => Promise<void>): Promise<void> {
    while (!this.stopped) {
      await work().catch((error: unknown) => this.breaches.push((error as Error).message));
      await pause(50);
    }
  }

  private get slowMs(): number {
    return setting(this.context, 'slowSeconds') * 1000;
  }

  /** Uploads one file in twenty parts over seconds, as the client of the traffic, which checks it at the end. */
  private async uploadSlowly(traffic: Traffic): Promise<void> {
    const file = await picture();
    const { head, tail, type } = multipart();
    const bytes = Buffer.concat([head, file, tail]);
    const sent = request(`${this.proxies.upload.origin}/api/v1/media`, {
      method: 'POST',
      headers: { ...traffic.client.authorization, 'Content-Type': type, 'Content-Length': bytes.length },
    });
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    answered.catch(() => undefined);
    const part = Math.ceil(bytes.length / 20);
    for (let from = 0; from < bytes.length; from += part) {
      sent.write(bytes.subarray(from, from + part));
      await pause(this.slowMs / 20);
    }
    sent.end();
    const [answer] = await answered.catch((error: unknown) => {
      throw new Error(`A slow upload failed: ${(error as Error).message}`);
    });
    answer.resume();
    if (answer.statusCode !== 201) throw new Error(`A slow upload was answered ${answer.statusCode}`);
    this.slowUploads++;
  }

  /** Downloads a file of some megabytes slowly. */
  private async downloadSlowly(url: string, atLeast: number): Promise<void> {
    const [answer] = (await once(get(url), 'response').catch((error: unknown) => {
      throw new Error(`A slow download failed: ${(error as Error).message}`);
    })) as [IncomingMessage];
    let received = 0;
    const began = Date.now();
    try {
      for await (const chunk of answer) {
        received += (chunk as Buffer).length;
        const due = (received / atLeast) * this.slowMs;
        await pause(Math.max(0, Math.min(200, due - (Date.now() - began))));
      }
    } catch (error) {
      throw new Error(`A slow download broke off after ${received} bytes: ${(error as Error).message}`, {
        cause: error,
      });
    }
    if (answer.statusCode !== 200 || received !== Number(answer.headers['content-length'])) {
      throw new Error(`A slow download was answered ${answer.statusCode} with ${received} bytes`);
    }
    this.slowDownloads++;
  }

  private readonly browser = new Agent({ keepAlive: true });

  private async browse(): Promise<void> {
    const asked = get(`${this.proxies.site.origin}/`, { agent: this.browser });
    const [answer] = (await once(asked, 'response').catch((error: unknown) => {
      throw new Error(`A page failed: ${(error as Error).message}`);
    })) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    if (answer.statusCode !== 200) throw new Error(`A page was answered ${answer.statusCode}`);
    this.pages++;
  }

  private async originalOf(traffic: Traffic, slug: string): Promise<string> {
    const { body } = await traffic.client.read(slug);
    const url = body?.data.urls['original'];
    if (!url) throw new Error(`${slug} has no original`);
    return url;
  }
}

/** About five megabytes, because noise can't be compressed. */
const largePicture = (): Promise<Buffer> => noise(1600, 1100);
const picture = (): Promise<Buffer> => noise(200, 150);

function noise(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  let state = Date.now() | 1;
  for (let at = 0; at < pixels.length; at++) {
    state = Math.imul(state, 1_664_525) + 1_013_904_223;
    pixels[at] = state >>> 24;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

function multipart(): { readonly head: Buffer; readonly tail: Buffer; readonly type: string } {
  const boundary = 'vitrine-rolling';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="slow.png"\r\nContent-Type: image/png\r\n\r\n`;
  return {
    head: Buffer.from(head),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
    type: `multipart/form-data; boundary=${boundary}`,
  };
}
