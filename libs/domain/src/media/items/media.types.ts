import type { AlternativeRecord, MediaEvent, ModerationStatus, Restriction } from '@vitrine/contracts';
import type { MediaTexts } from '../rows/media-row.types';
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
    | 'processingProgress'
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

/** A post that contains a media item. */
interface PostName {
  readonly slug: string;
  readonly title: string | null;
}

/** A media item and the latest posts that contain it: the latest one in feeds, and the latest one of the owner. */
export interface PlacedMedia extends MediaView {
  readonly listedPost: PostName | null;
  readonly ownPost: PostName | null;
}

/** Changes of a media item: omitted fields stay unchanged, null clears a field. */
export interface MediaChanges extends MediaTexts {
  /** Whether it is kept out of feeds until it is in a public post. */
  readonly unlisted?: boolean;
  /** As the request's field `tags` was read: normalised, without duplicates. */
  readonly tags?: readonly string[] | null;
  /** Tags that are added; `tags` is absent then. */
  readonly addTags?: readonly string[];
  /** Whether its owner marks it as adult content. */
  readonly isNsfw?: boolean | undefined;
}

/** One page of a list of media. */
export interface MediaPage {
  readonly items: readonly MediaView[];
  /** The number of media in the whole list. */
  readonly total: number;
  /** The seed of a shuffled list; null for the latest first. */
  readonly seed: number | null;
}

/** A media item's status before and after a decision. */
export interface MediaStatusChange {
  /** The beginning of the event of the change. */
  readonly event: MediaEvent;
  readonly from: ModerationStatus;
  readonly to: ModerationStatus;
}

/** Who uploads, and how many files a user, or the address of guests, may upload on a UTC day. */
export interface UploadQuota {
  /** `user:<id>` or `ip:<address or /64>`. */
  readonly subject: string;
  readonly filesPerDay: number;
  /** A token that must still exist when the file is registered. */
  readonly tokenId?: number;
}

/** What the file host must know of a media item that it serves. */
export type ServedMedia = Pick<
  MediaEntity,
  | 'slug'
  | 'kind'
  | 'format'
  | 'frames'
  | 'mime'
  | 'ext'
  | 'processed'
  | 'variants'
  | 'storedSha256'
  | 'sharedKey'
> & {
  /** Stored copies of variants in other formats. */
  readonly alternatives: readonly AlternativeRecord[];
  /** Whether it waits for its alternatives, so that a variant may still get some. */
  readonly alternativesDue: boolean;
};
