import type { Migration } from './migration';

/**
 * What is stored of each kind. A trigger adds the deltas when they are folded, so processes of the previous release, which
 * don't know the table, count them too.
 */
const kinds: Migration = {
  name: '0044a_storage_kinds',
  up: `
-- Otherwise a writer could still use the old function, whose deltas have no kind.
lock table media in share row exclusive mode;
create table storage_kinds (
  kind text primary key,
  files bigint not null,
  bytes bigint not null,
  variant_bytes bigint not null
) with (fillfactor = 70);
comment on table storage_kinds is 'what all media of each kind store together; storage_deltas hold what is yet to be added';
comment on column storage_kinds.bytes is 'of the originals, as stored';
alter table storage_deltas add column kind text;
comment on column storage_deltas.kind is 'of the media item; null: recorded before this column existed';

create or replace function media_storage_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into storage_deltas (user_id, kind, files, bytes, variant_bytes)
    values (new.user_id, new.kind, 1, new.bytes, variant_bytes(new.variants));
  elsif tg_op = 'DELETE' then
    insert into storage_deltas (user_id, kind, files, bytes, variant_bytes)
    values (old.user_id, old.kind, -1, -old.bytes, -variant_bytes(old.variants));
  elsif (old.user_id, old.kind) is not distinct from (new.user_id, new.kind) then
    insert into storage_deltas (user_id, kind, files, bytes, variant_bytes)
    values (new.user_id, new.kind, 0, new.bytes - old.bytes,
            variant_bytes(new.variants) - variant_bytes(old.variants));
  else
    insert into storage_deltas (user_id, kind, files, bytes, variant_bytes)
    values (old.user_id, old.kind, -1, -old.bytes, -variant_bytes(old.variants)),
           (new.user_id, new.kind, 1, new.bytes, variant_bytes(new.variants));
  end if;
  return null;
end
$$;

create function storage_deltas_folded() returns trigger language plpgsql as $$
begin
  insert into storage_kinds as counted (kind, files, bytes, variant_bytes)
  select kind, sum(files), sum(bytes), sum(variant_bytes) from folded where kind is not null group by kind order by kind
  on conflict (kind) do update set files = counted.files + excluded.files,
    bytes = counted.bytes + excluded.bytes, variant_bytes = counted.variant_bytes + excluded.variant_bytes;
  return null;
end
$$;
create trigger storage_deltas_folded after delete on storage_deltas
  referencing old table as folded for each statement execute function storage_deltas_folded();
`,
};

/** Counts the media that are older than the trigger. The lock keeps deltas from being folded meanwhile. */
const counted: Migration = {
  name: '0044b_storage_kinds_counted',
  up: `
lock table storage_total in share row exclusive mode;
insert into storage_kinds (kind, files, bytes, variant_bytes)
select kind, sum(files), sum(bytes), sum(variant_bytes) from (
  select kind, 1 as files, bytes, variant_bytes(variants) as variant_bytes from media
  union all
  select kind, -files, -bytes, -variant_bytes from storage_deltas where kind is not null
) as stored group by kind
on conflict (kind) do update set files = excluded.files, bytes = excluded.bytes, variant_bytes = excluded.variant_bytes;
`,
};

/** For the page of admins on what is stored. */
export const storageKinds: readonly Migration[] = [kinds, counted];
