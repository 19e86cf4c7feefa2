import type { Migration } from './migration';

/** Quotas of accounts, and what each account stores. */
const usage: Migration = {
  name: '0038a_storage_usage',
  up: `
create table account_quotas (
  user_id bigint primary key references users (id) on delete cascade,
  bytes bigint check (bytes >= 0),
  files bigint check (files >= 0),
  updated_at timestamptz not null default now()
);
comment on table account_quotas is 'quotas that staff have set for single accounts';
comment on column account_quotas.bytes is 'null: the default of the settings';
comment on column account_quotas.files is 'null: the default of the settings';

create table storage_usage (
  user_id bigint primary key,
  files bigint not null,
  bytes bigint not null,
  variant_bytes bigint not null
) with (fillfactor = 70);
comment on table storage_usage is 'what each account stores; storage_deltas hold what is yet to be added. An account without media has no row';
comment on column storage_usage.bytes is 'of the originals, as stored';

create table storage_total (
  singleton boolean primary key default true check (singleton),
  files bigint not null,
  bytes bigint not null,
  variant_bytes bigint not null
);
comment on table storage_total is 'what all accounts store together, and media without an owner; storage_deltas hold what is yet to be added';

create table storage_deltas (
  id bigint generated always as identity primary key,
  user_id bigint,
  files bigint not null,
  bytes bigint not null,
  variant_bytes bigint not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
comment on table storage_deltas is 'changes of media that storage_usage and storage_total do not include yet; only a trigger adds them, so that no upload or deletion waits for a count';
create index storage_deltas_user_idx on storage_deltas (user_id);
comment on index storage_deltas_user_idx is 'what the usage of one account does not include yet';

create function variant_bytes(variants jsonb) returns bigint language sql immutable parallel safe as $$
  select coalesce(sum(bytes), 0)::bigint from (
    select distinct on (variant ->> 'key') (variant ->> 'bytes')::bigint as bytes
    from jsonb_array_elements(variants) as variant
  ) as stored
$$;
comment on function variant_bytes is 'several variants can be one file';

create function media_storage_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into storage_deltas (user_id, files, bytes, variant_bytes)
    values (new.user_id, 1, new.bytes, variant_bytes(new.variants));
  elsif tg_op = 'DELETE' then
    insert into storage_deltas (user_id, files, bytes, variant_bytes)
    values (old.user_id, -1, -old.bytes, -variant_bytes(old.variants));
  elsif old.user_id is not distinct from new.user_id then
    insert into storage_deltas (user_id, files, bytes, variant_bytes)
    values (new.user_id, 0, new.bytes - old.bytes, variant_bytes(new.variants) - variant_bytes(old.variants));
  else
    insert into storage_deltas (user_id, files, bytes, variant_bytes)
    values (old.user_id, -1, -old.bytes, -variant_bytes(old.variants)),
           (new.user_id, 1, new.bytes, variant_bytes(new.variants));
  end if;
  return null;
end
$$;
create trigger media_storage_made after insert or delete on media
  for each row execute function media_storage_changed();
create trigger media_storage_moved after update of user_id, bytes, variants on media
  for each row
  when ((old.user_id, old.bytes, old.variants) is distinct from (new.user_id, new.bytes, new.variants))
  execute function media_storage_changed();
`,
};

/**
 * Counts the media that are older than the trigger. In the snapshot of one statement, the counts and the deltas
 * together are the media, so no writer has to wait.
 */
const counted: Migration = {
  name: '0038b_storage_counted',
  up: `
with stored as (
  select user_id, 1 as files, bytes, variant_bytes(variants) as variant_bytes from media
  union all
  select user_id, -files, -bytes, -variant_bytes from storage_deltas
), of_accounts as (
  insert into storage_usage (user_id, files, bytes, variant_bytes)
  select user_id, sum(files), sum(bytes), sum(variant_bytes) from stored where user_id is not null group by user_id
)
insert into storage_total (files, bytes, variant_bytes)
select coalesce(sum(files), 0), coalesce(sum(bytes), 0), coalesce(sum(variant_bytes), 0) from stored;
`,
};

/** The steps in their order. */
export const quotas: readonly Migration[] = [usage, counted];
