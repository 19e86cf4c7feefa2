import type { UserResource } from '@vitrine/contracts/api';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import { variantUrl, type Profile } from '@vitrine/domain';

/** The public resource of a user. */
export const presentProfile = (profile: Profile, urls: PublicUrlsConfig): UserResource => ({
  username: profile.username,
  avatar: profile.avatar && variantUrl(profile.avatar, 'thumb', urls),
  bio: profile.bio,
  created_at: profile.createdAt.toISOString(),
  post_count: profile.postCount,
  media_count: profile.mediaCount,
  follower_count: profile.followerCount,
  following_count: profile.followingCount,
  isFollowedByUser: profile.isFollowedByViewer,
  isBlockedByUser: profile.isBlockedByViewer,
  isMutedByUser: profile.isMutedByViewer,
});
