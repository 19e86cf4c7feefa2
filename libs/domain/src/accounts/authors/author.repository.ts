import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';
import type { Author } from './author.types';
import { avatarJoin, avatarJson, isActiveMemberSql, visibleMember } from '../../base/queries/member-sql';

/** Reads users as authors. */
@Injectable()
export class AuthorRepository {
  constructor(private readonly database: Database) {}

  /** Living members by user id; only an approved avatar is shown. `visible`: without suspended accounts. */
  async findAuthors(userIds: readonly number[], visible = false): Promise<ReadonlyMap<number, Author>> {
    if (userIds.length === 0) return new Map();
    const rows = await this.database.read<Author & { id: number }>(
      `select u.id, u.username, ${avatarJson('a')} as avatar
       from users u
       ${avatarJoin('u', 'a')}
       where u.id = any($1) and ${visible ? visibleMember('u') : isActiveMemberSql('u')}`,
      [userIds],
    );
    return new Map(rows.map(({ id, username, avatar }) => [id, { username, avatar }]));
  }

  async findUserId(username: string): Promise<number | null> {
    const [row] = await this.database.read<{ id: number }>(
      `select u.id from users u where lower(u.username) = lower($1) and ${visibleMember('u')}`,
      [username],
    );
    return row?.id ?? null;
  }

  /**
   * An account's author, who is null for a guest; null if the account is deleted. It can't be deleted until `tx` ends. Waits
   * for a deletion in progress, which locks the row `for update`. Other changes of the row don't wait.
   */
  async holdLiving(tx: Transaction, userId: number): Promise<{ readonly author: Author | null } | null> {
    const [held] = await tx.query<Author & { isMember: boolean }>(
      `select u.username, ${avatarJson('a')} as avatar, ${isActiveMemberSql('u')} as "isMember"
       from users u ${avatarJoin('u', 'a')}
       where u.id = $1 and u.deleted_at is null for key share of u`,
      [userId],
      { prepared: true },
    );
    if (!held) return null;
    const { isMember, username, avatar } = held;
    return { author: isMember ? { username, avatar } : null };
  }
}
