import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger, LedgerEntry } from './ledger';
import { Random } from '../../random/random';
import type { SampleFile, SampleFiles } from './sample-files';
import type { RequestOutcome, ChaosClient } from './chaos-client';

export interface UploadTrafficOptions {
  readonly seed: number;
  /** The number of clients that upload at the same time. */
  readonly uploaders: number;
  /**
   * Longest pause of each uploader between two uploads, in milliseconds. With pauses, work of all stages is in progress at
   * any time, not only the first one.
   */
  readonly maxRestMs: number;
  /** One in this many uploads is deleted again. */
  readonly deletedOneIn: number;
  /** Whether an answer other than success is acceptable at this moment. */
  readonly isExcused: (outcome: RequestOutcome<unknown>) => boolean;
}

const RETRIES = 40;
const RETRY_MS = 500;
/** A run fails when no upload was accepted for this long. */
const STALL_MS = 180_000;
const READ_EVERY_MS = 250;

/** Clients that upload, read and delete until they are stopped, and record the outcomes in the ledger. */
export class UploadTraffic {
  private readonly random: Random;
  private lastAcceptedAt = Date.now();
  private stopped = false;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: ChaosClient,
    private readonly files: SampleFiles,
    private readonly ledger: Ledger,
    private readonly options: UploadTrafficOptions,
  ) {
    this.random = new Random(options.seed);
  }

  /** Starts the clients, for the first time or again after `stop`. */
  start(): void {
    const { uploaders } = this.options;
    this.stopped = false;
    this.lastAcceptedAt = Date.now();
    const seeds = Array.from({ length: uploaders }, () => this.random.integer(0, 2 ** 31));
    this.running = Promise.all([
      ...seeds.map((own) => this.upload(new Random(own))),
      this.readAtRandom(new Random(this.random.integer(0, 2 ** 31))),
    ]);
    // `stop` reports a failure.
    this.running.catch(() => undefined);
  }

  /** Throws when no upload was accepted for three minutes. */
  check(): void {
    if (Date.now() - this.lastAcceptedAt > STALL_MS) {
      throw new Error('No upload has been accepted for three minutes');
    }
  }

  /** Stops every client after its current request. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async upload(random: Random): Promise<void> {
    while (!this.stopped) {
      const isDeleted = random.integer(1, this.options.deletedOneIn) === 1;
      await this.uploadOne(await this.files.next(random), isDeleted);
      await pause(random.integer(0, this.options.maxRestMs));
    }
  }

  /**
   * Uploads one file and deletes it again if `isDeleted`. Returns its slug if it was accepted. A request without an answer
   * may have been accepted; the client doesn't repeat it.
   */
  async uploadOne(file: SampleFile, isDeleted = false): Promise<string | undefined> {
    const outcome = await this.client.upload(file);
    this.ledger.enter('upload', outcome);
    if (outcome.status !== 201) {
      const wasRefused = outcome.status === 422 && !file.decodable;
      if (!wasRefused) this.judge(`The upload of ${file.name}`, outcome);
      return undefined;
    }
    if (!outcome.body) throw new Error('A 201 without a body');
    const entry: LedgerEntry = {
      id: outcome.body.media.id,
      slug: outcome.body.media.slug,
      sentSha256: createHash('sha256').update(file.bytes).digest('hex'),
      decodable: file.decodable,
      deletion: isDeleted ? 'asked' : 'none',
    };
    this.ledger.entries.push(entry);
    this.lastAcceptedAt = Date.now();
    if (isDeleted) await this.deleteOne(entry);
    return entry.slug;
  }

  private async deleteOne(entry: LedgerEntry): Promise<void> {
    for (let attempt = 0; attempt < RETRIES; attempt++) {
      const outcome = await this.client.delete(entry.slug);
      const { status } = outcome;
      this.ledger.enter('delete', outcome);
      // 404: an earlier request, which got no answer, deleted it.
      if (status === 200 || status === 204 || (status === 404 && attempt > 0)) {
        entry.deletion = 'confirmed';
        return;
      }
      this.judge(`The deletion of ${entry.slug}`, outcome);
      await pause(RETRY_MS);
    }
  }

  /** Reads random uploads: one that was accepted must never be answered with 404. */
  private async readAtRandom(random: Random): Promise<void> {
    while (!this.stopped) {
      await pause(READ_EVERY_MS);
      if (this.ledger.entries.length === 0) continue;
      const entry = random.pick(this.ledger.entries);
      if (entry.deletion !== 'none') continue;
      const outcome = await this.client.read(entry.slug);
      this.ledger.enter('read', outcome);
      if (outcome.status === 404 && entry.deletion === 'none') {
        this.ledger.violations.push(`${entry.slug} was answered 404 though its upload was accepted`);
      } else if (outcome.status !== 200 && outcome.status !== 404) {
        this.judge(`Reading ${entry.slug}`, outcome);
      }
    }
  }

  private judge(request: string, outcome: RequestOutcome<unknown>): void {
    if (this.options.isExcused(outcome)) return;
    this.ledger.violations.push(`${request} was answered ${describeRequestOutcome(outcome)}`);
  }
}

export const describeRequestOutcome = ({ status, body, reason }: RequestOutcome<unknown>): string =>
  `${status} ${reason ?? JSON.stringify(body)}`;
