import type { AuthorResource } from '@vitrine/contracts/api';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import { variantUrl, type Author } from '@vitrine/domain';

/** The resource of an author; null for null. */
export const presentAuthor = (author: Author | null, urls: PublicUrlsConfig): AuthorResource | null =>
  author && {
    username: author.username,
    avatar: author.avatar && variantUrl(author.avatar, 'thumb', urls),
  };
