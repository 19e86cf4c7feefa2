import type { UserResource } from '@vitrine/contracts/api';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import type { Profile } from '@vitrine/domain';
import { presentAuthor } from '@vitrine/http';

/** The public resource of a user. */
export const presentProfile = (profile: Profile, urls: PublicUrlsConfig): UserResource => ({
  ...presentAuthor(profile, urls),
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
