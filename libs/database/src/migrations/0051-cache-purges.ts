import type { Migration } from './migration';

/** What shared caches must still forget. */
export const cachePurges: Migration = {
  name: '0051_cache_purges',
  up: `
create table cache_purges (
  cache text not null check (char_length(cache) between 1 and 40),
  slug text not null,
  file_names text[] not null,
  withdrawn boolean not null,
  requested_at timestamptz not null default now(),
  requests integer not null default 1,
  purged boolean not null default false,
  attempts integer not null default 0,
  due_at timestamptz default now(),
  error text,
  primary key (cache, slug)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
comment on table cache_purges is 'media that shared caches must forget; a row is deleted when its last purge has succeeded';
comment on column cache_purges.withdrawn is 'its files are 404 now; otherwise they have other bytes. Withdrawn media come first';
comment on column cache_purges.requests is 'how often it was requested, so that the result of an older attempt has no effect';
comment on column cache_purges.purged is 'whether a purge has succeeded since the request; another one follows';
comment on column cache_purges.attempts is 'since the last success';
comment on column cache_purges.due_at is 'during an attempt: when another process may try, because this one has died; null: given up';
create index cache_purges_due_idx on cache_purges (cache, withdrawn desc, due_at) where due_at is not null;
`,
};
