-- What accounts store, and their quotas. A trigger on media writes storage_deltas; a sweep folds them into the sums.

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
-- Admins' list of the accounts that store the most.
create index storage_usage_bytes_idx on storage_usage (bytes desc, user_id);

create table storage_total (
  singleton boolean primary key default true check (singleton),
  files bigint not null,
  bytes bigint not null,
  variant_bytes bigint not null
);
comment on table storage_total is 'what all accounts store together, and media without an owner; storage_deltas hold what is yet to be added';
insert into storage_total (files, bytes, variant_bytes) values (0, 0, 0);

create table storage_kinds (
  kind text primary key,
  files bigint not null,
  bytes bigint not null,
  variant_bytes bigint not null
) with (fillfactor = 70);
comment on table storage_kinds is 'what all media of each kind store together; storage_deltas hold what is yet to be added';
comment on column storage_kinds.bytes is 'of the originals, as stored';

create table storage_days (
  day date primary key,
  files bigint not null,
  bytes bigint not null,
  variant_bytes bigint not null
) with (fillfactor = 70);
comment on table storage_days is 'by how much storage_total has changed on each day, in UTC. A day without changes has no row';
comment on column storage_days.bytes is 'of the originals, as stored';

-- A write here also changes: storage_kinds, when deltas are folded, which deletes them.
create table storage_deltas (
  id bigint generated always as identity primary key,
  user_id bigint,
  files bigint not null,
  bytes bigint not null,
  variant_bytes bigint not null,
  kind text
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
comment on table storage_deltas is 'changes of media that storage_usage and storage_total do not include yet; only a trigger adds them, so that no upload or deletion waits for a count';
comment on column storage_deltas.kind is 'of the media item; null: recorded before this column existed';
create index storage_deltas_user_idx on storage_deltas (user_id);
comment on index storage_deltas_user_idx is 'what the usage of one account does not include yet';

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

create function variant_bytes(variants jsonb) returns bigint language sql immutable parallel safe as $$
  select coalesce(sum(bytes), 0)::bigint from (
    select distinct on (variant ->> 'key') (variant ->> 'bytes')::bigint as bytes
    from jsonb_array_elements(variants) as variant
    where variant -> 'removed' is null
  ) as stored
$$;
comment on function variant_bytes is 'of the stored variants; several can be one file';

create function variant_bytes(variants jsonb, alternatives jsonb) returns bigint language sql immutable parallel safe as $$
  select variant_bytes(variants) + (
    select coalesce(sum((alternative ->> 'bytes')::bigint), 0)::bigint
    from jsonb_array_elements(alternatives) as alternative
  )
$$;
comment on function variant_bytes(jsonb, jsonb) is 'of the stored variants and their alternatives';

create function media_storage_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into storage_deltas (user_id, kind, files, bytes, variant_bytes)
    values (new.user_id, new.kind, 1, new.bytes, variant_bytes(new.variants, new.alternatives));
  elsif tg_op = 'DELETE' then
    insert into storage_deltas (user_id, kind, files, bytes, variant_bytes)
    values (old.user_id, old.kind, -1, -old.bytes, -variant_bytes(old.variants, old.alternatives));
  elsif (old.user_id, old.kind) is not distinct from (new.user_id, new.kind) then
    insert into storage_deltas (user_id, kind, files, bytes, variant_bytes)
    values (new.user_id, new.kind, 0, new.bytes - old.bytes,
            variant_bytes(new.variants, new.alternatives) - variant_bytes(old.variants, old.alternatives));
  else
    insert into storage_deltas (user_id, kind, files, bytes, variant_bytes)
    values (old.user_id, old.kind, -1, -old.bytes, -variant_bytes(old.variants, old.alternatives)),
           (new.user_id, new.kind, 1, new.bytes, variant_bytes(new.variants, new.alternatives));
  end if;
  return null;
end
$$;
create trigger media_storage_made after insert or delete on media
  for each row execute function media_storage_changed();
create trigger media_storage_moved after update of user_id, bytes, variants, alternatives on media
  for each row
  when ((old.user_id, old.bytes, old.variants, old.alternatives)
        is distinct from (new.user_id, new.bytes, new.variants, new.alternatives))
  execute function media_storage_changed();
