import type { QueueItemResource, ReportResource } from '@vitrine/contracts';
import { presentScores } from '../moderation.presenter';
import type { OpenReport, QueueEntry } from './queue.repository';

/** What waits, under the name of its type. */
export type QueuedThing = Pick<QueueItemResource, 'media' | 'post' | 'comment' | 'user'>;

/** One item of the moderators' queue. */
export const presentQueueItem = (entry: QueueEntry, thing: QueuedThing): QueueItemResource => ({
  type: entry.type,
  ...thing,
  scores: presentScores(entry.scores),
  reasons: entry.reasons,
  reports: entry.reports,
  latest_reports: entry.latestReports.map(presentReport),
  waiting_since: entry.waitingSince.toISOString(),
});

const presentReport = ({ reason, details, reporter, createdAt }: OpenReport): ReportResource => ({
  reason,
  details,
  reporter,
  created_at: createdAt.toISOString(),
});
