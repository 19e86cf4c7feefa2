import type { Role, Scope } from '@vitrine/contracts';

/**
 * What a token is: a session of somebody who has logged in, an API token, a ticket to upload with, or what a guest has
 * in the place of a session.
 */
export type TokenKind = 'session' | 'api' | 'ticket' | 'guest';

/** Who makes a request, by the token that came with it. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  /** The role that the token acts with: `user` for an API token without the scope `moderate`, even a moderator's. */
  readonly role: Role;
  /** Somebody without an account; of the kinds of token, a guest has `ticket` and `guest`. */
  readonly isGuest: boolean;
  readonly tokenId: number;
  readonly kind: TokenKind;
  readonly scopes: readonly Scope[];
}
