import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Transaction, Database } from '@vitrine/database';
import { randomBase62 } from '../../base/identifiers/random-base62';
import {
  type Attempt,
  type EndedSessions,
  type Identity,
  type IdentityKey,
  IdentityRepository,
  type Newcomer,
  type ProviderSession,
} from './identity.repository';
import type { LogoutNotice } from './logout-token';

/** How long a login at a provider may take. */
const ATTEMPT_SECONDS = 600;
/** How long a person who is new may take to choose a username. */
const NEWCOMER_SECONDS = 1800;
/** A session proves who its user is for this long after its login. */
const FRESH_SECONDS = 600;
/** 256 random bits. */
const SECRET_LENGTH = 43;

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A secret that a browser keeps; only its hash is stored. */
export interface BrowserSecret {
  readonly secret: string;
  readonly expiresAt: Date;
}

/** Identities of accounts, and logins in progress at providers. */
@Injectable()
export class IdentitiesService {
  constructor(
    private readonly database: Database,
    private readonly repository: IdentityRepository,
  ) {}

  /** The identities of an account, oldest first. */
  list(userId: number): Promise<readonly Identity[]> {
    return this.repository.findOf(userId);
  }

  /** The account of an identity; null if there is none. */
  findUserId(identity: IdentityKey): Promise<number | null> {
    return this.repository.findUserId(identity);
  }

  /** Throws PostgreSQL's unique_violation if the identity has an account, or the account an identity of the provider. */
  add(tx: Transaction, userId: number, identity: IdentityKey): Promise<void> {
    return this.repository.insert(tx, userId, identity);
  }

  /** Returns the issuer of a removed identity; null if the account has no such identity. */
  remove(tx: Transaction, userId: number, id: number): Promise<string | null> {
    return this.repository.remove(tx, userId, id);
  }

  /** Removes all identities of an account, so that the people can use them for a new one. */
  removeAll(tx: Transaction, userId: number): Promise<void> {
    return this.repository.removeAll(tx, userId);
  }

  /** Records that an identity logs in. Returns false if it isn't the account's any more. */
  noteUse(tx: Transaction, userId: number, identity: IdentityKey): Promise<boolean> {
    return this.repository.noteUse(tx, userId, identity);
  }

  /** Begins a login at a provider, for ten minutes. */
  begin(attempt: Attempt): Promise<BrowserSecret> {
    return this.store(ATTEMPT_SECONDS, (tx, hash) =>
      this.repository.insertAttempt(tx, hash, attempt, ATTEMPT_SECONDS),
    );
  }

  /** Takes a login that was begun at this provider; it can't be taken again. Null if there is none. */
  take(secret: string, issuer: string): Promise<Attempt | null> {
    return this.database.transaction((tx) => this.repository.takeAttempt(tx, hashOf(secret), issuer));
  }

  /** Remembers a person who has proved an identity without an account, for half an hour. */
  welcome(newcomer: Newcomer): Promise<BrowserSecret> {
    return this.store(NEWCOMER_SECONDS, (tx, hash) =>
      this.repository.insertNewcomer(tx, hash, newcomer, NEWCOMER_SECONDS),
    );
  }

  findNewcomer(secret: string, issuer: string): Promise<Newcomer | null> {
    return this.repository.findNewcomer(hashOf(secret), issuer);
  }

  /** Forgets a newcomer, who has an account now. Returns false if another request was faster. */
  forgetNewcomer(tx: Transaction, secret: string): Promise<boolean> {
    return this.repository.removeNewcomer(tx, hashOf(secret));
  }

  /** Records which login at a provider has opened a session. */
  noteSession(tx: Transaction, tokenId: number, session: ProviderSession): Promise<void> {
    return this.repository.insertSession(tx, tokenId, session);
  }

  /** As `noteSession`, for a login that waits for a second factor. */
  notePendingLogin(tx: Transaction, pendingLogin: string, session: ProviderSession): Promise<void> {
    return this.repository.insertPendingSession(tx, hashOf(pendingLogin), session, ATTEMPT_SECONDS);
  }

  /** Records the session that the second factor has opened, if a provider was the first one. */
  completePendingLogin(tx: Transaction, pendingLogin: string, tokenId: number): Promise<void> {
    return this.repository.completePendingSession(tx, hashOf(pendingLogin), tokenId);
  }

  /** The issuer whose login has opened a session; null if none has. */
  findIssuerOfSession(tokenId: number): Promise<string | null> {
    return this.repository.findIssuerOfSession(tokenId);
  }

  /** Whether a session's login was a proof and is at most ten minutes old. The session can't end until `tx` ends. */
  isFreshSession(tx: Transaction, tokenId: number): Promise<boolean> {
    return this.repository.isFreshSession(tx, tokenId, FRESH_SECONDS);
  }

  /** Uses a logout token. Returns false if it was used before. */
  useLogout(tx: Transaction, { issuer, tokenId, expiresAt }: LogoutNotice): Promise<boolean> {
    return this.repository.insertLogout(tx, issuer, hashOf(tokenId), expiresAt);
  }

  /** The sessions that a provider opened and now ends, with their accounts. */
  findSessions(
    tx: Transaction,
    ended: EndedSessions,
  ): Promise<readonly { readonly tokenId: number; readonly userId: number }[]> {
    return this.repository.findSessions(tx, ended);
  }

  /** As `findSessions`, for logins that wait for a second factor: the hashes of their secrets. */
  findPendingLogins(tx: Transaction, ended: EndedSessions): Promise<readonly Buffer[]> {
    return this.repository.findPendingLogins(tx, ended);
  }

  /** Forgets which logins that wait for a second factor the provider began. */
  removePendingLogins(tx: Transaction, ended: EndedSessions): Promise<void> {
    return this.repository.removePendingLogins(tx, ended);
  }

  /** Removes what has expired, some rows of each kind. */
  async removeExpired(): Promise<void> {
    await this.database.transaction((tx) => this.repository.removeExpired(tx));
  }

  private async store(
    seconds: number,
    insert: (tx: Transaction, secretSha256: Buffer) => Promise<void>,
  ): Promise<BrowserSecret> {
    const secret = randomBase62(SECRET_LENGTH);
    const expiresAt = new Date(Date.now() + seconds * 1000);
    await this.database.transaction(async (tx) => {
      await this.repository.removeExpired(tx);
      await insert(tx, hashOf(secret));
    });
    return { secret, expiresAt };
  }
}
