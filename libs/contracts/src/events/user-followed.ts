import { defineEvent } from './event';

/** One account follows another from now on. */
export interface UserFollowed {
  readonly follower_id: number;
  readonly followee_id: number;
}
export const userFollowed = defineEvent<UserFollowed>()('user.followed', 1, { consumers: [] });
