import type { AccountState } from '../vocabulary/accounts';
import { defineEvent } from './event';

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
