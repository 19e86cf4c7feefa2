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

  /** The ids of members by their usernames in lower case. */
  async findUserIds(usernames: readonly string[]): Promise<number[]> {
    const rows = await this.database.read<{ id: number }>(
      `select u.id from users u where lower(u.username) = any($1) and ${visibleMember('u')} order by u.id`,
      [usernames],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * The accounts that aren't deleted, by id: their authors; null for guests. They can't be deleted until `tx` ends. Waits for
   * deletions in progress, which lock the row `for update`. Other changes of the rows don't wait.
   */
  async holdLiving(tx: Transaction, userIds: readonly number[]): Promise<ReadonlyMap<number, Author | null>> {
    const rows = await tx.query<Author & { id: number; isMember: boolean }>(
      `select u.id, u.username, ${avatarJson('a')} as avatar, ${isActiveMemberSql('u')} as "isMember"
       from users u ${avatarJoin('u', 'a')}
       where u.id = any($1) and u.deleted_at is null order by u.id for key share of u`,
      [userIds],
      { prepared: true },
    );
    return new Map(
      rows.map(({ id, isMember, username, avatar }) => [id, isMember ? { username, avatar } : null]),
    );
  }
}
