import type { BannedHashResource } from '@vitrine/contracts/api';
import type { BannedHashView } from '@vitrine/domain';

/** The resource of a ban. */
export const presentBannedHash = (ban: BannedHashView): BannedHashResource => ({
  id: ban.id,
  kind: ban.kind,
  hash: ban.hash.toString('hex'),
  reason: ban.reason,
  created_at: ban.createdAt.toISOString(),
  created_by: ban.createdBy,
});
