import { Injectable } from '@nestjs/common';
import { waitAtMost } from '@vitrine/concurrency';
import { DEFAULT_SCOPES, type Scope, SCOPES } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import { isDatabaseOutage, OutageError } from '@vitrine/runtime';
import { InvalidFieldsError, NotFoundError, UnauthenticatedError } from '../../base/errors/domain-error';
import { AuthorsService } from '../../accounts/authors/authors.service';
import { FactorPolicyConfig } from './factor-policy.config';
import { BearerCache } from './bearer-cache';
import type { Caller } from '../../base/access/caller';
import type { TokenEntity } from './token.entity';
import { isWellFormedSecret, mintSecret, secretHash } from './token-secret';
import { type Session, TokenRepository } from './token.repository';

/** A session ends this long after its last use. */
const SESSION_DAYS = 30;
/** However much it is used, a session ends this long after its login. */
const MAX_SESSION_DAYS = 365;
/** A token's use is recorded at most this often, in seconds. */
const NOTE_USE_AFTER = 300;
/** Milliseconds that a request waits for this record. */
const NOTE_USE_WITHIN = 500;
const DAY_MS = 86_400_000;
/** The default lifetime of an API token. */
const TOKEN_DAYS = 365;
/**
 * The largest numbers of sessions and API tokens of one user. Their lists have no pages, so their length is limited.
 */
export const MAX_SESSIONS = 100;
export const MAX_API_TOKENS = 250;
/** The lifetime of a ticket. */
const TICKET_MS = 3_600_000;

export interface NewApiToken {
  readonly name: string;
  /** Absent means `DEFAULT_SCOPES`. */
  readonly scopes?: readonly Scope[] | undefined;
  /** RFC 3339. Absent means a year from now; null means that the token doesn't expire. */
  readonly expiresAt?: string | null | undefined;
}

/** A token with its secret, which is shown once and not stored. */
export interface MintedToken {
  readonly secret: string;
  readonly token: TokenEntity;
}

/** A ticket for uploads; its secret is shown once. */
export interface Ticket {
  readonly secret: string;
  readonly expiresAt: Date;
}

/** Use cases of sessions, API tokens, tickets, and the tokens of guests. */
@Injectable()
export class TokensService {
  constructor(
    private readonly database: Database,
    private readonly repository: TokenRepository,
    private readonly bearers: BearerCache,
    private readonly authors: AuthorsService,
    private readonly config: FactorPolicyConfig,
  ) {}

  /**
   * The caller of a secret; null if it is malformed, unknown, revoked or expired. Answers of the database are cached
   * for half a second: a revocation takes effect at once in the process that makes it, and in every process within a
   * second.
   */
  async authenticate(secret: string): Promise<Caller | null> {
    return (
      this.bearers.get(secret) ??
      (isWellFormedSecret(secret)
        ? this.bearers.find(secret, () => this.findBearer(secretHash(secret)))
        : null)
    );
  }

  /**
   * Removes a user from the cache. To be called after a transaction that changed the user's tokens or role, or
   * deleted the account.
   */
  forgetBearer(userId: number): void {
    this.bearers.forget((caller) => caller.userId === userId);
  }

  private async findBearer(secretSha256: Buffer): Promise<Caller | null> {
    const bearer = await this.repository.findBearer(secretSha256, NOTE_USE_AFTER);
    if (!bearer) return null;
    const { noteUse, noFactor, isStaff, ...caller } = bearer;
    if (noteUse) await this.noteUse(caller.tokenId);
    if (!noFactor || caller.isGuest) return caller;
    const ofEveryone = this.config.secondFactor === 'required';
    const ofStaff = isStaff && this.config.secondFactor !== 'optional';
    return {
      ...caller,
      ...(ofStaff && { role: 'user', lacksStaffFactor: true }),
      ...(ofEveryone && { lacksFactor: true }),
    };
  }

  /** While the database can't write, reads go on: a later request records the use. */
  private async noteUse(id: number): Promise<void> {
    const noted = this.repository.noteUse(id, SESSION_DAYS, MAX_SESSION_DAYS).catch((error: unknown) => {
      if (!(error instanceof OutageError || isDatabaseOutage(error))) throw error;
    });
    await waitAtMost(NOTE_USE_WITHIN, noted);
  }

