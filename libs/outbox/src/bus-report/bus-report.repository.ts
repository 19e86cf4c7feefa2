import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';

/** A dead letter, without what it contains. */
export interface ReportedLetter {
  readonly id: string;
  /** The type of its event. */
  readonly type: string;
  readonly reason: string;
  readonly attempts: number;
  /** ISO 8601. */
  readonly died_at: string;
}

/** What is in a queue, as a process with access to it has last seen it. */
export interface QueueReport {
  readonly queue: string;
  readonly waiting: number;
  readonly dead: number;
  /** The oldest dead letters. */
  readonly letters: readonly ReportedLetter[];
  readonly reportedAt: Date;
}

/** What is in a queue now. Without `letters`, those that were last reported stay. */
export interface NewQueueReport extends Pick<QueueReport, 'queue' | 'waiting' | 'dead'> {
  readonly letters: readonly ReportedLetter[] | null;
}

/** A wish to have dead letters tried again. */
export interface Replay {
  readonly id: number;
  readonly queue: string;
  /** Null: all letters of the queue. */
  readonly letter: string | null;
}

/** Every query on the tables `bus_reports` and `bus_replays`. */
@Injectable()
export class BusReportRepository {
  constructor(private readonly database: Database) {}

  /** Saves what several queues hold, in one statement. */
  async save(reports: readonly NewQueueReport[]): Promise<void> {
    await this.database.transaction((tx) =>
      tx.query(
        `with reported as (
           select * from jsonb_to_recordset($1::jsonb) as r (queue text, waiting integer, dead integer, letters jsonb)
         ), kept as (
           update bus_reports b set waiting = r.waiting, dead = r.dead, reported_at = now()
           from reported r where r.letters is null and b.queue = r.queue returning b.queue
         )
         insert into bus_reports (queue, waiting, dead, letters)
         select queue, waiting, dead, coalesce(letters, '[]') from reported
         where queue not in (select queue from kept)
         on conflict (queue) do update
         set waiting = excluded.waiting, dead = excluded.dead, letters = excluded.letters, reported_at = now()`,
        [
          JSON.stringify(
            reports.map(({ letters, ...report }) => (letters ? { ...report, letters } : report)),
          ),
        ],
      ),
    );
  }

  findAll(): Promise<readonly QueueReport[]> {
    return this.database.read<QueueReport>(
      `select queue, waiting, dead, letters, reported_at as "reportedAt" from bus_reports order by queue`,
    );
  }

  async exists(queue: string): Promise<boolean> {
    return (
      (await this.database.read('select 1 as one from bus_reports where queue = $1', [queue])).length > 0
    );
  }

  async addReplay(tx: Transaction, queue: string, letter: string | null): Promise<void> {
    await tx.query('insert into bus_replays (queue, letter) values ($1, $2) on conflict do nothing', [
      queue,
      letter,
    ]);
  }

  findReplays(queues: readonly string[], limit: number): Promise<readonly Replay[]> {
    return this.database.read<Replay>(
      'select id, queue, letter from bus_replays where queue = any($1) order by id limit $2',
      [queues, limit],
    );
  }

  async removeReplay(id: number): Promise<void> {
    await this.database.transaction((tx) => tx.query('delete from bus_replays where id = $1', [id]));
  }

  /** The rows of the outbox, counted up to `most`, and the age of the oldest in seconds. */
  async findOutbox(most: number): Promise<{ readonly rows: number; readonly oldestSeconds: number | null }> {
    const [found] = await this.database.read<{ rows: number; oldestSeconds: number | null }>(
      `select count(*) as rows, floor(extract(epoch from now() - min(created_at)))::int as "oldestSeconds"
       from (select created_at from outbox order by id limit $1) o`,
      [most],
    );
    return found ?? { rows: 0, oldestSeconds: null };
  }
}
