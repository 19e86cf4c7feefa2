import type { RelationResource } from '@vitrine/contracts/api';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import { variantUrl, type RelationView } from '@vitrine/domain';

/** The resource of a blocked or muted user. */
export const presentRelation = (
  { author: { username, avatar }, since }: RelationView,
  urls: PublicUrlsConfig,
): RelationResource => ({
  username,
  avatar: avatar && variantUrl(avatar, 'thumb', urls),
  since: since.toISOString(),
});
