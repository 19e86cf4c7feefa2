import type { OwnReportResource } from '@vitrine/contracts';
import type { OwnReport } from './report.repository';

/** A report as the account that made it reads it. */
export const presentOwnReport = ({ createdAt, ...report }: OwnReport): OwnReportResource => ({
  id: report.id,
  type: report.type,
  target: report.target,
  reason: report.reason,
  details: report.details,
  created_at: createdAt.toISOString(),
});