  /**
   * Opens a session within the transaction that checked the account. Removes expired tokens of the account, and the
   * sessions beyond `MAX_SESSIONS` that were unused for longest. `device` describes the session to its user.
   */
  async openSession(
    tx: Transaction,
    userId: number,
    device: string | null = null,
  ): Promise<{ id: number; secret: string; expiresAt: Date }> {
    const secret = mintSecret('session');
    const expiresAt = new Date(Date.now() + SESSION_DAYS * DAY_MS);
    await this.repository.removeExpired(tx, userId);
    const { id } = await this.repository.insert(tx, {
      userId,
      kind: 'session',
      name: 'session',
      device,
      secretSha256: secretHash(secret),
      scopes: [...SCOPES],
      lastUsedAt: new Date(),
      expiresAt,
    });
    await this.repository.removeOldSessions(tx, userId, MAX_SESSIONS);
    return { id, secret, expiresAt };
  }

  /** Throws `UnauthenticatedError` if one of these different tokens has been revoked; none can be until `tx` ends. */
  async hold(tx: Transaction, tokenIds: readonly number[]): Promise<void> {
    if (!(await this.repository.hold(tx, tokenIds))) throw new UnauthenticatedError();
  }

  /** The token that the caller uses. Throws `UnauthenticatedError` if it has been revoked in the meantime. */
  async findCurrent(caller: Caller): Promise<TokenEntity> {
    const token = await this.repository.findById(caller.tokenId);
    if (!token) throw new UnauthenticatedError();
    return token;
  }

  /** Revokes the token that the caller uses, a session or an API token, and the tickets that it requested. */
  async revokeCurrent(caller: Caller): Promise<void> {
    await this.repository.remove(caller.tokenId);
    this.forgetBearer(caller.userId);
  }

  /**
   * Creates a ticket for uploads, which ends after an hour, or with the token that requests it, or with the account.
   * Removes expired tokens. Throws `UnauthenticatedError` if the token or the account has ended in the meantime.
   */
  createTicket(caller: Caller): Promise<Ticket> {
    return this.database.transaction(async (tx) => {
      await this.authors.holdLiving(tx, caller.userId);
      await this.repository.removeExpired(tx, caller.userId);
      await this.hold(tx, [caller.tokenId]);
      return this.insertTicket(tx, caller.userId, caller.tokenId);
    });
  }

  /**
   * Creates the only token of a new guest, which doesn't expire, and a first ticket, within the transaction that
   * created the guest.
   */
  async openGuest(tx: Transaction, userId: number): Promise<{ secret: string; ticket: Ticket }> {
    const secret = mintSecret('guest');
    const { id } = await this.repository.insert(tx, {
      userId,
      kind: 'guest',
      name: 'guest',
      secretSha256: secretHash(secret),
      scopes: ['read', 'write'],
      lastUsedAt: null,
      expiresAt: null,
    });
    return { secret, ticket: await this.insertTicket(tx, userId, id) };
  }

  /** The open sessions of a user, the latest used first. */
  listSessions(userId: number): Promise<readonly Session[]> {
    return this.repository.findSessions(userId);
  }

  /** Ends sessions by their ids, and the tickets that they requested. Call `forgetBearer` after the commit. */
  removeSessions(tx: Transaction, ids: readonly number[]): Promise<void> {
    return this.repository.removeSessions(tx, ids);
  }

  /** Ends a session of a user within a transaction. Returns false if there is none. Call `forgetBearer` after the commit. */
  closeSession(tx: Transaction, userId: number, id: number): Promise<boolean> {
    return this.repository.removeTokens(tx, { id, userId, kind: 'session' }).then((count) => count === 1);
  }

  /**
   * Ends every session of a user, and every ticket, within a transaction. Returns the number of sessions. Call
   * `forgetBearer` after the commit.
   */
  async closeSessions(tx: Transaction, userId: number): Promise<number> {
    const sessions = await this.repository.removeTokens(tx, { userId, kind: 'session' });
    await this.repository.removeTokens(tx, { userId, kind: 'ticket' });
    return sessions;
  }

