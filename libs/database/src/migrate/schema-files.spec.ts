import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@vitrine/testing';
import { Client } from 'pg';
import { runMigrations } from './migrate';
import { AREAS, BASELINE, readMigrations, SCHEMA_FOLDER } from './schema-files';

/** Changes the schema of the schema files into that before the first migration. */
const UNDO_MIGRATIONS = readFileSync(join(__dirname, '..', '..', 'test', 'before-migrations.sql'), 'utf8');

/** Every object of the schemas, with its definition; the number of rows of each table. */
const OBJECTS = `
  with tables as (
    select oid, oid::regclass::text as name, relkind, relpersistence, relrowsecurity, reloptions from pg_class
    where relnamespace in ('public'::regnamespace, 'bus'::regnamespace)
  )
  select 'relation' as kind, name,
         concat_ws(' ', relkind, relpersistence, relrowsecurity, array_to_string(reloptions, ',')) as definition
  from tables
  union all
  select 'column', name || '.' || attname,
         concat_ws(' ', row_number() over (partition by t.oid order by attnum), format_type(atttypid, atttypmod),
                   'not null ' || attnotnull, attidentity, attgenerated, attstorage, pg_get_expr(adbin, adrelid))
  from tables t join pg_attribute a on a.attrelid = t.oid left join pg_attrdef d on d.adrelid = t.oid and d.adnum = attnum
  where relkind in ('r', 'v', 'm', 'p') and attnum > 0 and not attisdropped
  union all
  select 'constraint', name || '.' || conname, concat_ws(' ', pg_get_constraintdef(k.oid), convalidated)
  from tables t join pg_constraint k on k.conrelid = t.oid
  union all
  select 'index', name, concat_ws(' ', pg_get_indexdef(t.oid), indisvalid) from tables t join pg_index i on indexrelid = t.oid
  union all
  select 'trigger', name || '.' || tgname, concat_ws(' ', pg_get_triggerdef(g.oid), tgenabled)
  from tables t join pg_trigger g on tgrelid = t.oid where not tgisinternal
  union all
  select 'sequence', name, concat_ws(' ', format_type(seqtypid, null), seqstart, seqincrement, seqmin, seqmax, seqcycle)
  from tables t join pg_sequence s on seqrelid = t.oid
  union all
  select 'function', oid::regprocedure::text, pg_get_functiondef(oid) from pg_proc
  where pronamespace in ('public'::regnamespace, 'bus'::regnamespace)
  union all
  select 'type', oid::regtype::text,
         concat_ws(' ', typtype, typdefault, array(select enumlabel from pg_enum where enumtypid = y.oid order by enumsortorder))
  from pg_type y where typtype in ('e', 'd') and typnamespace in ('public'::regnamespace, 'bus'::regnamespace)
  union all
  -- Objects that PostgreSQL itself made have lower numbers.
  select 'comment', pg_describe_object(classoid, objoid, objsubid), description from pg_description where objoid >= 16384
  union all
  select 'rows', name, (xpath('/row/count/text()', query_to_xml('select count(*) from ' || name, false, true, '')))[1]::text
  from tables where relkind = 'r' and name <> 'schema_migrations'
  order by 1, 2`;

describe('the schema files', () => {
  let database: TestDatabase;
  let client: Client;

  beforeEach(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  const describeSchema = async (): Promise<readonly string[]> => {
    const { rows } = await client.query<{ kind: string; name: string; definition: string }>(OBJECTS);
    return rows.map(({ kind, name, definition }) => `${kind} ${name}: ${definition}`);
  };
  const empty = (): Promise<unknown> =>
    client.query('drop schema public cascade; drop schema bus cascade; create schema public');

  it('make the schema that the migrations make of the schema before them', async () => {
    const ofTheFiles = await describeSchema();
    await client.query(UNDO_MIGRATIONS);
    await client.query('delete from schema_migrations where name <> $1', [BASELINE]);

    expect(await runMigrations(database.url)).toEqual(readMigrations().map(({ name }) => name));

    expect(await describeSchema()).toEqual(ofTheFiles);
  });

  it.each([
    'alter table posts add column language text',
    'alter table posts alter column title set not null',
    'alter table posts set (fillfactor = 80)',
    'alter table posts drop constraint posts_slug_key',
    'drop index posts_safe_idx',
    'drop trigger media_storage on media',
    'create or replace function feed_block(id bigint, level integer) returns bigint language sql immutable as $$ select id $$',
    "comment on column posts.score is 'another'",
    'alter sequence bus.consumer_ids no cycle',
    "insert into dense_feeds (feed) values ('tags')",
  ])('would differ from a database after: %s', async (change) => {
    const before = await describeSchema();
    await client.query(change);
    expect(await describeSchema()).not.toEqual(before);
  });

  it('all run, and run in one transaction on an empty database, which then has every migration', async () => {
    const files = readdirSync(SCHEMA_FOLDER).filter((name) => name.endsWith('.sql'));
    expect(files.sort()).toEqual(AREAS.map((area) => `${area}.sql`).sort());
    await empty();
    await client.query('create table tags ()');
    await expect(runMigrations(database.url)).rejects.toThrow('Migration baseline failed');
    expect((await client.query('select name from schema_migrations')).rows).toEqual([]);
    expect((await client.query(`select to_regclass('users') as users`)).rows).toEqual([{ users: null }]);
    await client.query('drop table tags');

    expect(await runMigrations(database.url)).toEqual([BASELINE]);

    const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
    expect(rows.map(({ name }) => name).sort()).toEqual(
      [BASELINE, ...readMigrations().map(({ name }) => name)].sort(),
    );
  });
});

describe('readMigrations', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-migrations-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const read = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return readMigrations(folder);
  };

  it('returns the files in the order of their names, with their mode and repair', () => {
    const index =
      '-- mode: alone\n-- repair: drop index concurrently if exists i\ncreate index concurrently i on t (a);\n';
    expect(read({ '0002-index.sql': index, '0001-column.sql': 'alter table t add column a int;' })).toEqual([
      { name: '0001-column', mode: 'transaction', up: 'alter table t add column a int;' },
      { name: '0002-index', mode: 'alone', repair: 'drop index concurrently if exists i', up: index },
    ]);
  });

  it('rejects other names and unknown modes', () => {
    expect(() => read({ '0001-column.sql': '-- mode: quick\nselect 1' })).toThrow(
      'the mode quick must be one of',
    );
    expect(() => read({ '0000-table.txt': 'select 1' })).toThrow('must be named like 0001-post-language.sql');
  });

  it('returns none if there is no folder', () => {
    expect(readMigrations(join(folder, 'missing'))).toEqual([]);
  });
});
