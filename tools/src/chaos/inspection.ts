import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createTransport, queuesOf } from '@vitrine/messaging';
import { events } from '@vitrine/contracts';
import { FolderStorage } from '@vitrine/storage';
import { Client } from 'pg';
import type { ChaosStack } from './chaos-stack';
import type { Ledger, LedgerEntry } from './ledger';
import type { UploadedMedia, VitrineClient } from './vitrine-client';

/** What is left of the storm, once all is quiet. */
export interface Findings {
  /** Seconds from the storm's end until nothing waited any more. */
  readonly settledAfterSeconds: number;
  readonly processed: number;
  readonly failed: number;
  readonly deleted: number;
  readonly urlsOpened: number;
  /** Media whose upload was taken in and never answered. */
  readonly unanswered: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Everything that is not as it must be, one sentence each. */
  readonly losses: readonly string[];
}

/** Quiet may take as long as it likes while there is progress; without any for this long, something is stuck. */
const STUCK_MS = 180_000;
const POLL_MS = 500;
const REPORT_MS = 10_000;
const READERS = 8;

interface MediaRow {
  readonly slug: string;
  readonly received: string;
  readonly stored: string;
}

/** Waits for quiet and compares what there is with what was promised. */
export class Inspection {
  private readonly losses: string[] = [];
  private readonly byStatus: Record<string, number> = {};
  private processed = 0;
  private failed = 0;
  private deleted = 0;
  private urlsOpened = 0;

  constructor(
    private readonly stack: ChaosStack,
    private readonly client: VitrineClient,
    private readonly ledger: Ledger,
    private readonly say: (line: string) => void,
  ) {}

  async run(): Promise<Findings> {
    const began = Date.now();
    const database = new Client({ connectionString: this.stack.databaseUrl });
    await database.connect();
    try {
      await this.settle(database);
      const settledAfterSeconds = Math.round((Date.now() - began) / 1000);
      const rows = await readRows(database);
      const entries = [...this.ledger.entries];
      await Promise.all(
        Array.from({ length: READERS }, async () => {
          for (let entry = entries.pop(); entry; entry = entries.pop()) await this.examine(entry, rows);
        }),
      );
      this.losses.push(...this.ledger.offences);
      return {
        settledAfterSeconds,
        processed: this.processed,
        failed: this.failed,
        deleted: this.deleted,
        urlsOpened: this.urlsOpened,
        byStatus: this.byStatus,
        // A client that got no answer may still have been heard; such media are as whole as the others.
        unanswered: rows.size - this.ledger.entries.filter(({ slug }) => rows.has(slug)).length,
        losses: this.losses,
      };
    } finally {
      await database.end();
    }
  }

  /** Quiet: nothing waits for processing, for a decision, in the outbox, in a queue or for a sweeper. */
  private async settle(database: Client): Promise<void> {
    const transport = createTransport({ url: this.stack.busUrl, publishTimeoutMs: 10_000 }, 'chaos');
    try {
      await transport.connect();
      const queues = queuesOf(Object.values(events));
      let nextReportAt = Date.now() + REPORT_MS;
      let last = { waiting: '', at: Date.now() };
      for (;;) {
        const waiting = await this.findWaiting(database);
        const depths = await Promise.all(
          queues.map(async ({ name }) => ({ name, ...(await transport.depth(name)) })),
        );
        waiting.push(
          ...depths.filter((queue) => queue.waiting > 0).map((queue) => `${queue.waiting} in ${queue.name}`),
        );
        if (waiting.join() !== last.waiting) last = { waiting: waiting.join(), at: Date.now() };
        if (waiting.length === 0 || Date.now() > last.at + STUCK_MS) {
          this.losses.push(...waiting.map((what) => `Still waiting: ${what}`));
          break;
        }
        if (Date.now() > nextReportAt) {
          nextReportAt += REPORT_MS;
          this.say(`still waiting: ${waiting.join(', ')}`);
        }
        await pause(POLL_MS);
      }
      for (const letter of await transport.listDeadLetters()) {
        this.losses.push(
          `Dead letter in ${letter.queue}: ${letter.reason} ${JSON.stringify(letter.envelope.data)}`,
        );
      }
    } finally {
      await transport.close();
    }
  }