  /** As `closeSession`, for an API token. */
  removeApiToken(tx: Transaction, userId: number, id: number): Promise<boolean> {
    return this.repository.removeTokens(tx, { id, userId, kind: 'api' }).then((count) => count === 1);
  }

  /** Ends every session of a user except the caller's, and every ticket. Call `forgetBearer` after the commit. */
  async closeOtherSessions(tx: Transaction, caller: Caller): Promise<void> {
    await this.repository.removeOtherSessions(tx, caller.userId, caller.tokenId);
  }

  /** Removes all tokens of a user. Call `forgetBearer` after the commit. */
  removeAll(tx: Transaction, userId: number): Promise<void> {
    return this.repository.removeAll(tx, userId);
  }

  /** Removes all API tokens of a user. Call `forgetBearer` after the commit. */
  removeApiTokens(tx: Transaction, userId: number): Promise<void> {
    return this.repository.removeApiTokens(tx, userId);
  }

  /** As `mint`, in its own transaction. */
  create(userId: number, wanted: NewApiToken): Promise<MintedToken> {
    return this.database.transaction((tx) => this.mint(tx, userId, wanted));
  }

  /**
   * Creates an API token within the caller's transaction. Throws `InvalidFieldsError` if it would be expired already
   * or the user has `MAX_API_TOKENS`, and `UnauthenticatedError` for a deleted account.
   */
  async mint(tx: Transaction, userId: number, wanted: NewApiToken): Promise<MintedToken> {
    const expiresAt = expiryOf(wanted.expiresAt);
    if (expiresAt && expiresAt.getTime() <= Date.now()) {
      throw new InvalidFieldsError({ expires_at: ['The expires_at field must be a date after now.'] });
    }
    const secret = mintSecret('api');
    await this.authors.holdLiving(tx, userId);
    if ((await this.repository.countApiTokens(tx, userId)) >= MAX_API_TOKENS) {
      throw new InvalidFieldsError({ name: [`An account may not have more than ${MAX_API_TOKENS} tokens.`] });
    }
    const token = await this.repository.insert(tx, {
      userId,
      kind: 'api',
      name: wanted.name,
      secretSha256: secretHash(secret),
      scopes: SCOPES.filter((scope) => (wanted.scopes ?? DEFAULT_SCOPES).includes(scope)),
      lastUsedAt: null,
      expiresAt,
    });
    return { secret, token };
  }

  /** The API tokens of a user, oldest first. */
  list(userId: number): Promise<TokenEntity[]> {
    return this.repository.findApiTokens(userId);
  }

  /** An API token of a user. Throws `NotFoundError`. */
  async find(userId: number, id: number): Promise<TokenEntity> {
    const token = await this.repository.findApiToken(userId, id);
    if (!token) throw new NotFoundError();
    return token;
  }

  /** Revokes an API token of a user. Throws `NotFoundError`. */
  async revoke(userId: number, id: number): Promise<void> {
    if (!(await this.repository.removeApiToken(userId, id))) throw new NotFoundError();
    this.forgetToken(id);
  }

  private async insertTicket(tx: Transaction, userId: number, issuedBy: number): Promise<Ticket> {
    const secret = mintSecret('ticket');
    const expiresAt = new Date(Date.now() + TICKET_MS);
    await this.repository.insert(tx, {
      userId,
      kind: 'ticket',
      name: 'ticket',
      issuedBy,
      secretSha256: secretHash(secret),
      scopes: ['upload'],
      lastUsedAt: null,
      expiresAt,
    });
    return { secret, expiresAt };
  }

  private forgetToken(id: number): void {
    this.bearers.forget(({ tokenId }) => tokenId === id);
  }
}

function expiryOf(wanted: string | null | undefined): Date | null {
  if (wanted === undefined) return new Date(Date.now() + TOKEN_DAYS * DAY_MS);
  return wanted === null ? null : new Date(wanted);
}

/** Throws `InvalidFieldsError` if the scope `moderate` is wanted for an account that isn’t of the staff. */
export function assertMayGrant(scopes: readonly Scope[] | undefined, isStaff: boolean): void {
  const index = scopes?.indexOf('moderate') ?? -1;
  if (index >= 0 && !isStaff) {
    throw new InvalidFieldsError({
      [`scopes.${index}`]: ['Only moderators and admins can use this scope.'],
    });
  }
}
