import type { AlternativeRecord, StoredVariant } from '@vitrine/contracts';
import type { EventFacts } from './media-events';

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

/** The result of a media item's processing, and when it was decided on. */
export interface MediaState {
  readonly slug: string;
  readonly processingError: string | null;
  /** When the latest decision was made; null while the automated one is due. */
  readonly decidedAt: Date | null;
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

/** What was done with an event of media-processor; `unknown` if the media item is deleted. */
export type Recorded = 'recorded' | 'ignored' | 'unknown';

/** When a sweep announces a media item again: each announcement doubles the wait before the next, up to a maximum. */
export interface AnnouncementsDue {
  readonly firstAfterSeconds: number;
  readonly atMostSeconds: number;
}

/** A media item that other feeds show than before. */
export interface RelistedMedia {
  readonly id: number;
  /** Whether it has tags or posts. */
  readonly isConnected: boolean;
}

/** The records of a media item after the removal of variants. */
export interface RemainingVariants {
  readonly id: number;
  readonly variants: readonly StoredVariant[];
  /** Those of the variants that stay. */
  readonly alternatives: readonly AlternativeRecord[];
  /** The oldest of the latest uses of the variants that stay; null if none can be removed later. */
  readonly usedAt: Date | null;
}

/** What remains of a media item that is removed. */
export interface RemovedMedia extends EventFacts {
  readonly id: number;
  readonly sharedKey: string | null;
}
