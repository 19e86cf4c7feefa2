import type { AuditEntryResource } from '@vitrine/contracts/api';
import type { AuditEntry } from '@vitrine/domain';

/** The resource of an entry of the audit log. */
export const presentAuditEntry = (entry: AuditEntry): AuditEntryResource => ({
  id: entry.id,
  actor: entry.actor,
  action: entry.action,
  subject_type: entry.subjectType,
  subject: entry.subjectName,
  detail: entry.detail,
  address: entry.address,
  created_at: entry.createdAt.toISOString(),
});
