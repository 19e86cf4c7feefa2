import type { AccountResource } from '@vitrine/contracts/api';
import { presentStorageUse } from '../quotas/quota.presenter';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import type { AccountView } from '@vitrine/domain';
import { presentAuthor } from '@vitrine/http';

/** The resource of the caller's own account. */
export const presentAccount = (account: AccountView, urls: PublicUrlsConfig): AccountResource => ({
  ...presentAuthor(account, urls),
  bio: account.bio,
  email: account.email,
  email_verified: account.email !== null && account.email === account.verifiedEmail,
  verified_email: account.verifiedEmail,
  role: account.role,
  state: account.standing.state,
  state_reason: account.standing.reason,
  state_until: account.standing.until?.toISOString() ?? null,
  created_at: account.createdAt.toISOString(),
  post_count: account.postCount,
  media_count: account.mediaCount,
  follower_count: account.followerCount,
  following_count: account.followingCount,
  storage: presentStorageUse(account.storage),
  has_password: account.hasPassword,
});
