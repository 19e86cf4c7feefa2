import type { WorkResource } from '@vitrine/contracts/api';
import type { WorkOverview } from '@vitrine/domain';

/** The resource of the work of the processes. */
export const presentWork = ({ queues, outbox, waiting, errors }: WorkOverview): WorkResource => ({
  queues: queues.map(({ queue, waiting: messages, dead, letters, reportedAt }) => ({
    name: queue,
    waiting: messages,
    dead,
    dead_letters: letters.map(({ id, type, reason, attempts, died_at }) => ({
      id,
      event: type,
      reason,
      attempts,
      died_at,
    })),
    reported_at: reportedAt.toISOString(),
  })),
  outbox: { waiting: outbox.rows, oldest_seconds: outbox.oldestSeconds },
  waiting_media: waiting.map(({ line, count, oldestSeconds }) => ({
    line,
    count,
    oldest_seconds: Math.round(oldestSeconds),
  })),
  processing_errors: errors.map(({ reason, count }) => ({ reason, count })),
});
