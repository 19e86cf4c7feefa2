import type { ModerationStatus } from '../vocabulary/moderation-status';
import { defineEvent } from './event';

/** An automated or human decision on a media item has been recorded. */
export interface MediaModerated {
  readonly media_id: number;
  readonly slug: string;
  readonly decision_id: number;
  readonly from: ModerationStatus;
  readonly to: ModerationStatus;
  /** Reason code, e.g. `classifier_safe`, `banned_hash`, `processing_failed`. */
  readonly reason: string;
  /** Who decided: `system`, `owner` if the owner's `is_nsfw` changed the status, or a moderator's username. */
  readonly decided_by: string;
}
export const mediaModerated = defineEvent<MediaModerated>()('media.moderated', 1, { consumers: [] });
