import { Injectable } from '@nestjs/common';
import type { Role } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import { IsNull, Raw } from 'typeorm';
import { avatarJoin, avatarJson } from '../../base/queries/member-sql';
import type { Author } from '../authors/author.types';
import { normalName } from './normal-name';
import { UserEntity } from './user.entity';

/** The columns of an account and of its avatar, for its user. */
export interface Account {
  readonly username: string;
  /** As the person entered it. */
  readonly email: string | null;
  /** The verified address. */
  readonly verifiedEmail: string | null;
  readonly role: Role;
  readonly bio: string | null;
  readonly createdAt: Date;
  readonly avatar: Author['avatar'];
  readonly followerCount: number;
  readonly followingCount: number;
  readonly hasPassword: boolean;
}

export type ProfileColumns = Pick<UserEntity, 'bio' | 'avatarMediaId'>;
export type NewUser = Pick<UserEntity, 'username' | 'passwordHash' | 'role'>;

/** How an account is locked: see `UserRepository.lockPasswordHash`. */
export type AccountLock = 'share' | 'change' | 'delete';

const LOCKS = { share: 'for share', change: 'for no key update', delete: 'for update' };

/** The queries on the table `users`, except those for guests and follow counts. */
@Injectable()
export class UserRepository {
  constructor(private readonly database: Database) {}

  /** Throws PostgreSQL's unique_violation of `users_username_key`. */
  insert(tx: Transaction, user: NewUser): Promise<UserEntity> {
    const users = tx.repository(UserEntity);
    return users.save(users.create(user));
  }

  /** The active member with this username, ignoring case. */
  findByUsername(username: string): Promise<UserEntity | null> {
    return this.database
      .repository(UserEntity)
      .findOneBy({ username: ignoringCase(username), kind: 'member', deletedAt: IsNull() });
  }

  /** The active member with this username, or with this verified email address, in the form of `normalName`. */
  async findByLogin(login: string): Promise<UserEntity | null> {
    const key = login.includes('@') ? 'verifiedEmail' : 'username';
    const found = await this.database.repository(UserEntity).findOneBy({
      [key]: ignoringCase(login),
      kind: 'member',
      deletedAt: IsNull(),
    });
    return normalName(found?.[key] ?? '') === normalName(login) ? found : null;
  }

  /** Whether an account, even a deleted one, has this username, ignoring case. */
  isUsernameTaken(username: string): Promise<boolean> {
    return this.database.repository(UserEntity).existsBy({ username: ignoringCase(username) });
  }

  /**
   * Locks an active account and returns its password hash. `share` is a lock that several transactions can hold at the
   * same time; `delete` also waits for transactions that prevent the deletion (`AuthorsService.holdLiving`), so that
   * the account makes nothing after its deletion.
   */
  async lockPasswordHash(tx: Transaction, id: number, lock: AccountLock): Promise<string | null> {
    const [row] = await tx.query<{ password_hash: string | null }>(
      `select password_hash from users where id = $1 and deleted_at is null ${LOCKS[lock]}`,
      [id],
    );
    return row?.password_hash ?? null;
  }

  /** Locks an active account, as `lockPasswordHash` does. Returns false if it is deleted. */
  lockActive(tx: Transaction, id: number, lock: AccountLock): Promise<boolean> {
    return tx.affects(`select id from users where id = $1 and deleted_at is null ${LOCKS[lock]}`, [id]);
  }

  /**
   * Marks an account as deleted and removes its personal data. The username stays, so that it can't be registered
   * again.
   */
  async markDeleted(tx: Transaction, id: number): Promise<void> {
    await tx.query(
      `update users set deleted_at = now(), password_hash = null, email = null, verified_email = null, bio = null,
         avatar_media_id = null
       where id = $1`,
      [id],
    );
  }

  /** Accounts that were deleted more than `seconds` ago and aren't erased, the oldest deletion first. */
  async findUnerased(seconds: number, limit: number): Promise<readonly number[]> {
    const rows = await this.database.query<{ id: number }>(
      `select id from users where deleted_at < now() - make_interval(secs => $1) and erased_at is null
       order by deleted_at limit $2`,
      [seconds, limit],
    );
    return rows.map((row) => row.id);
  }

  async markErased(tx: Transaction, id: number): Promise<void> {
    await tx.query('update users set erased_at = now() where id = $1 and erased_at is null', [id]);
  }

  async findPasswordHash(id: number): Promise<string | null> {
    return (await this.findActive(id))?.passwordHash ?? null;
  }

  /** The email address of an active account; null if it has none. */
  async findEmail(id: number): Promise<string | null> {
    return (await this.findActive(id))?.email ?? null;
  }

  private findActive(id: number): Promise<UserEntity | null> {
    return this.database.repository(UserEntity).findOneBy({ id, deletedAt: IsNull() });
  }

  async changePasswordHash(tx: Transaction, id: number, passwordHash: string): Promise<void> {
    await tx.repository(UserEntity).update(id, { passwordHash });
  }

  /** Changes an active account. Throws PostgreSQL's foreign_key_violation of `users_avatar_fk`. */
  async changeProfile(tx: Transaction, id: number, changes: Partial<ProfileColumns>): Promise<void> {
    if (Object.keys(changes).length > 0) {
      await tx.repository(UserEntity).update({ id, deletedAt: IsNull() }, changes);
    }
  }

  /** An active account; only an approved avatar is shown. */
  async findAccount(id: number): Promise<Account | null> {
    const rows = await this.database.read<Account>(
      `select u.username, u.email, u.verified_email as "verifiedEmail", u.role, u.bio, u.created_at as "createdAt",
              u.follower_count as "followerCount", u.following_count as "followingCount",
              u.password_hash is not null as "hasPassword",
              ${avatarJson('a')} as avatar
       from users u
       ${avatarJoin('u', 'a')}
       where u.id = $1 and u.deleted_at is null`,
      [id],
    );
    return rows[0] ?? null;
  }
}

/** A condition for which PostgreSQL uses the unique index on `lower(username)`. */
const ignoringCase = (value: string) => Raw((column) => `lower(${column}) = lower(:value)`, { value });
