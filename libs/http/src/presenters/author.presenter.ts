import type { AuthorResource } from '@vitrine/contracts/api';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import { variantUrl, type Author } from '@vitrine/domain';

/** The resource of an author; null for null. */
export function presentAuthor(author: Author, urls: PublicUrlsConfig): AuthorResource;
export function presentAuthor(author: Author | null, urls: PublicUrlsConfig): AuthorResource | null;
export function presentAuthor(author: Author | null, urls: PublicUrlsConfig): AuthorResource | null {
  return (
    author && {
      username: author.username,
      avatar: author.avatar && variantUrl(author.avatar, 'thumb', urls),
    }
  );
}
