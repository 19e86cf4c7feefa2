import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ServiceProcess, startService } from '@vitrine/testing';
import { photograph } from '@vitrine/bench';
import type { Random } from '@vitrine/demo/random';
import { open, outcomeOf } from '../clients/client';
import { repeat } from '../clients/repeat';
import type { Traffic } from '../clients/traffic';
import { type ChaosStack, withStack } from '../stack/chaos-stack';
import { ReadyProxy } from '../faults/ready-proxy';
import type { Scenario } from '../contract/scenario';
import { ENOUGH_UNPROCESSED, type LoadRun, underLoad } from './load';

/** Replicas of each service, and the proxy in front of its public port. */
const SERVICES: readonly (readonly [service: string, count: number, proxy?: keyof Proxies])[] = [
  ['api-gateway', 2, 'api'],
  ['upload-service', 2, 'upload'],
  ['website', 2, 'site'],
  ['media-processor', 1],
  ['moderation-service', 1],
];

/** Longest time until the nodes of the cluster know that a pod is going; its preStop hook waits longer. */
const PROPAGATION_MS = 500;
const PRE_STOP_MS = 1_000;
const GRACE_SECONDS = 2;
/** A process that is stopping ends itself after this time; ten seconds later it is killed. */
const STOP_TIMEOUT_SECONDS = 90;
const KILL_AFTER_MS = (STOP_TIMEOUT_SECONDS + 10) * 1000;
const BOOT_PATIENCE_MS = 240_000;
/** Pause of each slow client between two requests. */
const REST_MS = 50;

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
      return await withStack({ bus: context.bus, env }, context.say, async (stack) => {
        const rolling = new Rolling(stack, proxies);
        stack.beforeStop(() => rolling.stopReplicas());
        await rolling.startReplicas();
        return underLoad(stack, context, (run) => rolling.run(run), { maxUnprocessed: ENOUGH_UNPROCESSED });
      });
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

/** One process of a service beside those of the stack; it is replaced like a pod. */
interface Replica {
  readonly name: string;
  readonly service: string;
  readonly env: Readonly<Record<string, string>>;
  readonly proxy: ReadyProxy | undefined;
  process?: ServiceProcess | undefined;
}

class Rolling {
  private readonly replicas: Replica[] = [];
  /** How the replaced processes ended. */
  private readonly ends: { readonly name: string; readonly status: number | null }[] = [];
  private readonly done = { slowUploads: 0, slowDownloads: 0, pages: 0 };

  constructor(
    private readonly stack: ChaosStack,
    private readonly proxies: Proxies,
  ) {}

  async run(load: LoadRun): Promise<void> {
    const { traffic, breaches, figures, ledger } = load;
    const slowMs = load.setting('slowSeconds') * 1000;
    load.say(`${this.replicas.length} replicas are ready behind their proxies`);
    const large = await traffic.upload({
      name: 'large.png',
      bytes: await noise(1600, 1100),
      decodable: true,
    });
    if (!large) throw new Error('The file for slow downloads was not accepted');

    traffic.start();
    const stop = repeat(
      ...[
        () => this.uploadSlowly(traffic, slowMs),
        () => this.downloadSlowly(large.urls.original, slowMs),
        () => this.browse(),
      ].map((work) => () => work().catch((error: Error) => breaches.push(error.message))),
    );
    const rounds = load.setting('rounds');
    for (let round = 1; round <= rounds; round++) {
      for (const replica of this.replicas) await this.replace(replica, load.random);
      load.say(`round ${round} of ${rounds}: every process has been replaced`);
    }
    await stop();
    await traffic.stop();

    const failed = this.ends.filter(({ status }) => status !== 0);
    for (const { name, status } of failed)
      breaches.push(status === null ? `${name} was killed` : `${name} ended with status ${status}`);
    const unserved = Object.values(this.proxies).reduce((sum, { refused }) => sum + refused, 0);
    if (unserved > 0) breaches.push(`${unserved} connections found no replica ready`);
    const { slowUploads, slowDownloads, pages } = this.done;
    figures.push(
      ['processes replaced', this.ends.length],
      ['  that ended with status 0', this.ends.length - failed.length],
      ['requests', ledger.count() + slowUploads + slowDownloads + pages],
      ['  slow uploads among them', slowUploads],
      ['  slow downloads', slowDownloads],
      ['  pages of the website', pages],
      ['  that failed', ledger.violations.length + breaches.length],
    );
  }

