import type { ModerationStatus } from '../media/moderation-status';
import { defineEvent } from './event';

/** A decision on a media has been recorded, automated or human. */
export interface MediaModerated {
  readonly media_id: number;
  readonly slug: string;
  readonly decision_id: number;
  readonly from: ModerationStatus;
  readonly to: ModerationStatus;
  /** Reason code, e.g. `classifier_safe`, `banned_hash`, `processing_failed`. */
  readonly reason: string;
  /** Who decided: `system`, or a moderator's username. */
  readonly decided_by: string;
}
export const mediaModerated = defineEvent<MediaModerated>()('media.moderated', 1, { consumers: [] });
