import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Author } from './author.presenter';

/** An author's avatar as JSON, given the alias of its row in `media`; for a left join that leaves out rejected ones. */
export const avatarJson = (alias: string): string =>
  `case when ${alias}.id is not null then json_build_object(
     'slug', ${alias}.slug, 'kind', ${alias}.kind, 'format', ${alias}.format, 'ext', ${alias}.ext,
     'frames', ${alias}.frames, 'variants', ${alias}.variants) end`;

/** The read model of accounts as authors. */
@Injectable()
export class AuthorRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** By user id; an avatar that is rejected isn't shown. */
  async findAuthors(userIds: readonly number[]): Promise<ReadonlyMap<number, Author>> {
    if (userIds.length === 0) return new Map();
    const rows: (Author & { id: number })[] = await this.dataSource.query(
      `select u.id, u.username, ${avatarJson('a')} as avatar
       from users u
       left join media a on a.id = u.avatar_media_id and a.moderation_status <> 'rejected'
       where u.id = any($1)`,
      [userIds],
    );
    return new Map(rows.map(({ id, username, avatar }) => [id, { username, avatar }]));
  }
}
