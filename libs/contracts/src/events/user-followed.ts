import { defineEvent } from './event';

/** An account has started to follow another one. */
export interface UserFollowed {
  readonly follower_id: number;
  readonly followee_id: number;
}
export const userFollowed = defineEvent<UserFollowed>()('user.followed', 1, { consumers: [] });
