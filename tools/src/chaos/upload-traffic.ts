import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger, LedgerEntry } from './ledger';
import { Random } from './random';
import type { SampleFile, SampleFiles } from './sample-files';
import type { Outcome, VitrineClient } from './vitrine-client';

export interface UploadTrafficOptions {
  readonly seed: number;
  /** Clients that upload at once. */
  readonly uploaders: number;
  /**
   * Milliseconds; each uploader rests up to this long between two uploads, so that all stages of a media's life are
   * under way at any time, not the first alone.
   */
  readonly maxRestMs: number;
  /** One in so many uploads is deleted again. */
  readonly deletedOneIn: number;
  /** Whether that is an answer that a client may get to any request meanwhile, besides success. */
  readonly isExcused: (outcome: Outcome<unknown>) => boolean;
}

const RETRIES = 40;
const RETRY_MS = 500;
/** Without a new 201 for this long there is no point in going on. */
const STALL_MS = 180_000;
const READ_EVERY_MS = 250;

/** Clients that upload, read and delete until they are told to stop, and enter what they saw in the ledger. */
export class UploadTraffic {
  private readonly random: Random;
  private lastAcceptedAt = Date.now();
  private stopped = false;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: VitrineClient,
    private readonly files: SampleFiles,
    private readonly ledger: Ledger,
    private readonly options: UploadTrafficOptions,
  ) {
    this.random = new Random(options.seed);
  }

  /** For the first time, or again after `stop`. */
  start(): void {
    const { uploaders } = this.options;
    this.stopped = false;
    this.lastAcceptedAt = Date.now();
    const seeds = Array.from({ length: uploaders }, () => this.random.integer(0, 2 ** 31));
    this.running = Promise.all([
      ...seeds.map((own) => this.upload(new Random(own))),
      this.readAtRandom(new Random(this.random.integer(0, 2 ** 31))),
    ]);
    // Whoever stops us hears of it.
    this.running.catch(() => undefined);
  }

  /** Throws where nothing has been accepted for three minutes. */
  check(): void {
    if (Date.now() - this.lastAcceptedAt > STALL_MS) {
      throw new Error('No upload has been accepted for three minutes');
    }
  }

  /** Lets every client finish what it is doing. */
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
   * The slug where it is accepted, which is then deleted again or not. A request without an answer may have been
   * taken in or not; the client sends another file.
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
      // 404: an earlier request without an answer has done it.
      if (status === 200 || status === 204 || (status === 404 && attempt > 0)) {
        entry.deletion = 'confirmed';
        return;
      }
      this.judge(`The deletion of ${entry.slug}`, outcome);
      await pause(RETRY_MS);
    }
  }

  /** Whatever was answered with 201 must never be denied. */
  private async readAtRandom(random: Random): Promise<void> {
    while (!this.stopped) {
      await pause(READ_EVERY_MS);
      if (this.ledger.entries.length === 0) continue;
      const entry = random.pick(this.ledger.entries);
      if (entry.deletion !== 'none') continue;
      const outcome = await this.client.read(entry.slug);
      this.ledger.enter('read', outcome);
      if (outcome.status === 404 && entry.deletion === 'none') {
        this.ledger.offences.push(`${entry.slug} was denied though its upload was answered`);
      } else if (outcome.status !== 200 && outcome.status !== 404) {
        this.judge(`Reading ${entry.slug}`, outcome);
      }
    }
  }

  private judge(request: string, outcome: Outcome<unknown>): void {
    if (this.options.isExcused(outcome)) return;
    this.ledger.offences.push(`${request} was answered ${describeOutcome(outcome)}`);
  }
}

export const describeOutcome = ({ status, body, reason }: Outcome<unknown>): string =>
  `${status} ${reason ?? JSON.stringify(body)}`;