  async stopReplicas(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => this.stop(replica)));
  }

  async startReplicas(): Promise<void> {
    for (const [service, count, proxy] of SERVICES) {
      const settings = Object.entries(this.stack.environmentOf(service)).flatMap(([name, value]) =>
        value === undefined || /^(?:API|UPLOAD|SITE|MANAGEMENT)_PORT$/.test(name) ? [] : [[name, value]],
      );
      const env = {
        ...Object.fromEntries(settings),
        ...(service === 'website' && { SITE_API_URL: `${this.proxies.api.origin}/api/v1` }),
      };
      for (let number = 1; number <= count; number++) {
        const name = `${service}-${number}`;
        this.replicas.push({ name, service, env, proxy: proxy && this.proxies[proxy] });
      }
    }
    await Promise.all(this.replicas.map((replica) => this.bringUp(replica)));
  }

  private async bringUp(replica: Replica): Promise<void> {
    const { name, service, env, proxy } = replica;
    replica.process = await startService(service, { env });
    const { url, managementUrl } = replica.process;
    proxy?.add({ name, port: Number(new URL(url).port), readyUrl: `${managementUrl}/health/ready` });
    await proxy?.untilReady(name, BOOT_PATIENCE_MS);
  }

  /** Replaces a pod: the proxies learn of its deletion while its preStop hook waits; SIGTERM; its end; a new pod. */
  private async replace(replica: Replica, random: Random): Promise<void> {
    const heard = pause(random.integer(0, PROPAGATION_MS)).then(() => replica.proxy?.withdraw(replica.name));
    await pause(PRE_STOP_MS);
    await heard;
    this.ends.push({ name: replica.name, status: await this.stop(replica) });
    await this.bringUp(replica);
  }

  /** Stops the process of a replica and appends its output to `<name>.log` in the stack's folder. */
  private async stop(replica: Replica): Promise<number | null> {
    const { name, process } = replica;
    if (!process) return null;
    replica.process = undefined;
    const status = await stopWithin(process, KILL_AFTER_MS);
    await appendFile(join(this.stack.folder, `${name}.log`), process.output());
    return status;
  }

  /** Uploads one file in twenty parts over seconds, with the account of the traffic. */
  private async uploadSlowly(traffic: Traffic, slowMs: number): Promise<void> {
    if (await traffic.isBehind()) return pause(slowMs);
    const bytes = await noise(200, 150, this.done.slowUploads);
    const size = Math.ceil(bytes.length / 20);
    async function* parts(): AsyncGenerator<Buffer> {
      for (let from = 0; from < bytes.length; from += size) {
        yield bytes.subarray(from, from + size);
        await pause(slowMs / 20);
      }
    }
    const source = { name: 'slow.png', size: bytes.length, open: parts };
    const { status, reason } = await outcomeOf(traffic.client.media.upload(source));
    if (status !== 'done') throw new Error(`A slow upload was answered ${status} ${reason}`);
    this.done.slowUploads++;
    await pause(REST_MS);
  }

  /** Downloads a file of some megabytes slowly. */
  private async downloadSlowly(url: string, slowMs: number): Promise<void> {
    let received = 0;
    try {
      const { status, headers, body } = await fetch(url);
      const size = Number(headers.get('content-length'));
      const began = Date.now();
      for await (const chunk of body ?? []) {
        received += (chunk as Uint8Array).length;
        const due = (received / size) * slowMs;
        await pause(Math.max(0, Math.min(200, due - (Date.now() - began))));
      }
      if (status !== 200 || received !== size) throw new Error(`status ${status}`);
    } catch (error) {
      throw new Error(`A slow download failed after ${received} bytes: ${(error as Error).message}`, {
        cause: error,
      });
    }
    this.done.slowDownloads++;
    await pause(REST_MS);
  }

  private async browse(): Promise<void> {
    const { status, reason } = await open(`${this.proxies.site.origin}/`);
    if (status !== 'done') throw new Error(`A page was answered ${status} ${reason}`);
    this.done.pages++;
    await pause(REST_MS);
  }
}

/** Sends SIGTERM, and SIGKILL after `limitMs`. Returns the exit status; null if a signal killed the process. */
export async function stopWithin(
  process: Pick<ServiceProcess, 'stop'>,
  limitMs: number,
): Promise<number | null> {
  const force = setTimeout(() => void process.stop('SIGKILL'), limitMs);
  const status = await process.stop();
  clearTimeout(force);
  return status;
}

/** A picture that can't be compressed: its bytes are three for each pixel. */
const noise = async (width: number, height: number, seed = 1): Promise<Buffer> =>
  (await photograph(width, height, seed)).png({ compressionLevel: 0 }).toBuffer();
