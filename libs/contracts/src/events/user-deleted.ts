import { defineEvent } from './event';

/** An account has been deleted. Its content is deleted afterwards, with its own events. */
export interface UserDeleted {
  readonly user_id: number;
  readonly username: string;
}
export const userDeleted = defineEvent<UserDeleted>()('user.deleted', 1, { consumers: [] });
