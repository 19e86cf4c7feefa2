import { Injectable } from '@nestjs/common';
import { PreparedReads, type Transaction } from '@vitrine/database';
import type { Author } from './author.presenter';

/**
 * An author's avatar as JSON, given the alias of its row in `media`; see `avatarJoin`.
 * Of its variants only the one that is shown.
 */
export const avatarJson = (alias: string): string =>
  `case when ${alias}.id is not null then json_build_object(
     'slug', ${alias}.slug, 'kind', ${alias}.kind, 'format', ${alias}.format, 'ext', ${alias}.ext,
     'frames', ${alias}.frames, 'variants', jsonb_path_query_array(${alias}.variants, '$[*] ? (@.name == "xs")')) end`;

/**
 * Joins the avatar of an account (the alias of its row in `users`) under an alias of its own, for `avatarJson`. Only an
 * approved picture is anybody's avatar.
 */
export const avatarJoin = (user: string, alias: string): string =>
  `left join media ${alias} on ${alias}.id = ${user}.avatar_media_id and ${alias}.moderation_status = 'approved'`;

/** The read model of accounts as authors. */
@Injectable()
export class AuthorRepository {
  constructor(private readonly reads: PreparedReads) {}

  /** Living ones who aren't guests, by user id; only an approved avatar is shown. */
  async findAuthors(userIds: readonly number[]): Promise<ReadonlyMap<number, Author>> {
    if (userIds.length === 0) return new Map();
    const rows = await this.reads.query<Author & { id: number }>(
      `select u.id, u.username, ${avatarJson('a')} as avatar
       from users u
       ${avatarJoin('u', 'a')}
       where u.id = any($1) and u.deleted_at is null and u.kind = 'member'`,
      [userIds],
    );
    return new Map(rows.map(({ id, username, avatar }) => [id, { username, avatar }]));
  }

  async findUserId(username: string): Promise<number | null> {
    const [row] = await this.reads.query<{ id: number }>(
      `select id from users where lower(username) = lower($1) and deleted_at is null and kind = 'member'`,
      [username],
    );
    return row?.id ?? null;
  }

  /**
   * Whether an account lives; while `tx` is open it stays so. Waits for whoever is deleting it, who locks the row
   * `for update`; changes of its other columns go on.
   */
  async holdLiving(tx: Transaction, userId: number): Promise<boolean> {
    const rows = await tx.query('select from users where id = $1 and deleted_at is null for key share', [
      userId,
    ]);
    return rows.length > 0;
  }
}
