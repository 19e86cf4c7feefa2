import type { OwnReportResource } from '@vitrine/contracts/api';
import type { OwnReport } from '@vitrine/domain';

/** The resource of a report for the user who made it. */
export const presentOwnReport = ({ createdAt, ...report }: OwnReport): OwnReportResource => ({
  id: report.id,
  type: report.type,
  target: report.target,
  reason: report.reason,
  details: report.details,
  created_at: createdAt.toISOString(),
});
