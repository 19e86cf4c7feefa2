import type { Role, Scope } from '@vitrine/contracts';

/**
 * The kind of a token: a session of a logged-in user, an API token, a ticket for uploads, or the token of a guest,
 * which replaces a session.
 */
export type TokenKind = 'session' | 'api' | 'ticket' | 'guest';

/** The sender of a request, identified by the token that came with it. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  /** The role that the token acts with: `user` for an API token without the scope `moderate`, even a moderator's. */
  readonly role: Role;
  /** Whether the caller is a guest, who has no account. A guest has tokens of the kinds `ticket` and `guest` only. */
  readonly isGuest: boolean;
  readonly tokenId: number;
  readonly kind: TokenKind;
  readonly scopes: readonly Scope[];
  /** Present if the site requires a second factor of staff and this moderator or admin has none: `role` is `user`. */
  readonly lacksStaffFactor?: true;
  /** Present if the site requires a second factor of every account and this one has none. */
  readonly lacksFactor?: true;
}
