import type { ModerationStatus } from '@vitrine/contracts';
import type { MediaView } from './media.presenter';

/** What the intake knows of a file whose bytes are stored under `f/<slug>.<ext>`. */
export interface NewMedia {
  readonly slug: string;
  /** Null where the file came without a token, through the web site. */
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
  /** In no feed until it is in a public post. */
  readonly unlisted: boolean;
}

/** A media that is locked for a change of the posts it is in. */
export interface LockedMedia {
  readonly id: number;
  readonly slug: string;
  /** Null where the file came without a token, through the web site. */
  readonly userId: number | null;
}

/** The columns of a media item that its owner sets. */
export interface MediaFields extends MediaTexts {
  readonly unlisted?: boolean;
}

/** Texts to change: absent keeps, null clears. */
export interface MediaTexts {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly altText?: string | null;
}

/** Changes of a media item: omitted fields stay unchanged, null clears a field. */
export interface MediaChanges extends MediaTexts {
  /** Whether it is kept out of feeds until it is in a public post. */
  readonly unlisted?: boolean;
  /** As `TagNames` leaves them. */
  readonly tags?: readonly string[] | null;
}

/** One page of a list of media. */
export interface MediaPage {
  readonly items: readonly MediaView[];
  /** Media of the whole list. */
  readonly total: number;
  /** The order of a shuffled list; null for the latest first. */
  readonly seed: number | null;
}

/** A media's status before and after a decision. */
export interface MediaStatusChange {
  readonly mediaId: number;
  readonly slug: string;
  readonly from: ModerationStatus;
  readonly to: ModerationStatus;
}

/** What became of an event of the media-processor: `unknown` where the media is deleted. */
export type Recorded = 'recorded' | 'ignored' | 'unknown';

/** How many files one user, or one guest's address, may bring on a UTC day. */
export interface UploadQuota {
  /** `user:<id>` or `ip:<address or /64>`. */
  readonly subject: string;
  readonly filesPerDay: number;
}

/** When a sweep announces a media again: each announcement doubles the wait before the next, up to a ceiling. */
export interface AnnouncementsDue {
  readonly firstAfterSeconds: number;
  readonly atMostSeconds: number;
}

/**
 * Media that wait for their variants in one line: quick work, long work, or the work of uploaders who wait behind the
 * others.
 */
export interface MediaBacklog {
  readonly line: 'quick' | 'long' | 'behind';
  readonly count: number;
  /** Seconds for which the first of them has waited; 0 if there is none. */
  readonly oldestSeconds: number;
}
