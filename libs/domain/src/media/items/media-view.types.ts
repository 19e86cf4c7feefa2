import type { Restriction } from '@vitrine/contracts';
import type { MediaEntity } from '../rows/media.entity';
import type { Author } from '../../accounts/authors/author.types';

/** The columns of a media item that are shown. */
export type ShownMedia = Readonly<
  Pick<
    MediaEntity,
    | 'id'
    | 'slug'
    | 'userId'
    | 'title'
    | 'description'
    | 'altText'
    | 'kind'
    | 'format'
    | 'mime'
    | 'ext'
    | 'bytes'
    | 'width'
    | 'height'
    | 'duration'
    | 'frames'
    | 'moderationStatus'
    | 'decidedAt'
    | 'processed'
    | 'processingError'
    | 'thumbhash'
    | 'tags'
    | 'unlisted'
    | 'ownerNsfw'
    | 'listing'
    | 'variants'
    | 'createdAt'
  >
>;

/** A media item with what its resource needs in addition to the row. */
export interface MediaView {
  readonly media: ShownMedia;
  /** Null for media of guests and deleted accounts. */
  readonly owner: Author | null;
  /** The restriction of the owner that is in force; null if there is none. */
  readonly ownerRestriction: Restriction | null;
}
