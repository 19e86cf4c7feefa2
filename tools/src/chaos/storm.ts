import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger, LedgerEntry } from './ledger';
import { Random } from './random';
import type { SampleFile, SampleFiles } from './sample-files';
import { findVictim, type Victim, VICTIMS } from './victims';
import type { VitrineClient } from './vitrine-client';

export interface StormOptions {
  readonly seed: number;
  /** 201s to reach. */
  readonly uploads: number;
  /** Processes to kill meanwhile. */
  readonly kills: number;
  readonly dataFolder: string;
}

export interface Kill {
  readonly victim: Victim;
  /** Answered uploads at that moment. */
  readonly after: number;
}

/** Clients that upload at once. */
const UPLOADERS = 4;
/** Each rests up to this long between two uploads, so that all stages of a media's life are hit, not the first alone. */
const MAX_REST_MS = 2_000;
/** A victim that isn't running is waited for; a process is back within seconds. */
const VICTIM_PATIENCE_MS = 90_000;
/** One in so many uploads is deleted again. */
const DELETED_ONE_IN = 15;
const RETRIES = 40;
const RETRY_MS = 500;
/** Without a new 201 for this long, the storm is over and lost. */
const STALL_MS = 180_000;

/** Uploads, reads, deletes, and kills until both numbers are reached; the same seed makes the same choices. */
export class Storm {
  readonly kills: Kill[] = [];
  private readonly random: Random;
  private lastProgressAt = Date.now();

  constructor(
    private readonly client: VitrineClient,
    private readonly files: SampleFiles,
    private readonly ledger: Ledger,
    private readonly options: StormOptions,
    private readonly say: (line: string) => void,
  ) {
    this.random = new Random(options.seed);
  }

  /** Throws where nothing moves any more. */
  async rage(): Promise<void> {
    const seeds = Array.from({ length: UPLOADERS }, () => this.random.integer(0, 2 ** 31));
    await Promise.all([
      this.killProcesses(),
      ...seeds.map((seed) => this.upload(new Random(seed))),
      this.readAtRandom(new Random(this.options.seed + 1)),
    ]);
  }

  private isOver(): boolean {
    const { uploads, kills } = this.options;
    if (Date.now() - this.lastProgressAt > STALL_MS)
      throw new Error('Nothing has been accepted for three minutes');
    return this.ledger.entries.length >= uploads && this.kills.length >= kills;
  }

  private async killProcesses(): Promise<void> {
    const { uploads, kills, dataFolder } = this.options;
    // Every kind is hit in turn, in an order of chance, so that twenty kills spare none.
    let order: Victim[] = [];
    for (let number = 1; number <= kills; number++) {
      const after = Math.floor((number * uploads) / (kills + 1));
      while (this.ledger.entries.length < after) {
        this.isOver();
        await pause(20);
      }
      await pause(this.random.integer(0, 1000));
      if (order.length === 0) order = shuffle(VICTIMS, this.random);
      const victim = order.pop() as Victim;
      await this.kill(victim, dataFolder);
      this.kills.push({ victim, after: this.ledger.entries.length });
      this.say(`kill ${number} of ${kills}: ${victim}, after ${this.ledger.entries.length} uploads`);
    }
  }

  private async kill(victim: Victim, dataFolder: string): Promise<void> {
    const deadline = Date.now() + VICTIM_PATIENCE_MS;
    for (;;) {
      const pid = findVictim(victim, dataFolder);
      if (pid !== undefined && endAtOnce(pid)) return;
      if (Date.now() > deadline) throw new Error(`${victim} is not running any more`);
      await pause(50);
    }
  }

  private async upload(random: Random): Promise<void> {
    while (!this.isOver()) {
      await this.uploadOne(await this.files.next(random), random);
      await pause(random.integer(0, MAX_REST_MS));
    }
  }

  /** A request without an answer may have been taken in or not; the client sends another file. */
  private async uploadOne(file: SampleFile, random: Random): Promise<void> {
    const { status, body } = await this.client.upload(file);
    this.ledger.count(`upload ${status}`);
    if (status !== 201) {
      if (status === 422 && !file.decodable) return;
      if (status !== 'no answer' && status !== 503 && status !== 502) {
        this.ledger.offences.push(
          `The upload of ${file.name} was answered ${status} ${JSON.stringify(body)}`,
        );
      }
      return;
    }
    if (!body) throw new Error('A 201 without a body');
    const entry: LedgerEntry = {
      slug: body.media.slug,
      sentSha256: createHash('sha256').update(file.bytes).digest('hex'),
      decodable: file.decodable,
      deletion: 'none',
    };
    this.ledger.entries.push(entry);
    this.lastProgressAt = Date.now();
    if (random.integer(1, DELETED_ONE_IN) === 1) await this.deleteOne(entry);
  }

  private async deleteOne(entry: LedgerEntry): Promise<void> {
    entry.deletion = 'asked';
    for (let attempt = 0; attempt < RETRIES; attempt++) {
      const { status } = await this.client.delete(entry.slug);
      this.ledger.count(`delete ${status}`);
      // 404: an earlier request without an answer has done it.
      if (status === 200 || status === 204 || (status === 404 && attempt > 0)) {
        entry.deletion = 'confirmed';
        return;
      }
      await pause(RETRY_MS);
    }
  }

  /** Whatever was answered with 201 must never be denied. */
  private async readAtRandom(random: Random): Promise<void> {
    while (!this.isOver()) {
      await pause(250);
      if (this.ledger.entries.length === 0) continue;
      const entry = random.pick(this.ledger.entries);
      if (entry.deletion !== 'none') continue;
      const { status } = await this.client.read(entry.slug);
      this.ledger.count(`read ${status}`);
      if (status === 404 && entry.deletion === 'none') {
        this.ledger.offences.push(`${entry.slug} was denied though its upload was answered`);
      }
    }
  }
}

/** False where it has ended by itself meanwhile. */
function endAtOnce(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  const shuffled = [...items];
  for (let index = shuffled.length - 1; index > 0; index--) {
    const other = random.integer(0, index);
    [shuffled[index], shuffled[other]] = [shuffled[other] as Item, shuffled[index] as Item];
  }
  return shuffled;
}
