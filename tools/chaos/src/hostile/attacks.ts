import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { countBy, describeCounts } from '../contract/results';
import { bitmapHead } from '../clients/bitmap';
import type { SampleFile } from '../clients/sample-files';
import type { Media, VitrineClient } from '@vitrine/client';
import { type Addresses, outcomeOf, type RequestOutcome, signUp } from '../clients/client';
import { repeat, times } from '../clients/repeat';
import type { ExpensiveFiles } from './expensive-files';
import { hostileSvgSize, startCodeStream } from './parser-files';

/** An attack that continues until it is ended. */
export interface Attack {
  /** Ends the attack, waits for its requests, and resolves with what the hostile client saw. */
  end(): Promise<string>;
}

/** One kind of attack. */
export interface HostileAct {
  /** The name in the figures. */
  readonly name: string;
  /** Resolves once the attack is in progress. */
  begin(hostile: HostileClient): Promise<Attack>;
}

/** All of 127.0.0.0/8 is this machine, so limits per address see another address than the honest user's. */
const HOSTILE_ADDRESS = '127.0.0.2';
const AT_A_TIME = 4;
/** The largest text in a JSON body. */
const TEXT_BYTES = 250_000;
const READERS = 1000;
const READ_FILE_BYTES = 20_000_000;
const REST_MS = 50;

/** A hostile client with its own account and address. */
export class HostileClient {
  private constructor(
    readonly addresses: Addresses,
    private readonly client: VitrineClient,
    readonly files: ExpensiveFiles,
  ) {}

  static async create(addresses: Addresses, files: ExpensiveFiles, username: string): Promise<HostileClient> {
    return new HostileClient(addresses, await signUp(addresses, username), files);
  }

  upload({ bytes, name }: SampleFile): Promise<RequestOutcome<Media>> {
    return outcomeOf(this.client.media.upload(bytes, { name }));
  }

  delete(slug: string): Promise<RequestOutcome> {
    return outcomeOf(this.client.media.delete(slug));
  }

  /** The status of a POST of JSON from the hostile address; `no answer` where the connection ends. */
  postJson(path: string, body: string): Promise<number | 'no answer'> {
    return new Promise((resolve) => {
      const posted = request(this.addresses.api + path, {
        method: 'POST',
        localAddress: HOSTILE_ADDRESS,
        headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
      });
      posted.once('response', (response) => {
        response.resume().once('close', () => resolve(response.statusCode ?? 'no answer'));
      });
      posted.once('error', () => resolve('no answer'));
      posted.end(body);
    });
  }
}

/** Repeats `work` on several lines in parallel until it is ended, and counts the outcomes. */
function attackWith(work: () => Promise<string | number>, after?: () => Promise<void>): Attack {
  const results: string[] = [];
  const stop = repeat(
    ...times(AT_A_TIME, async () => {
      results.push(String(await work()));
      await pause(REST_MS);
    }),
  );
  return {
    end: async () => {
      await stop();
      await after?.();
      return describeCounts(countBy(results));
    },
  };
}

/** Text whose Unicode normalisation takes time that is quadratic in its length. */
const combiningMarks: HostileAct = {
  name: '256 KB of combining marks in a login',
  begin: async (hostile) => {
    const login = `e${'\u0323\u0301'.repeat(TEXT_BYTES / 4)}`;
    const body = JSON.stringify({ login, password: 'hostile' });
    return attackWith(() => hostile.postJson('/auth/login', body));
  },
};

const parserFiles: HostileAct = {
  name: 'files that are slow to parse',
  begin: async (hostile) => {
    const files = [hostileSvgSize(), startCodeStream()];
    const slugs: string[] = [];
    let next = 0;
    return attackWith(
      async () => {
        const file = files[next++ % files.length] as SampleFile;
        const { status, body } = await hostile.upload(file);
        if (body) slugs.push(body.slug);
        return status;
      },
      async () => {
        for (const slug of slugs) await hostile.delete(slug);
      },
    );
  },
};

const idleReaders: HostileAct = {
  name: '1,000 idle readers of one file',
  begin: async (hostile) => {
    const head = bitmapHead(READ_FILE_BYTES);
    const bytes = Buffer.concat([head, randomBytes(head.readUInt32LE(34))]);
    const { status, body } = await hostile.upload({ name: 'large.bmp', bytes, decodable: true });
    if (!body) throw new Error(`The large file was answered ${status}`);
    const { origin, pathname, host, hostname, port } = new URL(body.urls.original);
    // Spellings of one path: that of clients, that of proxies, and one that no client uses.
    const targets = [pathname, pathname, origin + pathname, pathname.replace('/f/', '/F/')];
    const sockets = new Set<Socket>();
    for (let index = 0; index < READERS; index++) {
      const socket = connect({ host: hostname, port: Number(port), localAddress: HOSTILE_ADDRESS });
      sockets.add(socket);
      socket.pause().on('error', () => undefined);
      socket.once('close', () => sockets.delete(socket));
      socket.write(`GET ${targets[index % targets.length]} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      if (index % 25 === 0) await pause(REST_MS);
    }
    return {
      end: async () => {
        const left = sockets.size;
        for (const socket of sockets) socket.destroy();
        await hostile.delete(body.slug);
        return `${left} of ${READERS} still connected`;
      },
    };
  },
};

const expensiveFiles: HostileAct = {
  name: 'SVG bombs, 100-megapixel PNGs and 4K videos',
  begin: async (hostile) => {
    const { svg, png, video } = hostile.files;
    const slugs: string[] = [];
    const refused: string[] = [];
    for (const file of [svg, png, video, svg, png, svg, svg, png, svg, svg, png, svg]) {
      const { status, body } = await hostile.upload(file);
      if (body) slugs.push(body.slug);
      else refused.push(`${file.name}: ${status}`);
    }
    if (slugs.length === 0) throw new Error(`No expensive file was accepted: ${refused.join(', ')}`);
    return {
      end: async () => {
        for (const slug of slugs) await hostile.delete(slug);
        return `${slugs.length} accepted, ${refused.length} refused`;
      },
    };
  },
};

/** Every attack, in the order of the scenario. */
export const HOSTILE_ACTS: readonly HostileAct[] = [combiningMarks, parserFiles, idleReaders, expensiveFiles];
