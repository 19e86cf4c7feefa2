import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Latencies, latenciesOf, photograph } from '@vitrine/bench';
import type { VitrineClient } from '@vitrine/client';
import {
  type Addresses,
  describeOutcome,
  open,
  outcomeOf,
  type RequestOutcome,
  signUp,
} from '../clients/client';

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
    private readonly client: VitrineClient,
    private readonly database: Client,
    private readonly photo: Buffer,
    private readonly fileUrl: string,
  ) {}

  /** Creates the account, uploads the first photograph and waits for its variants. */
  static async create(addresses: Addresses, database: Client, username: string): Promise<HonestUser> {
    const client = await signUp(addresses, username, PATIENCE_MS);
    const photo = await (await photograph(4000, 3000, 1)).jpeg({ quality: 85 }).toBuffer();
    const { slug, urls } = await client.media.upload(photo);
    const user = new HonestUser(client, database, photo, urls.md);
    await user.untilProcessed(slug);
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
    const timed = async <Body>(
      what: string,
      into: number[],
      send: () => Promise<RequestOutcome<Body>>,
    ): Promise<Body | undefined> => {
      const began = performance.now();
      const outcome = await send();
      into.push(performance.now() - began);
      if (outcome.status === 'done') return outcome.body;
      failures.push(`${what} was answered ${describeOutcome(outcome)}`);
      return undefined;
    };
    const { client } = this;
    for (let count = 0; count < photographs; count++) {
      for (let read = 0; read < READS; read++) {
        await timed('a list', took.api, () => outcomeOf(client.posts.list()));
        await timed('an account', took.api, () => outcomeOf(client.me.get()));
        await timed('a file', took.files, () => open(this.fileUrl));
      }
      const media = await timed('an upload', took.uploads, () => outcomeOf(client.media.upload(this.photo)));
      if (!media) continue;
      const began = performance.now();
      if (!(await this.untilProcessed(media.slug)))
        failures.push(`${media.slug} was not processed within ${PATIENCE_MS / 1000} s`);
      took.processing.push(performance.now() - began);
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
}
