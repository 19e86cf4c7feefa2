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
  insert into storage_deltas (user_id, kind, files, bytes, variant_bytes)
  select user_id, kind, sum(files), sum(bytes), sum(variant_bytes)
  from (values (old.user_id, old.kind, -1, -old.bytes, -variant_bytes(old.variants, old.alternatives)),
               (new.user_id, new.kind, 1, new.bytes, variant_bytes(new.variants, new.alternatives)))
    as changes (user_id, kind, files, bytes, variant_bytes)
  where kind is not null group by user_id, kind
  having (sum(files), sum(bytes), sum(variant_bytes)) <> (0, 0, 0);
  return null;
end
$$;
comment on function media_storage_changed is 'a new row has no old values, and a deleted one no new values';
create trigger media_storage after insert or delete or update of user_id, bytes, variants, alternatives on media
  for each row execute function media_storage_changed();
