import type { RelationResource } from '@vitrine/contracts/api';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import type { RelationView } from '@vitrine/domain';
import { presentAuthor } from '@vitrine/http';

/** The resource of a blocked or muted user. */
export const presentRelation = (
  { author, since }: RelationView,
  urls: PublicUrlsConfig,
): RelationResource => ({
  ...presentAuthor(author, urls),
  since: since.toISOString(),
});
