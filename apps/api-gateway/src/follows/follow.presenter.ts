import type { FollowResource } from '@vitrine/contracts/api';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import type { FollowView } from '@vitrine/domain';
import { presentAuthor } from '@vitrine/http';

/** The resource of an entry in a user's list of followers or followed users. */
export const presentFollow = (
  { author, followedAt }: FollowView,
  urls: PublicUrlsConfig,
): FollowResource => ({
  ...presentAuthor(author, urls),
  followed_at: followedAt.toISOString(),
});
