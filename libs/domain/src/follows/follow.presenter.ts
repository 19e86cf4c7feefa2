import type { FollowResource } from '@vitrine/contracts';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import { variantUrl } from '../media/media-urls';
import type { FollowView } from './follows.service';

/** An entry of an account's list of followers, or of those it follows. */
export const presentFollow = (
  { author: { username, avatar }, followedAt }: FollowView,
  urls: PublicUrlsConfig,
): FollowResource => ({
  username,
  avatar: avatar && variantUrl(avatar, 'thumb', urls),
  followed_at: followedAt.toISOString(),
});
