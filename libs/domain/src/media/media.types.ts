import type { AlternativeRecord, ModerationStatus } from '@vitrine/contracts';
import type { MediaEntity } from './media.entity';
import type { MediaView } from './media.presenter';

/** The properties of a file whose bytes are stored under `f/<slug>.<ext>`. */
export interface NewMedia {
  readonly slug: string;
  /** Null for a media item without an owner. */
  readonly userId: number | null;
  readonly kind: 'image' | 'video';
  readonly format: string;
  readonly mime: string;
  readonly ext: string;
  /** Pixels as displayed. */
  readonly width: number;
  readonly height: number;
  /** Seconds, videos only. */
  readonly duration: number | null;
  readonly frames: number;
  readonly bytes: number;
  readonly receivedSha256: Buffer;
  readonly storedSha256: Buffer;
  /** Whether it is in no feed until it is in a public post. */
  readonly unlisted: boolean;
  /** Whether its owner marks it as adult content. Absent means false. */
  readonly ownerNsfw?: boolean;
  readonly title?: string;
  readonly description?: string;
  readonly altText?: string;
  /** As the request's field `tags` was read: normalised, without duplicates. */
  readonly tags?: readonly string[];
  /** Of the key with which anyone may delete it. Absent means that only its owner may. */
  readonly deletionSha256?: Buffer | undefined;
}

/** A media item that is locked for a change of the posts that contain it. */
export interface LockedMedia {
  readonly id: number;
  readonly slug: string;
  /** Null for a media item without an owner. */
  readonly userId: number | null;
}

/** The columns of a media item that its owner sets. Omitted fields stay unchanged. */
export interface MediaFields extends MediaTexts {
  readonly unlisted?: boolean;
  readonly tags?: readonly string[];
  readonly ownerNsfw?: boolean;
}

/** Texts of a media item. Omitted fields stay unchanged; null clears a field. */
export interface MediaTexts {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly altText?: string | null;
}

/** Changes of a media item: omitted fields stay unchanged, null clears a field. */
export interface MediaChanges extends MediaTexts {
  /** Whether it is kept out of feeds until it is in a public post. */
  readonly unlisted?: boolean;
  /** As the request's field `tags` was read: normalised, without duplicates. */
  readonly tags?: readonly string[] | null;
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
  readonly mediaId: number;
  readonly slug: string;
  readonly from: ModerationStatus;
  readonly to: ModerationStatus;
}

/** What was done with an event of media-processor; `unknown` if the media item is deleted. */
export type Recorded = 'recorded' | 'ignored' | 'unknown';

/** How many files a user, or the address of guests, may upload on a UTC day. */
export interface UploadQuota {
  /** `user:<id>` or `ip:<address or /64>`. */
  readonly subject: string;
  readonly filesPerDay: number;
}

/** When a sweep announces a media item again: each announcement doubles the wait before the next, up to a maximum. */
export interface AnnouncementsDue {
  readonly firstAfterSeconds: number;
  readonly atMostSeconds: number;
}

/**
 * The media that wait for their variants in one line: quick work, long work, or the files of uploaders who wait
 * behind the others.
 */
export interface MediaBacklog {
  readonly line: 'quick' | 'long' | 'behind';
  readonly count: number;
  /** The wait of the oldest of them, in seconds; 0 if there is none. */
  readonly oldestSeconds: number;
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
