import { defineEvent } from './event';
import type { AccountState } from '../vocabulary/accounts';

/** An account has started to follow another one. */
export interface UserFollowed {
  readonly follower_id: number;
  readonly followee_id: number;
}
export const userFollowed = defineEvent<UserFollowed>()('user.followed', 1, { consumers: [] });

/** Staff has changed the state of an account. The end of a restriction by its date is no event. */
export interface UserModerated {
  readonly user_id: number;
  readonly username: string;
  readonly decision_id: number;
  readonly from: AccountState;
  readonly to: AccountState;
  /** When the new state ends by itself (RFC 3339); null if it doesn't. */
  readonly until: string | null;
  /** The reason that the account's owner is told, in the moderator's words; null if there is none. */
  readonly reason: string | null;
  /** Who decided: `operator`, or a moderator's username. */
  readonly decided_by: string;
}
export const userModerated = defineEvent<UserModerated>()('user.moderated', 1, {
  consumers: ['upload-service'],
});

/** An account has been deleted. Its content is deleted afterwards, with its own events. */
export interface UserDeleted {
  readonly user_id: number;
  readonly username: string;
}
export const userDeleted = defineEvent<UserDeleted>()('user.deleted', 1, { consumers: [] });

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