  private async findWaiting(database: Client): Promise<string[]> {
    const { rows } = await database.query<Record<string, string>>(`
      select (select count(*) from media where not processed and processing_error is null) as "media unprocessed",
             (select count(*) from media where decided_at is null) as "media undecided",
             (select count(*) from outbox) as "rows in the outbox"`);
    const waiting = Object.entries(rows[0] ?? {})
      .filter(([, count]) => Number(count) > 0)
      .map(([what, count]) => `${count} ${what}`);
    const [orphans, scratch] = [await this.findOrphans(await readRows(database)), await this.findTemporary()];
    if (orphans.length > 0) waiting.push(`${orphans.length} objects without a media, such as ${orphans[0]}`);
    if (scratch.length > 0) waiting.push(`${scratch.length} temporary files, such as ${scratch[0]}`);
    return waiting;
  }

  private async examine(entry: LedgerEntry, rows: ReadonlyMap<string, MediaRow>): Promise<void> {
    const { slug } = entry;
    const { status, body } = await this.client.read(slug);
    if (entry.deletion === 'confirmed' || (entry.deletion === 'asked' && status === 404)) {
      this.deleted++;
      if (status !== 404) this.losses.push(`${slug} was deleted and is answered ${status}`);
      return;
    }
    const row = rows.get(slug);
    if (!row || status !== 200 || !body) {
      this.losses.push(`${slug} is lost: the API answers ${status}`);
      return;
    }
    if (row.received !== entry.sentSha256) this.losses.push(`${slug} is recorded with another file's hash`);
    const media = body.data;
    this.byStatus[media.moderation_status] = (this.byStatus[media.moderation_status] ?? 0) + 1;
    if (media.processing_error !== null) await this.examineFailed(entry, media);
    else await this.examineProcessed(entry, media, row);
  }

  private async examineFailed(entry: LedgerEntry, media: UploadedMedia): Promise<void> {
    this.failed++;
    const { slug, decodable } = entry;
    if (decodable) this.losses.push(`${slug} is sound and could not be processed: ${media.processing_error}`);
    if (media.processed || media.moderation_status !== 'rejected') {
      this.losses.push(`${slug} has failed, and is processed or ${media.moderation_status}`);
    }
    const answer = await fetch(media.urls['original'] ?? '');
    await answer.arrayBuffer();
    if (answer.status !== 404) this.losses.push(`${slug} has failed and is still served (${answer.status})`);
  }

  private async examineProcessed({ slug }: LedgerEntry, media: UploadedMedia, row: MediaRow): Promise<void> {
    if (!media.processed) this.losses.push(`${slug} is not processed`);
    else this.processed++;
    if (media.moderation_status === 'rejected') this.losses.push(`${slug} is harmless and was rejected`);
    for (const [name, url] of Object.entries(media.urls)) {
      const answer = await fetch(url);
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (answer.status !== 200 || bytes.length === 0) {
        this.losses.push(`${slug}: ${name} answers ${answer.status} with ${bytes.length} bytes`);
        continue;
      }
      this.urlsOpened++;
      if (name === 'original' && createHash('sha256').update(bytes).digest('hex') !== row.stored) {
        this.losses.push(`${slug}: the original that is served is not the one that was stored`);
      }
    }
  }

  private async findOrphans(rows: ReadonlyMap<string, MediaRow>): Promise<string[]> {
    const storage = new FolderStorage(join(this.stack.dataFolder, 'objects'));
    const orphans: string[] = [];
    for (const prefix of ['f/', 'frames/']) {
      for await (const { key } of storage.list(prefix)) {
        const slug = /^(?:f|frames)\/([A-Za-z0-9]{7})/.exec(key)?.[1];
        if (slug === undefined || !rows.has(slug)) orphans.push(key);
      }
    }
    return orphans;
  }

  private async findTemporary(): Promise<string[]> {
    const scratch = await new FolderStorage(join(this.stack.dataFolder, 'objects')).scratchDirectory();
    const names = await Promise.all(
      [scratch, this.stack.temporaryFolder].map(async (folder) =>
        (await readdir(folder)).map((name) => join(folder, name)),
      ),
    );
    return names.flat();
  }
}

async function readRows(database: Client): Promise<ReadonlyMap<string, MediaRow>> {
  const { rows } = await database.query<MediaRow>(
    `select slug, encode(received_sha256, 'hex') as received, encode(stored_sha256, 'hex') as stored from media`,
  );
  return new Map(rows.map((row) => [row.slug, row]));
}
