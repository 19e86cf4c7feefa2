import { Injectable } from '@nestjs/common';
import type { Role } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import type { LogoutNotice } from './logout-token';

/** A person at a provider. */
export interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

/** An identity of an account. */
export interface Identity {
  readonly id: number;
  readonly issuer: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** A login that is in progress at a provider. */
export interface Attempt {
  readonly issuer: string;
  /** Whether the person must prove again who they are. */
  readonly fresh: boolean;
  /** The token of the session whose account gets the identity; null: a login. */
  readonly linkedBy: number | null;
}

/** What a login at a provider says about the session that it opens. */
export interface ProviderSession extends IdentityKey {
  /** What the provider calls its own session. */
  readonly session: string | null;
  readonly fresh: boolean;
}

/** A person whom a provider has proved and who has no account yet. */
export interface Newcomer extends ProviderSession {
  readonly role: Role | null;
}

/** Whose sessions a provider ends. Null stands for any. */
export type EndedSessions = Pick<LogoutNotice, 'issuer' | 'subject' | 'session'>;

/** The condition for a row `s` that `EndedSessions` names, whose fields are $1, $2 and $3. */
const IS_ENDED =
  's.issuer = $1 and ($2::text is null or s.subject = $2) and ($3::text is null or s.session = $3)';

/** Rows whose time is over that one request removes, so that its work stays bounded. */
const REMOVED_AT_ONCE = 100;

/** Every query on the tables of identities. */
@Injectable()
export class IdentityRepository {
  constructor(private readonly database: Database) {}

  /** Throws PostgreSQL's unique_violation of `identities_subject_key` and `identities_account_key`. */
  async insert(tx: Transaction, userId: number, { issuer, subject }: IdentityKey): Promise<void> {
    await tx.query('insert into identities (user_id, issuer, subject) values ($1, $2, $3)', [
      userId,
      issuer,
      subject,
    ]);
  }

  /** The account of an identity; null if there is none. */
  async findUserId({ issuer, subject }: IdentityKey): Promise<number | null> {
    const [row] = await this.database.read<{ id: number }>(
      'select user_id as id from identities where issuer = $1 and subject = $2',
      [issuer, subject],
    );
    return row?.id ?? null;
  }

  /** Records that an identity logged in. Returns false if it isn't the account's any more. */
  noteUse(tx: Transaction, userId: number, { issuer, subject }: IdentityKey): Promise<boolean> {
    return tx.affects(
      `update identities set last_used_at = now() where user_id = $1 and issuer = $2 and subject = $3`,
      [userId, issuer, subject],
    );
  }

  /** The identities of an account, oldest first. */
  findOf(userId: number): Promise<readonly Identity[]> {
    return this.database.read<Identity>(
      `select id, issuer, created_at as "createdAt", last_used_at as "lastUsedAt"
       from identities where user_id = $1 order by id`,
      [userId],
    );
  }

  /** Removes an identity of an account, and returns its issuer; null if the account has no such identity. */
  async remove(tx: Transaction, userId: number, id: number): Promise<string | null> {
    const [row] = await tx.query<{ issuer: string }>(
      `delete from identities where user_id = $1 and id = $2 returning issuer`,
      [userId, id],
    );
    return row?.issuer ?? null;
  }

  async removeAll(tx: Transaction, userId: number): Promise<void> {
    await tx.query('delete from identities where user_id = $1', [userId]);
  }

  /** The number of ways to log in to an account: its password, its passkeys, and its identities at `issuers`. */
  async countLoginCredentials(
    tx: Transaction,
    userId: number,
    { passwords, issuers }: { readonly passwords: boolean; readonly issuers: readonly string[] },
  ): Promise<number> {
    const [row] = await tx.query<{ ways: number }>(
      `select (case when $2 and u.password_hash is not null then 1 else 0 end)
            + (select count(*) from passkeys p where p.user_id = u.id and p.cloned_at is null)
            + (select count(*) from identities i where i.user_id = u.id and i.issuer = any($3::text[])) as ways
       from users u where u.id = $1`,
      [userId, passwords, [...issuers]],
    );
    return row?.ways ?? 0;
  }

