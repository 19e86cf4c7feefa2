import type { ModeratedAccountResource } from '@vitrine/contracts/api';
import type { ModeratedAccount } from '@vitrine/domain';

/** The resource of an account, for moderators. */
export const presentModeratedAccount = (account: ModeratedAccount): ModeratedAccountResource => ({
  username: account.username,
  role: account.role,
  state: account.state,
  state_reason: account.reason,
  state_until: account.until?.toISOString() ?? null,
  created_at: account.createdAt.toISOString(),
  post_count: account.postCount,
  media_count: account.mediaCount,
});
