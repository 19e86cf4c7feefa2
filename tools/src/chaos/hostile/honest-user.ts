import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { photograph } from '../../bench/harness/photograph';
import { type Latencies, latenciesOf } from '../../statistics/statistics';
import type { SampleFile } from '../clients/sample-files';
import { type RequestOutcome, ChaosClient, type Addresses } from '../clients/chaos-client';

const POLL_MS = 10;
/** Milliseconds after which an unprocessed photograph counts as a failure. */
const PATIENCE_MS = 120_000;
/** Reads for each upload. */
const READS = 4;

/** The measurements of an honest user. */
export interface Measurements {
  /** Reads of the API. */
  readonly api: Latencies;
  /** Reads of files. */
  readonly files: Latencies;
  /** From sending a photograph to the answer. */
  readonly uploads: Latencies;
  /** From the answer until the variants exist. */
  readonly processing: Latencies;
  readonly failures: readonly string[];
}

/** Uploads photographs one after the other, waits for their variants, and reads lists and files in between. */
export class HonestUser {
  private constructor(
    private readonly client: ChaosClient,
    private readonly database: Client,
    private readonly photo: SampleFile,
    private fileUrl = '',
  ) {}

  /** Creates the account, uploads the first photograph and waits for its variants. */
  static async create(addresses: Addresses, database: Client, username: string): Promise<HonestUser> {
    const client = new ChaosClient(addresses, PATIENCE_MS);
    await client.signUp(username, 'a password of the chaos harness');
    const bytes = await (await photograph(4000, 3000, 1)).jpeg({ quality: 85 }).toBuffer();
    const user = new HonestUser(client, database, { name: 'photo.jpg', bytes, decodable: true });
    const { status, body } = await client.upload(user.photo);
    if (status !== 201 || !body) throw new Error(`The first photograph was answered ${status}`);
    user.fileUrl = body.media.urls['md'] ?? '';
    await user.untilProcessed(body.media.slug);
    return user;
  }

  /** Uploads this many photographs, with reads in between. Returns the measurements. */
  async live(photographs: number): Promise<Measurements> {
    const took = {
      api: [] as number[],
      files: [] as number[],
      uploads: [] as number[],
      processing: [] as number[],
    };
    const failures: string[] = [];
    const timed = async <Result>(into: number[], work: () => Promise<Result>): Promise<Result> => {
      const began = performance.now();
      const result = await work();
      into.push(performance.now() - began);
      return result;
    };
    const expectStatus = (
      what: string,
      { status, reason }: RequestOutcome<unknown>,
      expected: number,
    ): void => {
      if (status !== expected) failures.push(`${what} was answered ${status} ${reason ?? ''}`.trim());
    };
    for (let count = 0; count < photographs; count++) {
      for (let read = 0; read < READS; read++) {
        expectStatus('a list', await timed(took.api, () => this.client.json('GET', '/posts')), 200);
        expectStatus('an account', await timed(took.api, () => this.client.json('GET', '/me')), 200);
        const status = await timed(took.files, () => this.readFile());
        if (status !== 200) failures.push(`a file was answered ${status}`);
      }
      const uploaded = await timed(took.uploads, () => this.client.upload(this.photo));
      expectStatus('an upload', uploaded, 201);
      const slug = uploaded.body?.media.slug;
      if (uploaded.status !== 201 || slug === undefined) continue;
      const processed = await timed(took.processing, () => this.untilProcessed(slug));
      if (!processed) failures.push(`${slug} was not processed within ${PATIENCE_MS / 1000} s`);
    }
    return {
      api: latenciesOf(took.api),
      files: latenciesOf(took.files),
      uploads: latenciesOf(took.uploads),
      processing: latenciesOf(took.processing),
      failures,
    };
  }

  private async untilProcessed(slug: string): Promise<boolean> {
    const deadline = Date.now() + PATIENCE_MS;
    while (Date.now() < deadline) {
      const { rows } = await this.database.query<{ processed: boolean }>(
        'select processed from media where slug = $1',
        [slug],
      );
      if (rows[0]?.processed) return true;
      await pause(POLL_MS);
    }
    return false;
  }

  private async readFile(): Promise<number | string> {
    try {
      const response = await fetch(this.fileUrl, { signal: AbortSignal.timeout(30_000) });
      await response.arrayBuffer();
      return response.status;
    } catch (error) {
      return `nothing: ${(error as Error).message}`;
    }
  }
}
