import type { NewAuditEntry } from './audit-log.types';

/** An account as the subject of an entry in the audit log. */
export const accountSubject = (id: number, username: string): NewAuditEntry['subject'] => ({
  type: 'user',
  id,
  name: username,
});
