import type { Migration } from './migration';

/** Originals with equal bytes that are stored once. */
const sharedFiles: Migration = {
  name: '0047a_shared_files',
  up: `
create table shared_files (
  key text primary key,
  sha256 bytea not null check (octet_length(sha256) = 32),
  bytes bigint not null,
  unused_since timestamptz
);
comment on table shared_files is 'stored originals to which several media refer';
comment on column shared_files.key is 'of the object; it contains the slug of the first of these media, which may be deleted';
comment on column shared_files.unused_since is 'since no media item refers to it: the object must be deleted; null while one does';
create unique index shared_files_sha256_idx on shared_files (sha256, bytes) where unused_since is null;
create index shared_files_unused_idx on shared_files (unused_since) where unused_since is not null;

create table redundant_files (
  media_id bigint primary key references media (id) on delete cascade,
  key text not null,
  remove_after timestamptz not null
);
comment on table redundant_files is 'originals of media that refer to a shared file, which are still stored under their own keys and must be deleted';
create index redundant_files_remove_idx on redundant_files (remove_after);

create table file_merging (
  singleton boolean primary key default true check (singleton),
  processed_at timestamptz not null,
  media_id bigint not null,
  busy_until timestamptz not null,
  holder uuid
);
comment on table file_merging is 'up to which media item, in the order of processed_at and id, equal originals have been searched';
comment on column file_merging.busy_until is 'until then, only the holder merges files and removes redundant ones';
insert into file_merging (processed_at, media_id, busy_until) values ('-infinity', 0, now() + interval '1 day');

alter table media add column shared_key text;
comment on column media.shared_key is 'the object that holds the original, if several media share or shared it; null: the one under its own key';
alter table media add constraint media_shared_key_fk foreign key (shared_key) references shared_files (key) not valid;
`,
};

const validated: Migration = {
  name: '0047b_media_shared_key_valid',
  up: 'alter table media validate constraint media_shared_key_fk',
};

const createIndex = (step: string, index: string, definition: string): Migration => ({
  name: `0047${step}_${index}`,
  mode: 'alone',
  up: `create index concurrently ${index} on media ${definition}`,
  repair: `drop index concurrently if exists ${index}`,
});

/** The steps in their order. */
export const sharedOriginals: readonly Migration[] = [
  sharedFiles,
  validated,
  createIndex('c', 'media_shared_key_idx', '(shared_key) where shared_key is not null'),
  createIndex('d', 'media_stored_sha256_idx', 'using hash (stored_sha256)'),
  createIndex('e', 'media_processed_idx', '(processed_at, id) where processed_at is not null'),
];
