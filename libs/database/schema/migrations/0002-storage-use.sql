-- The service that folds storage_deltas also counts storage_kinds; one trigger writes all storage_deltas.
drop function storage_deltas_folded cascade;
drop function media_storage_changed cascade;
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
