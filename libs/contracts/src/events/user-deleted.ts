import { defineEvent } from './event';

/** An account is deleted; what it had made follows with events of its own. */
export interface UserDeleted {
  readonly user_id: number;
  readonly username: string;
}
export const userDeleted = defineEvent<UserDeleted>()('user.deleted', 1, { consumers: [] });
