import { defineEvent } from './event';

/** A vote has been cast, switched or removed. */
export interface VoteChanged {
  readonly target: 'post' | 'comment';
  readonly target_id: number;
  readonly user_id: number;
  /** 0 means no vote. */
  readonly from: -1 | 0 | 1;
  /** 0 means no vote. */
  readonly to: -1 | 0 | 1;
  /** Score including this vote. */
  readonly score: number;
}
export const voteChanged = defineEvent<VoteChanged>()('vote.changed', 1, { consumers: [] });
