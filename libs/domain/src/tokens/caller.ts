import type { Role, Scope } from '@vitrine/contracts';

export type TokenKind = 'session' | 'api';

/** Who makes a request, by the token that came with it. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  readonly role: Role;
  readonly tokenId: number;
  readonly kind: TokenKind;
  readonly scopes: readonly Scope[];
}