  async insertAttempt(
    tx: Transaction,
    secretSha256: Buffer,
    { issuer, fresh, linkedBy }: Attempt,
    seconds: number,
  ): Promise<void> {
    await tx.query(
      `insert into identity_attempts (secret_sha256, issuer, fresh, linked_by, expires_at)
       values ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
      [secretSha256, issuer, fresh, linkedBy, seconds],
    );
  }

  /** Removes and returns an attempt, so that it is used once; null if there is none. */
  async takeAttempt(tx: Transaction, secretSha256: Buffer, issuer: string): Promise<Attempt | null> {
    const [row] = await tx.query<Attempt>(
      `delete from identity_attempts where secret_sha256 = $1 and issuer = $2 and expires_at > now()
       returning issuer, fresh, linked_by as "linkedBy"`,
      [secretSha256, issuer],
    );
    return row ?? null;
  }

  async insertNewcomer(
    tx: Transaction,
    secretSha256: Buffer,
    { issuer, subject, session, role, fresh }: Newcomer,
    seconds: number,
  ): Promise<void> {
    await tx.query(
      `insert into identity_newcomers (secret_sha256, issuer, subject, session, role, fresh, expires_at)
       values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))`,
      [secretSha256, issuer, subject, session, role, fresh, seconds],
    );
  }

  /** A newcomer whose time is not over; null if there is none. */
  async findNewcomer(secretSha256: Buffer, issuer: string): Promise<Newcomer | null> {
    const [row] = await this.database.read<Newcomer>(
      `select issuer, subject, session, role, fresh from identity_newcomers
       where secret_sha256 = $1 and issuer = $2 and expires_at > now()`,
      [secretSha256, issuer],
    );
    return row ?? null;
  }

  /** Removes a newcomer, who has an account now. Returns false if another request was faster. */
  removeNewcomer(tx: Transaction, secretSha256: Buffer): Promise<boolean> {
    return tx.affects(`delete from identity_newcomers where secret_sha256 = $1`, [secretSha256]);
  }

  async insertSession(
    tx: Transaction,
    tokenId: number,
    { issuer, subject, session, fresh }: ProviderSession,
  ): Promise<void> {
    await tx.query(
      `insert into identity_sessions (token_id, issuer, subject, session, fresh) values ($1, $2, $3, $4, $5)`,
      [tokenId, issuer, subject, session, fresh],
    );
  }

  async insertPendingSession(
    tx: Transaction,
    pendingSha256: Buffer,
    { issuer, subject, session, fresh }: ProviderSession,
    seconds: number,
  ): Promise<void> {
    await tx.query(
      `insert into identity_pending_sessions (pending_sha256, issuer, subject, session, fresh, expires_at)
       values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
      [pendingSha256, issuer, subject, session, fresh, seconds],
    );
  }

  /** Makes the record of a login that waited for a second factor that of its session; none if no provider began it. */
  async completePendingSession(tx: Transaction, pendingSha256: Buffer, tokenId: number): Promise<void> {
    await tx.query(
      `with completed as (
         delete from identity_pending_sessions where pending_sha256 = $1 returning issuer, subject, session, fresh
       )
       insert into identity_sessions (token_id, issuer, subject, session, fresh)
       select $2, issuer, subject, session, fresh from completed`,
      [pendingSha256, tokenId],
    );
  }

  /** The issuer whose login opened a session; null if none did. */
  async findIssuerOfSession(tokenId: number): Promise<string | null> {
    const [row] = await this.database.read<{ issuer: string }>(
      'select issuer from identity_sessions where token_id = $1',
      [tokenId],
    );
    return row?.issuer ?? null;
  }

  /**
   * Whether a token is a session that was opened in the last `seconds`, by a proof and not by a provider that still knew
   * the person. It can't end until `tx` ends.
   */
  isFreshSession(tx: Transaction, tokenId: number, seconds: number): Promise<boolean> {
    return tx.affects(
      `select t.id from tokens t
       where t.id = $1 and t.kind = 'session' and t.created_at > now() - make_interval(secs => $2)
         and not exists (select from identity_sessions s where s.token_id = t.id and not s.fresh)
       for key share`,
      [tokenId, seconds],
    );
  }

  /** The sessions that a provider opened, with their accounts: one session at the provider, or all of a person. */
  findSessions(
    tx: Transaction,
    { issuer, subject, session }: EndedSessions,
  ): Promise<readonly { readonly tokenId: number; readonly userId: number }[]> {
    return tx.query(
      `select s.token_id as "tokenId", t.user_id as "userId"
       from identity_sessions s join tokens t on t.id = s.token_id
       where ${IS_ENDED} order by s.token_id`,
      [issuer, subject, session],
    );
  }

  /** As `findSessions`, for logins that wait for a second factor: the hashes of their secrets. */
  async findPendingLogins(
    tx: Transaction,
    { issuer, subject, session }: EndedSessions,
  ): Promise<readonly Buffer[]> {
    const rows = await tx.query<{ secret: Buffer }>(
      `select pending_sha256 as secret from identity_pending_sessions s where ${IS_ENDED}`,
      [issuer, subject, session],
    );
    return rows.map(({ secret }) => secret);
  }

  async removePendingLogins(tx: Transaction, { issuer, subject, session }: EndedSessions): Promise<void> {
    await tx.query(`delete from identity_pending_sessions s where ${IS_ENDED}`, [issuer, subject, session]);
  }

  /** Records that a logout token was used. Returns false if it was used before. */
  insertLogout(tx: Transaction, issuer: string, tokenSha256: Buffer, expiresAt: Date): Promise<boolean> {
    return tx.affects(
      `insert into identity_logouts (issuer, token_sha256, expires_at) values ($1, $2, $3)
       on conflict do nothing`,
      [issuer, tokenSha256, expiresAt],
    );
  }

  /** Removes some of the rows whose time is over. */
  async removeExpired(tx: Transaction): Promise<void> {
    await tx.query(
      `delete from identity_attempts where secret_sha256 in (
         select secret_sha256 from identity_attempts where expires_at < now() order by expires_at limit $1
         for update skip locked)`,
      [REMOVED_AT_ONCE],
    );
    await tx.query(
      `delete from identity_newcomers where secret_sha256 in (
         select secret_sha256 from identity_newcomers where expires_at < now() order by expires_at limit $1
         for update skip locked)`,
      [REMOVED_AT_ONCE],
    );
    await tx.query(
      `delete from identity_pending_sessions where pending_sha256 in (
         select pending_sha256 from identity_pending_sessions where expires_at < now() order by expires_at limit $1
         for update skip locked)`,
      [REMOVED_AT_ONCE],
    );
    await tx.query(
      `delete from identity_logouts where (issuer, token_sha256) in (
         select issuer, token_sha256 from identity_logouts where expires_at < now() order by expires_at limit $1
         for update skip locked)`,
      [REMOVED_AT_ONCE],
    );
  }
}
