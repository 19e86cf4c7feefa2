import { Injectable } from '@nestjs/common';
import { DEFAULT_SCOPES, SCOPES, type Scope } from '@vitrine/contracts';
import { type Transaction, TransactionRunner } from '@vitrine/database';
import { InvalidFieldsError, NotFoundError, UnauthenticatedError } from '../errors/domain-error';
import { AuthorsService } from '../users/authors.service';
import { BearerCache } from './bearer-cache';
import type { Caller } from './caller';
import type { TokenEntity } from './token.entity';
import { isWellFormedSecret, mintSecret, secretHash } from './token-secret';
import { type Session, TokenRepository } from './token.repository';

/** A session lives this long after its last use. */
const SESSION_DAYS = 30;
/** A token's use is written down at most this often, in seconds. */
const NOTE_USE_AFTER = 300;
const DAY_MS = 86_400_000;
/** The default lifetime of an API token. */
const TOKEN_DAYS = 365;
/**
 * Sessions and API tokens that one account has. Their lists are shown whole, so that an account that makes more and more
 * would make each look at them cost more and more.
 */
export const MAX_SESSIONS = 100;
export const MAX_API_TOKENS = 250;
/** A ticket lives this long, used or not. */
const TICKET_MS = 3_600_000;

export interface NewApiToken {
  readonly name: string;
  /** `DEFAULT_SCOPES` where absent. */
  readonly scopes?: readonly Scope[] | undefined;
  /** RFC 3339; a year from now where absent, never where null. */
  readonly expiresAt?: string | null | undefined;
}

/** A token together with its secret, which is shown once and never kept. */
export interface MintedToken {
  readonly secret: string;
  readonly token: TokenEntity;
}

/** A ticket to upload with; its secret is shown once. */
export interface Ticket {
  readonly secret: string;
  readonly expiresAt: Date;
}

/** Use cases of sessions, API tokens, tickets, and the tokens of guests. */
@Injectable()
export class TokensService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: TokenRepository,
    private readonly bearers: BearerCache,
    private readonly authors: AuthorsService,
  ) {}

  /**
   * The caller behind a secret; null where it is malformed, unknown, revoked or expired. What the database said is
   * believed for half a second: a revocation holds at once in the process that makes it, everywhere within a second.
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
   * To be called after a transaction that changed who the bearers of an account's tokens are, or what they may do:
   * its role, its sessions, its end.
   */
  forgetBearer(userId: number): void {
    this.bearers.forget((caller) => caller.userId === userId);
  }

  private async findBearer(secretSha256: Buffer): Promise<Caller | null> {
    const bearer = await this.repository.findBearer(secretSha256, NOTE_USE_AFTER);
    if (!bearer) return null;
    const { noteUse, ...caller } = bearer;
    if (noteUse) await this.repository.noteUse(caller.tokenId, SESSION_DAYS);
    return caller;
  }

  /**
   * Opens a session within the transaction that checked the account, and clears away its expired tokens and the sessions
   * that are more than `MAX_SESSIONS`, those unused for longest. `device` is what its owner will know it by.
   */
  async openSession(
    tx: Transaction,
    userId: number,
    device: string | null = null,
  ): Promise<{ secret: string; expiresAt: Date }> {
    const secret = mintSecret('session');
    const expiresAt = new Date(Date.now() + SESSION_DAYS * DAY_MS);
    await this.repository.removeExpired(tx, userId);
    await this.repository.insert(tx, {
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
    return { secret, expiresAt };
  }

  /** Ends the caller's own session, and the tickets it asked for. */
  async closeSession(caller: Caller): Promise<void> {
    await this.repository.remove(caller.tokenId);
    this.forgetBearer(caller.userId);
  }

  /**
   * Makes a ticket to upload with, which ends after an hour, or with the token that asks for it, or with the account;
   * and clears away expired tokens. Throws `UnauthenticatedError` where either has ended meanwhile.
   */
  createTicket(caller: Caller): Promise<Ticket> {
    return this.transactions.run(async (tx) => {
      await this.authors.holdLiving(tx, caller.userId);
      await this.repository.removeExpired(tx, caller.userId);
      if (!(await this.repository.hold(tx, caller.tokenId))) throw new UnauthenticatedError();
      return this.insertTicket(tx, caller.userId, caller.tokenId);
    });
  }

  /**
   * Makes the one token of a new guest, which ends with it, and a first ticket, within the transaction that made the
   * guest.
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

  /** The open sessions of an account, the latest used first. */
  listSessions(userId: number): Promise<readonly Session[]> {
    return this.repository.findSessions(userId);
  }

  /** Ends one of an account's sessions, and the tickets it asked for. Throws `NotFoundError`. */
  async endSession(userId: number, id: number): Promise<void> {
    if (!(await this.repository.removeSession(userId, id))) throw new NotFoundError();
    this.forgetBearer(userId);
  }

  /** As `closeOtherSessions`, in a transaction of its own. */
  async endOtherSessions(caller: Caller): Promise<void> {
    await this.transactions.run((tx) => this.closeOtherSessions(tx, caller));
    this.forgetBearer(caller.userId);
  }

  /** Ends every session of an account but the caller's, and every ticket; `forgetBearer` is due once that is committed. */
  async closeOtherSessions(tx: Transaction, caller: Caller): Promise<void> {
    await this.repository.removeOtherSessions(tx, caller.userId, caller.tokenId);
  }

  /** Ends all of an account's tokens; `forgetBearer` is due once that is committed. */
  removeAll(tx: Transaction, userId: number): Promise<void> {
    return this.repository.removeAll(tx, userId);
  }

  /** Ends all of an account's API tokens; `forgetBearer` is due once that is committed. */
  removeApiTokens(tx: Transaction, userId: number): Promise<void> {
    return this.repository.removeApiTokens(tx, userId);
  }

  /** As `mint`, in a transaction of its own. */
  create(userId: number, wanted: NewApiToken): Promise<MintedToken> {
    return this.transactions.run((tx) => this.mint(tx, userId, wanted));
  }

  /**
   * Makes an API token within the caller's transaction. Throws `InvalidFieldsError` where it would be expired already, or
   * the account has `MAX_API_TOKENS`; `UnauthenticatedError` for a deleted account.
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

  /** The API tokens of an account, oldest first. */
  list(userId: number): Promise<TokenEntity[]> {
    return this.repository.findApiTokens(userId);
  }

  /** One of an account's API tokens. Throws `NotFoundError`. */
  async find(userId: number, id: number): Promise<TokenEntity> {
    const token = await this.repository.findApiToken(userId, id);
    if (!token) throw new NotFoundError();
    return token;
  }

  /** Revokes one of an account's API tokens. Throws `NotFoundError`. */
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
