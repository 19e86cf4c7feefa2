import { Injectable } from '@nestjs/common';
import { Database } from '@vitrine/database';
import type { Viewer } from '../../base/access/viewer';
import { isActiveMemberSql, visibleMember } from '../../base/queries/member-sql';
import { startingWith } from '../../base/queries/like-pattern';
import { readSimilar } from '../../base/queries/similar-reads';
import { RelationsService } from '../../community/relations/relations.service';
import type { Author } from '../authors/author.types';
import { AuthorsService } from '../authors/authors.service';

/** So many people are found at most. */
const MOST = 200;
/** Characters that trigrams need, without `_`; texts without them only find beginnings. */
const HAS_TRIGRAM = /[a-z0-9]{3}/;
/** Longer texts are no part of a username. */
const LONGEST = 40;

/** Searches people by their usernames. */
@Injectable()
export class PeopleSearch {
  constructor(
    private readonly database: Database,
    private readonly authors: AuthorsService,
    private readonly relations: RelationsService,
  ) {}

  /**
   * One page of the people whose usernames begin with a text, contain it or resemble it, in this order, and among equals
   * those with the most followers. Deleted and suspended accounts, and people whom a block separates from the viewer, are
   * left out. With `similar: false`, for suggestions, names that only resemble the text are too.
   */
  async findPage(
    q: string,
    {
      page,
      limit,
      similar = true,
    }: { readonly page: number; readonly limit: number; readonly similar?: boolean },
    viewer: Viewer,
  ): Promise<{ readonly people: readonly Author[]; readonly total: number }> {
    const text = q.trim().replace(/^@/, '').toLowerCase();
    const found = !/[a-z0-9]/.test(text) || text.length > LONGEST ? [] : await this.findIds(text, similar);
    const blocked = await this.relations.findBlockedAmong(viewer, found);
    const shown = found.filter((id) => !blocked.has(id));
    const ids = shown.slice((page - 1) * limit, page * limit);
    const authors = await this.authors.findVisibleAuthors(ids);
    return { people: ids.flatMap((id) => authors.get(id) ?? []), total: shown.length };
  }

  private async findIds(text: string, similar: boolean): Promise<number[]> {
    const like = (condition: string): string =>
      `(select u.id from users u where ${isActiveMemberSql('u')} and ${condition} limit ${MOST})`;
    const branches = !HAS_TRIGRAM.test(text)
      ? []
      : ['u.username ilike $3', ...(similar ? ['u.username %> $1'] : [])].map((one) => `union ${like(one)}`);
    const parameters = [text, startingWith(text), `%${startingWith(text)}`];
    const sql = `select u.id from (
         (select u.id from users u where ${isActiveMemberSql('u')} and lower(u.username) like $2
          order by lower(u.username) using ~<~ limit ${MOST})
         ${branches.join(' ')}
       ) as found join users u using (id)
       where ${visibleMember('u')}
       order by lower(u.username) = $1 desc, lower(u.username) like $2 desc, u.username ilike $3 desc,
                word_similarity($1, u.username) desc, u.follower_count desc, u.id
       limit ${MOST}`;
    if (similar) return readSimilar(this.database, sql, parameters);
    // The indexes can only be used for known texts.
    const rows = await this.database.read<{ id: number }>(sql, parameters, { unprepared: true });
    return rows.map(({ id }) => id);
  }
}
