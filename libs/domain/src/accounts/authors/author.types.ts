import type { LinkedMedia } from '../../media/links/media-urls';

/** A user as shown beside their content. */
export interface Author {
  readonly username: string;
  /** Null if there is none to show. */
  readonly avatar: LinkedMedia | null;
}
