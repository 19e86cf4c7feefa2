import type { AuthorResource } from '@vitrine/contracts/api';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import { type LinkedMedia, variantUrl } from '../../media/links/media-urls';

/** A user as shown beside their content. */
export interface Author {
  readonly username: string;
  /** Null if there is none to show. */
  readonly avatar: LinkedMedia | null;
}

/** The resource of an author; null for null. */
export const presentAuthor = (author: Author | null, urls: PublicUrlsConfig): AuthorResource | null =>
  author && {
    username: author.username,
    avatar: author.avatar && variantUrl(author.avatar, 'thumb', urls),
  };
