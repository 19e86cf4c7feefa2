import type { Viewer } from './viewer';

/** How a request reads: as which viewer, with which key, and which work can be left out. */
export interface Reading {
  readonly viewer: Viewer;
  /** The key that came with the request; opens the private post that it belongs to. */
  readonly accessKey?: string | null;
  /**
   * Whether a list may be a few seconds old, so that a replica can answer (docs/feeds.md). Only for requests without
   * a token: their sender can't have written anything that would be missing. Absent means false.
   */
  readonly mayLag?: boolean;
  /** Whether reading a post counts as a view of it. Absent means true. */
  readonly isView?: boolean;
  /** The host of the site that led to the post; null or absent if it is unknown or this site. */
  readonly referrer?: string | null;
}
