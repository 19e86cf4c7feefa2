import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { BusReportRepository, type QueueReport } from './bus-report.repository';

/** Rows of the outbox are counted up to this number. */
const MAX_ROWS = 10_000;

/** The bus as seen by processes that have no access to it: reports on its queues, and requests to replay dead letters. */
@Injectable()
export class BusRequests {
  constructor(private readonly repository: BusReportRepository) {}

  /** What is in each queue, at most some seconds ago. */
  findQueues(): Promise<readonly QueueReport[]> {
    return this.repository.findAll();
  }

  /** Whether the queue has been reported. */
  knows(queue: string): Promise<boolean> {
    return this.repository.exists(queue);
  }

  /**
   * Asks, within a transaction, that dead letters of a queue are put back into it; `letter` is the id of one, null
   * means all. The process that consumes the queue does so within some seconds. A letter that is gone is ignored.
   */
  requestReplay(tx: Transaction, queue: string, letter: string | null): Promise<void> {
    return this.repository.addReplay(tx, queue, letter);
  }

  /** The events that wait for the bus, counted up to 10,000, and how long the first has waited. */
  findOutbox(): Promise<{ readonly rows: number; readonly oldestSeconds: number | null }> {
    return this.repository.findOutbox(MAX_ROWS);
  }
}
