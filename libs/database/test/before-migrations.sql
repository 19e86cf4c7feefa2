-- Undoes the migrations: makes the schema before them of that of the schema files.

comment on column tags.post_count is 'posts:tag:<id> of feed_totals, by triggers: what feed_deltas hold is yet to be added';
comment on column tags.safe_post_count is 'posts:tag:<id> of feed_totals, only what is safe, by triggers';
create function tag_total_changed() returns trigger language plpgsql as $$
declare
  total feed_totals := coalesce(new, old);
  change bigint := coalesce(new.items, 0) - coalesce(old.items, 0);
  safe_change bigint := case when total.listing = 'safe' then change else 0 end;
  tag bigint := split_part(total.feed, ':', 3)::bigint;
begin
  if change = 0 then
    return null;
  elsif total.feed like 'posts:%' then
    update tags set post_count = post_count + change, safe_post_count = safe_post_count + safe_change where id = tag;
  else
    update tags set media_count = media_count + change, safe_media_count = safe_media_count + safe_change where id = tag;
  end if;
  return null;
end
$$;
create trigger feed_totals_tag_made after insert on feed_totals
  for each row when (new.feed like '%:tag:%') execute function tag_total_changed();
create trigger feed_totals_tag_moved after update on feed_totals
  for each row when (new.feed like '%:tag:%') execute function tag_total_changed();
create trigger feed_totals_tag_gone after delete on feed_totals
  for each row when (old.feed like '%:tag:%') execute function tag_total_changed();

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

drop trigger media_storage on media;
comment on function media_storage_changed is null;
create or replace function media_storage_changed() returns trigger language plpgsql as $$
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

create function raise_banned_hashes_version() returns trigger language plpgsql as $$
begin
  update banned_hashes_version set version = version + 1;
  return null;
end
$$;
create trigger banned_hashes_changed after insert or update or delete or truncate on banned_hashes
  for each statement execute function raise_banned_hashes_version();

create function audited_decision(d moderation_decisions) returns audit_log language sql immutable as $$
  select null::bigint, d.decided_by_user_id,
         case when d.reason = 'application' then 'application.decide' else d.subject || '.rule' end,
         d.subject, d.subject_id, d.slug, null::jsonb, d.id, d.created_at
$$;

create function audit_decision() returns trigger language plpgsql as $$
begin
  insert into audit_log (actor_id, action, subject_type, subject_id, subject_name, decision_id, created_at)
  select a.actor_id, a.action, a.subject_type, a.subject_id, a.subject_name, a.decision_id, a.created_at
  from audited_decision(new) a;
  return null;
end
$$;
create trigger moderation_decisions_audited after insert on moderation_decisions
  for each row when (new.decided_by in ('moderator', 'operator')) execute function audit_decision();
drop trigger audit_log_append_only on audit_log;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_change();
