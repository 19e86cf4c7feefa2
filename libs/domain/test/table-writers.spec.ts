import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const filesUnder = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !path.includes('node_modules'));

const SCHEMA = 'libs/database/schema';
const sources = [
  ...readdirSync(join(root, 'libs'))
    .filter((room) => room !== 'testing')
    .map((room) => `libs/${room}/src`),
  ...readdirSync(join(root, 'apps')).map((room) => `apps/${room}/src`),
  // The benchmarks and the chaos harness write only databases that they create themselves.
  ...['admin', 'demo', 'dev'].map((room) => `tools/${room}/src`),
]
  .flatMap(filesUnder)
  .map((path) => ({ path, code: read(path).replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '') }));

const tables = new Set(
  readdirSync(join(root, SCHEMA))
    .filter((name) => name.endsWith('.sql'))
    .flatMap((name) =>
      [...read(`${SCHEMA}/${name}`).matchAll(/^create table ([a-z_.]+)/gm)].map(([, table]) => table!),
    ),
);

/** The table of each entity. */
const entities = new Map(
  sources.flatMap(({ code }) =>
    [...code.matchAll(/@Entity\('(\w+)'\)\s*export class (\w+)/g)].map(([, table, name]) => [name!, table!]),
  ),
);

/** Writes tables of other writers; docs/architecture.md says why. */
const DEMO_DATES = 'tools/demo/src/demo-dates.repository.ts';

/** The tables of statements in which the table's name is an expression, by file. */
const NAMED_AT_RUN_TIME: Readonly<Record<string, readonly string[]>> = {
  // Its subclasses name the table when they are constructed.
  'libs/domain/src/base/daily-counts/daily-counts.ts': [],
  'libs/domain/src/posts/feeds/feed-counts.repository.ts': [
    'feed_deltas',
    'feed_totals',
    'feed_blocks',
    'feed_buckets',
  ],
  'libs/domain/src/accounts/quotas/quota.repository.ts': [
    'storage_deltas',
    'storage_kinds',
    'storage_usage',
    'storage_total',
  ],
  // Its callers write the table by other statements too.
  'libs/domain/src/base/queries/score-sql.ts': [],
  'libs/domain/src/posts/feeds/rank.repository.ts': ['post_ranks', 'media_ranks'],
  'libs/domain/src/community/relations/relation.repository.ts': ['blocks', 'mutes'],
  'libs/domain/src/posts/tags/tag.repository.ts': ['post_tags', 'media_tags'],
  'libs/domain/src/community/votes/vote.repository.ts': ['post_votes', 'comment_votes'],
  [DEMO_DATES]: ['users', 'media', 'posts', 'comments'],
};

/** What a file writes: by SQL, by a repository of TypeORM, or as a table of daily counts. */
function tablesWrittenBy({ path, code }: { readonly path: string; readonly code: string }): string[] {
  const named = [...code.matchAll(/\b(?:insert into|update|delete from) ([a-z_.]+|\$\{)/g)].flatMap(
    ([, name]) => {
      if (name !== '${') return tables.has(name!) ? [name!] : [];
      expect(Object.keys(NAMED_AT_RUN_TIME)).toContain(path);
      return NAMED_AT_RUN_TIME[path]!;
    },
  );
  const saves = /\.(?:save|insert|update|upsert|delete|remove|softDelete|increment|decrement)\(/.test(code);
  const saved = [...code.matchAll(/(?:[rR]epository|InjectRepository)(?:<\w+>)?\((\w+Entity)\)/g)].flatMap(
    ([, entity]) => (saves ? [entities.get(entity!)!] : []),
  );
  const counted = /extends DailyCounts/.test(code)
    ? [...code.matchAll(/name: '(\w+)'/g)].map(([, name]) => name!)
    : [];
  return [...named, ...saved, ...counted];
}

/** The folder of `libs/domain/src`, or the room, that a file belongs to. */
const writerOf = (path: string): string =>
  path.replace(/^libs\/domain\/src\/(.+)\/[^/]+$|^\w+\/([^/]+)\/.*/, '$1$2');

function findWriters(): ReadonlyMap<string, ReadonlySet<string>> {
  const writers = new Map<string, Set<string>>();
  for (const source of sources) {
    if (source.path === DEMO_DATES) continue;
    for (const table of tablesWrittenBy(source)) {
      writers.set(table, (writers.get(table) ?? new Set()).add(writerOf(source.path)));
    }
  }
  return writers;
}

describe('tables and their writers', () => {
  it('every table is written by one folder of the domain, or by one other library', () => {
    const shared = [...findWriters()].filter(([, writers]) => writers.size > 1);
    expect(shared).toEqual([]);
  });

  it('docs/architecture.md names the one file that writes tables of others, and those tables', () => {
    const [, section = ''] = read('docs/architecture.md').split('### Who writes which table');
    const [, named = ''] = section.split(`\`${DEMO_DATES}\``);
    const [sentence = ''] = named.split('.');
    const source = sources.find(({ path }) => path === DEMO_DATES)!;
    expect([...sentence.matchAll(/`(\w+)`/g)].map(([, table]) => table)).toEqual(tablesWrittenBy(source));
  });

  it('docs/architecture.md names every trigger with the writes that cause it', () => {
    const [, section = ''] = read('docs/architecture.md').split('### What a write causes');
    const rows = section.split(/^##+ /m)[0]!.match(/^\|.*\btriggers? .*$/gm) ?? [];
    const documented = rows.flatMap((row) =>
      [...row.split(/\btriggers? /)[1]!.matchAll(/`(\w+)`/g)].map(([, trigger]) => trigger),
    );
    const made = readdirSync(join(root, SCHEMA))
      .filter((name) => name.endsWith('.sql'))
      .flatMap((name) => [...read(`${SCHEMA}/${name}`).matchAll(/^create trigger (\w+)/gm)])
      .map(([, trigger]) => trigger);
    expect(documented.sort()).toEqual(made.sort());
  });

  it('docs/architecture.md names the writer of every table', () => {
    const [, section = ''] = read('docs/architecture.md').split('### Who writes which table');
    const documented = [...section.split(/^##+ /m)[0]!.matchAll(/^\| `([\w/-]+)` +\| (.+?) +\|$/gm)].flatMap(
      ([, writer, list]) =>
        [...list!.matchAll(/`([a-z_.]+)`/g)].map(([, table]) => [table!, writer!] as const),
    );
    const found = [...findWriters()].map(([table, writers]) => [table, [...writers].join()] as const);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(found));
    expect([...tables].filter((table) => !findWriters().has(table))).toEqual([]);
  });

  it('are written in transactions or by `write`, which leave connections to reads', () => {
    const reading = /database\s*\.(?:query|read)(?:<[^(]*>)?\(\s*([`'"])([^]*?)\1/g;
    const wrong = sources.flatMap(({ path, code }) =>
      [...code.matchAll(reading)]
        .filter(([, , text = '']) =>
          /^\s*(?:insert|update|delete)\b|\(\s*(?:insert|update|delete) |^ *update /m.test(text),
        )
        .map(() => path),
    );
    expect(wrong).toEqual([]);
  });
});
