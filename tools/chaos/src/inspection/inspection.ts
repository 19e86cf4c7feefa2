import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { COUNT_PROOFS } from '@vitrine/admin';
import type { ChaosStack } from '../stack/chaos-stack';
import type { Ledger, LedgerEntry } from '../clients/ledger';
import { connectWhenBack, type MediaRow, readMediaRows, untilQuiet } from './quiet';
import { countBy, describeCounts } from '../contract/results';
import type { Verdict } from '../contract/scenario';
import type { Media, VitrineClient } from '@vitrine/client';
import { open, outcomeOf } from '../clients/client';

export interface InspectionOptions {
  /** Longest time until no work is left, in seconds. */
  readonly quietSeconds: number;
  readonly say: (line: string) => void;
}

/** Number of media items that are checked at a time. */
const READERS = 8;

/**
 * Waits until no work is left and compares the data with the answers: every accepted upload must exist with its bytes, or
 * be deleted, and no work may be unfinished.
 */
export function inspect(
  stack: ChaosStack,
  client: VitrineClient,
  ledger: Ledger,
  options: InspectionOptions,
): Promise<Verdict> {
  return new Inspection(stack, client, ledger, options).run();
}

class Inspection {
  private readonly breaches: string[] = [];
  private readonly statuses: string[] = [];
  private processed = 0;
  private failed = 0;
  private deleted = 0;
  private urlsOpened = 0;
  private identical = 0;

  constructor(
    private readonly stack: ChaosStack,
    private readonly client: VitrineClient,
    private readonly ledger: Ledger,
    private readonly options: InspectionOptions,
  ) {}

  async run(): Promise<Verdict> {
    const { ledger } = this;
    const quiet = await untilQuiet(this.stack, this.options.say);
    this.breaches.push(...quiet.breaches);
    if (quiet.seconds > this.options.quietSeconds) {
      this.breaches.push(
        `It took ${quiet.seconds.toFixed(1)} s until no work was left, more than ${this.options.quietSeconds}`,
      );
    }
    const database = await connectWhenBack(this.stack.databaseUrl);
    try {
      await this.verifyCounts(database);
      const rows = await readMediaRows(database);
      const entries = [...ledger.entries];
      await Promise.all(
        Array.from({ length: READERS }, async () => {
          for (let entry = entries.pop(); entry; entry = entries.pop()) await this.examine(entry, rows);
        }),
      );
      return {
        figures: [
          ['uploads accepted', ledger.entries.length],
          ['  processed, every URL opens', this.processed],
          ['  could not be decoded, withdrawn', this.failed],
          ['  deleted again', this.deleted],
          ['  URLs opened', this.urlsOpened],
          ['  originals equal to what was sent', this.identical],
          // A request without an answer may have been accepted; such media must be complete too.
          [
            'accepted without an answer',
            rows.size - ledger.entries.filter(({ slug }) => rows.has(slug)).length,
          ],
          ['seconds until no work was left', quiet.seconds.toFixed(1)],
          ['moderation', describeCounts(countBy(this.statuses))],
          ['answers', describeCounts(ledger.outcomes)],
          ['lost, stuck, wrong or left over', this.breaches.length],
        ],
        breaches: [...this.breaches, ...ledger.violations],
      };
    } finally {
      await database.end();
    }
  }

  /** Checks every derived column as `npm run admin -- verify-counts` does, except the counts of feeds, which change later. */
  private async verifyCounts(database: Client): Promise<void> {
    for (const { what, differing } of COUNT_PROOFS) {
      const { rowCount } = await database.query(differing);
      if (rowCount) this.breaches.push(`In ${rowCount} rows this is not true: ${what}`);
    }
  }

  private async examine(entry: LedgerEntry, rows: ReadonlyMap<string, MediaRow>): Promise<void> {
    const { slug } = entry;
    const { status, body: media } = await outcomeOf(this.client.media.get(slug));
    if (entry.deletion === 'confirmed' || (entry.deletion === 'asked' && status === 404)) {
      this.deleted++;
      if (status !== 404) this.breaches.push(`${slug} was deleted, but the API answers ${status}`);
      return;
    }
    const row = rows.get(slug);
    if (!row || !media) {
      this.breaches.push(`${slug} is lost: the API answers ${status}`);
      return;
    }
    if (row.received !== entry.sentSha256) this.breaches.push(`${slug} is recorded with another file's hash`);
    this.statuses.push(media.moderation_status);
    if (media.processing_error !== null) await this.examineFailed(entry, media);
    else await this.examineProcessed(entry, media, row);
  }

  private async examineFailed(entry: LedgerEntry, media: Media): Promise<void> {
    this.failed++;
    const { slug, decodable } = entry;
    if (decodable)
      this.breaches.push(`${slug} is a valid file but was not processed: ${media.processing_error}`);
    if (media.processed || media.moderation_status !== 'rejected') {
      this.breaches.push(`${slug} failed, but is processed or ${media.moderation_status}`);
    }
    const { status } = await open(media.urls.original);
    if (status !== 404) this.breaches.push(`${slug} failed, but is still served (${status})`);
  }

  private async examineProcessed(
    { slug, sentSha256 }: LedgerEntry,
    media: Media,
    row: MediaRow,
  ): Promise<void> {
    if (!media.processed) this.breaches.push(`${slug} is not processed`);
    else this.processed++;
    if (media.moderation_status === 'rejected') this.breaches.push(`${slug} is safe, but was rejected`);
    for (const [name, url] of Object.entries(media.urls)) {
      const { status, body } = await open(url);
      if (status !== 'done' || !body?.bytes.length) {
        this.breaches.push(`${slug}: ${name} answers ${status} with ${body?.bytes.length ?? 0} bytes`);
        continue;
      }
      this.urlsOpened++;
      if (name !== 'original') continue;
      const served = createHash('sha256').update(body.bytes).digest('hex');
      if (served === sentSha256) this.identical++;
      if (served !== row.stored) {
        this.breaches.push(`${slug}: the served original is not the stored one`);
      }
    }
  }
}
