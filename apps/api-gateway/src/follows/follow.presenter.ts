import type { FollowResource } from '@vitrine/contracts/api';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import { variantUrl, type FollowView } from '@vitrine/domain';

/** The resource of an entry in a user's list of followers or followed users. */
export const presentFollow = (
  { author: { username, avatar }, followedAt }: FollowView,
  urls: PublicUrlsConfig,
): FollowResource => ({
  username,
  avatar: avatar && variantUrl(avatar, 'thumb', urls),
  followed_at: followedAt.toISOString(),
});
