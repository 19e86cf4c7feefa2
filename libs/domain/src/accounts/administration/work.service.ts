import { Injectable } from '@nestjs/common';
import { Database } from '@vitrine/database';
import { BusRequests, type QueueReport } from '@vitrine/outbox';
import type { Caller } from '../../base/access/caller';
import { AuditLog } from '../../base/audit/audit-log.service';
import { InvalidFieldsError } from '../../base/errors/domain-error';
import { ProcessingTurns } from '../../media/processing-turns/processing-turns.service';
import { type ProcessingErrors, WorkRepository } from './work.repository';

/** Errors are counted among so many of the latest media that couldn't be processed. */
const MEDIA_COUNTED = 10_000;
const REASONS_SHOWN = 20;

/** What the processes have to do, and what they couldn't do. */
export interface WorkOverview {
  readonly queues: readonly QueueReport[];
  readonly outbox: { readonly rows: number; readonly oldestSeconds: number | null };
  readonly waiting: Awaited<ReturnType<ProcessingTurns['findBacklog']>>;
  readonly errors: readonly ProcessingErrors[];
}

/** The work of the processes, for admins. */
@Injectable()
export class WorkService {
  constructor(
    private readonly database: Database,
    private readonly repository: WorkRepository,
    private readonly bus: BusRequests,
    private readonly turns: ProcessingTurns,
    private readonly audit: AuditLog,
  ) {}

  async find(): Promise<WorkOverview> {
    const [queues, outbox, waiting, errors] = await Promise.all([
      this.bus.findQueues(),
      this.bus.findOutbox(),
      this.turns.findBacklog(),
      this.repository.findProcessingErrors(MEDIA_COUNTED, REASONS_SHOWN),
    ]);
    return { queues, outbox, waiting, errors };
  }

  /**
   * Asks that a dead letter of a queue, or all of them (null), are tried again, within some seconds. Throws
   * `InvalidFieldsError` on an unknown queue.
   */
  async requestReplay(queue: string, letter: string | null, by: Caller): Promise<void> {
    if (!(await this.bus.knows(queue))) {
      throw new InvalidFieldsError({ queue: ['The selected queue is invalid.'] });
    }
    await this.database.transaction(async (tx) => {
      await this.bus.requestReplay(tx, queue, letter);
      const detail = { letter: letter?.slice(0, 300) ?? 'all' };
      const subject = { type: 'bus', id: null, name: queue } as const;
      await this.audit.append(tx, { by, action: 'bus.replay', subject, detail });
    });
  }
}
