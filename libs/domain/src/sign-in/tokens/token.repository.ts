import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';
import type { DeepPartial } from 'typeorm';
import type { Caller } from '../../base/access/caller';
import { isSuspended } from '../../base/queries/restriction-sql';
import { TokenEntity } from './token.entity';

/** A token's caller, and whether the token's use should be recorded. */
export interface Bearer extends Omit<Caller, 'lacksStaffFactor' | 'lacksFactor'> {
  readonly noteUse: boolean;
  /** Whether the account is a moderator's or admin's and has no second factor. */
  readonly noFactor: boolean;
  /** Whether the account is a moderator's or an admin's, whatever the token acts with. */
  readonly isStaff: boolean;
}

/** A session that hasn't ended. */
export interface Session extends Pick<TokenEntity, 'id' | 'device' | 'createdAt'> {
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

/** Every query on the table `tokens`. */
@Injectable()
export class TokenRepository {
  constructor(private readonly database: Database) {}

  /**
   * The active account behind an unexpired token, unless it is suspended; `noteUse` is true if its last use was
   * recorded more than `noteAfterSeconds` ago. An API token of staff without the scope `moderate` has the role
   * `user`.
   */
  async findBearer(secretSha256: Buffer, noteAfterSeconds: number): Promise<Bearer | null> {
    const rows = await this.database.read<Bearer>(
      `select t.user_id as "userId", u.username,
              case when t.kind = 'session' or 'moderate' = any(t.scopes) then u.role else 'user' end as role,
              u.kind = 'guest' as "isGuest", t.id as "tokenId", t.kind, t.scopes,
              u.role <> 'user' as "isStaff",
              not exists (select from authenticator_apps where user_id = u.id and confirmed_at is not null)
                and not exists (select from passkeys where user_id = u.id and cloned_at is null) as "noFactor",
              coalesce(t.last_used_at < now() - make_interval(secs => $2), true) as "noteUse"
       from tokens t
       join users u on u.id = t.user_id and u.deleted_at is null and not ${isSuspended('u.id')}
       where t.secret_sha256 = $1 and (t.expires_at is null or t.expires_at > now())`,
      [secretSha256, noteAfterSeconds],
    );
    return rows[0] ?? null;
  }

  /**
   * Records that a token was used now; a session then ends `sessionDays` from now, but no later than `mostDays` after
   * it began. Does nothing for a revoked token.
   */
  async noteUse(id: number, sessionDays: number, mostDays: number): Promise<void> {
    await this.database.write(
      `update tokens
       set last_used_at = now(),
           expires_at = case kind when 'session'
             then least(now() + make_interval(days => $2), created_at + make_interval(days => $3)) else expires_at end
       where id = $1`,
      [id, sessionDays, mostDays],
    );
  }

  insert(tx: Transaction, token: DeepPartial<TokenEntity>): Promise<TokenEntity> {
    const tokens = tx.repository(TokenEntity);
    return tokens.save(tokens.create(token));
  }

  findApiTokens(userId: number): Promise<TokenEntity[]> {
    return this.database
      .repository(TokenEntity)
      .find({ where: { userId, kind: 'api' }, order: { id: 'asc' } });
  }

  async countApiTokens(tx: Transaction, userId: number): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      `select count(*)::integer as count from tokens where user_id = $1 and kind = 'api'`,
      [userId],
    );
    return row?.count ?? 0;
  }

  findApiToken(userId: number, id: number): Promise<TokenEntity | null> {
    return this.database.repository(TokenEntity).findOneBy({ id, userId, kind: 'api' });
  }

  findById(id: number): Promise<TokenEntity | null> {
    return this.database.repository(TokenEntity).findOneBy({ id });
  }

  /** Whether all tokens exist; those that do can't be removed until `tx` ends. */
  async hold(tx: Transaction, ids: readonly number[]): Promise<boolean> {
    const found = await tx.query('select from tokens where id = any($1) order by id for key share', [ids]);
    return found.length === ids.length;
  }

  /** The open sessions of a user, the latest used first. */
  findSessions(userId: number): Promise<Session[]> {
    return this.database.read(
      `select id, device, created_at as "createdAt", coalesce(last_used_at, created_at) as "lastUsedAt",
              expires_at as "expiresAt"
       from tokens where user_id = $1 and kind = 'session' and expires_at > now()
       order by last_used_at desc, id desc`,
      [userId],
    );
  }

  /** Returns false if the user has no such API token. */
  async removeApiToken(userId: number, id: number): Promise<boolean> {
    const removed = await this.database.write(
      `delete from tokens where id = $1 and user_id = $2 and kind = 'api' returning id`,
      [id, userId],
    );
    return removed.length > 0;
  }

  async remove(id: number): Promise<void> {
    await this.database.write('delete from tokens where id = $1', [id]);
  }

  async removeExpired(tx: Transaction, userId: number): Promise<void> {
    await tx.query('delete from tokens where user_id = $1 and expires_at <= now()', [userId]);
  }

  /** Removes all sessions of a user except the `kept` ones that were used last. */
  async removeOldSessions(tx: Transaction, userId: number, kept: number): Promise<void> {
    await tx.query(
      `delete from tokens where id in (
         select id from tokens where user_id = $1 and kind = 'session' order by last_used_at desc, id desc offset $2)`,
      [userId, kept],
    );
  }

  async removeApiTokens(tx: Transaction, userId: number): Promise<void> {
    await tx.query(`delete from tokens where user_id = $1 and kind = 'api'`, [userId]);
  }

  /** Returns how many there were. */
  async removeTokens(
    tx: Transaction,
    { userId, kind, id = null }: Pick<TokenEntity, 'userId' | 'kind'> & { readonly id?: number | null },
  ): Promise<number> {
    const removed = await tx.query(
      'delete from tokens where user_id = $1 and kind = $2 and ($3::bigint is null or id = $3) returning id',
      [userId, kind, id],
    );
    return removed.length;
  }

  async removeAll(tx: Transaction, userId: number): Promise<void> {
    await tx.query('delete from tokens where user_id = $1', [userId]);
  }

  async removeSessions(tx: Transaction, ids: readonly number[]): Promise<void> {
    await tx.query(`delete from tokens where id = any($1::bigint[]) and kind = 'session'`, [ids]);
  }

  /** Removes all sessions and tickets of a user except the token `keptId`. */
  async removeOtherSessions(tx: Transaction, userId: number, keptId: number): Promise<void> {
    await tx.query(`delete from tokens where user_id = $1 and kind in ('session', 'ticket') and id <> $2`, [
      userId,
      keptId,
    ]);
  }
}
