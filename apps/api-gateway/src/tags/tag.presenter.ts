import type { TagResource } from '@vitrine/contracts/api';
import type { TagUse } from '@vitrine/domain';

/** The resource of a tag. */
export const presentTag = ({ name, postCount, mediaCount }: TagUse): TagResource => ({
  name,
  post_count: postCount,
  media_count: mediaCount,
});
