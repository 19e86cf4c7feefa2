import type { Deed } from './audit-log.types';

/** An account as the subject of an entry in the audit log. */
export const accountSubject = (id: number, username: string): Deed['subject'] => ({
  type: 'user',
  id,
  name: username,
});
