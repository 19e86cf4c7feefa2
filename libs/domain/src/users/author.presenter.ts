import type { AuthorResource } from '@vitrine/contracts';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import { type LinkedMedia, variantUrl } from '../media/media-urls';

/** Who made something, as others see them. */
export interface Author {
  readonly username: string;
  /** Null where there is none to show. */
  readonly avatar: LinkedMedia | null;
}

/** The resource that stands for an author beside what they made; null stays null. */
export const presentAuthor = (author: Author | null, urls: PublicUrlsConfig): AuthorResource | null =>
  author && {
    username: author.username,
    avatar: author.avatar && variantUrl(author.avatar, 'thumb', urls),
  };
