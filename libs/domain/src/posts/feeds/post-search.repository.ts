import { Injectable } from '@nestjs/common';
import { Database } from '@vitrine/database';
import { readSimilar } from '../../base/queries/similar-reads';
import type { Feed } from './feed';

/** So many similar posts are found at most, and so many of each kind are compared. */
const MOST = 300;
/** Only so many words of the searched text are read. */
const WORDS = 8;
/** Shorter texts have too few trigrams. */
const SHORTEST = 4;
/** Titles with one beginning of which some are suggested. */
const TITLES_READ = 50;

/** What is searched. */
export interface PostSearchRequest {
  readonly audience: Extract<Feed['audience'], 'everyone' | 'adults'>;
  readonly text: string;
  /** The people whose posts are left out. */
  readonly hidden: readonly number[];
}

/** Chinese, Japanese and Korean letters, as in the database's function `cjk_document`. */
const CJK = '\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff';

/** The words of `$1` without English endings, as the beginnings of words: `ferries` → `ferr:*`. */
const BEGINNINGS = `
  select string_agg(
    format('''%s''', replace(replace(stem, '\\', '\\\\'), '''', '''''')) || case when char_length(stem) >= 3 then ':*' else '' end,
    ' & ')::tsquery
  from (
    select regexp_replace(coalesce((ts_lexize('english_stem', word))[1], ''), 'i$', '') as stem
    from unnest(tsvector_to_array(to_tsvector('simple', $1))) as word limit ${WORDS}
  ) as stems where stem <> ''`;

/** The pattern of LIKE for what begins with `$1`. Without accents, `％` is `%`, so signs of patterns are escaped after that. */
const BEGINNING = String.raw`regexp_replace(plain(lower($1)), '[\\%_]', '\\\&', 'g') || '%'`;

const LETTERS = `phraseto_tsquery('simple', regexp_replace(regexp_replace($1, '[^${CJK}]+', '', 'g'), '(.)', '\\1 ', 'g'))`;

/** Searches posts in other ways than by whole words, which feeds do. */
@Injectable()
export class PostSearchRepository {
  constructor(private readonly database: Database) {}

  /**
   * The ids of posts that don't contain all words of a text, but words with the same beginning, a title with similar
   * words, or its Chinese, Japanese or Korean letters; the most similar title first. Empty if this takes too long.
   */
  async findSimilar({ audience, text, hidden }: PostSearchRequest): Promise<number[]> {
    // Written as in the partial index, so that PostgreSQL uses it.
    const listing = audience === 'everyone' ? `listing = 'safe'` : `listing <> 'unlisted'`;
    const one = (condition: string): string =>
      `(select id from posts where ${listing} and ${condition} limit ${MOST})`;
    const branches = [
      one(`search @@ (${BEGINNINGS})`),
      one(`cjk_document(title, description, tags) @@ ${LETTERS}`),
      ...(text.length >= SHORTEST ? [one('plain(title) %> plain($1)')] : []),
    ];
    return readSimilar(
      this.database,
      `select item.id from (${branches.join(' union ')}) as found join posts item using (id)
       where (item.user_id is null or item.user_id <> all($2::bigint[]))
         and not item.search @@ plainto_tsquery('simple', $1)
       order by word_similarity(plain($1), coalesce(plain(item.title), '')) desc, item.id desc limit ${MOST}`,
      [text, hidden],
    );
  }

  /** Some titles of safe posts that begin with a text, ignoring case and accents, then some in which a later word does. */
  async findTitles(beginning: string, hidden: readonly number[], limit: number): Promise<string[]> {
    const rows = await this.database.read<{ title: string }>(
      `select min(title) as title from (
         select title from posts
         where listing = 'safe' and plain(lower(title)) like ${BEGINNING} and (user_id is null or user_id <> all($2::bigint[]))
         order by plain(lower(title)) using ~<~ limit ${TITLES_READ}
       ) as found group by lower(title) order by min(title) limit $3`,
      [beginning, hidden, limit],
      // The index can only be used for a known beginning.
      { unprepared: true },
    );
    if (rows.length < limit && beginning.length >= SHORTEST) {
      const later = await this.database.read<{ title: string }>(
        `select title from posts
         where listing = 'safe' and plain(title) ilike '% ' || ${BEGINNING} and (user_id is null or user_id <> all($2::bigint[])) limit ${TITLES_READ}`,
        [beginning, hidden],
        { unprepared: true },
      );
      rows.push(...later);
    }
    return [...new Set(rows.map(({ title }) => title))].slice(0, limit);
  }
}
