/** A media item that caches must forget. */
export interface PurgedMedia {
  readonly slug: string;
  /** The names below `/f/` that caches may have; a cache may have each of them with `?download` too. */
  readonly fileNames: readonly string[];
}

/** Why: its files are 404 now, or they have other bytes. Withdrawn media come first. */
export type PurgeCause = 'withdrawn' | 'replaced';

/** A purge that was taken for an attempt. */
export interface ClaimedPurge extends PurgedMedia {
  readonly cause: PurgeCause;
  /** Which request it belongs to: a later one makes its result void. */
  readonly requests: number;
  /** Number of this attempt since the last success, from 1. */
  readonly attempt: number;
  /** Whether the cache has not been told of this request yet. */
  readonly isFirst: boolean;
  /** Seconds from the request to this attempt. */
  readonly age: number;
}

/** The state of the purges of one cache. */
export interface PurgeBacklog {
  readonly cache: string;
  /** Purges that are due or follow. */
  readonly waiting: number;
  /** Purges that were given up. */
  readonly dead: number;
  /** How long the oldest due purge has been due, in seconds; 0 if none is due. */
  readonly oldestDue: number;
  /** Why the latest failed one failed; null if none did. */
  readonly error: string | null;
}
