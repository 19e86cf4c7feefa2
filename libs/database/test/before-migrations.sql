-- Undoes the migrations: makes the schema before them of that of the schema files.

create function media_to_webhooks() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform add_webhook_deliveries(old.user_id, gen_random_uuid(), 'media.deleted', now(),
      json_build_object('slug', old.slug));
  elsif new.processed then
    perform add_webhook_deliveries(new.user_id, gen_random_uuid(), 'media.processed', now(),
      json_build_object('slug', new.slug, 'kind', new.kind, 'width', new.width, 'height', new.height,
        'duration', new.duration));
  else
    perform add_webhook_deliveries(new.user_id, gen_random_uuid(), 'media.failed', now(),
      json_build_object('slug', new.slug, 'reason', new.processing_error));
  end if;
  return null;
end
$$;
create trigger media_deleted_to_webhooks after delete on media
  for each row when (old.user_id is not null) execute function media_to_webhooks();
create trigger media_processed_to_webhooks after update of processed, processing_error on media
  for each row when (
    new.user_id is not null and (
      (new.processed and not old.processed) or
      (not new.processed and new.processing_error is not null and old.processing_error is null)
    )
  ) execute function media_to_webhooks();

drop trigger posts_feeds on posts;
drop trigger media_feeds on media;
drop trigger post_tags_feeds on post_tags;
drop trigger media_tags_feeds on media_tags;
drop trigger post_ranks_feeds on post_ranks;
drop trigger media_ranks_feeds on media_ranks;
drop function feeds_of(posts);
drop function feeds_of(media);
drop function feeds_of(post_tags);
drop function feeds_of(media_tags);
drop function feeds_of(post_ranks);
drop function feeds_of(media_ranks);
drop function count_in_feeds;

create function note_feed_change(feed text, listing text, item_id bigint, change integer) returns void
  language sql as $$
  insert into feed_deltas (feed, listing, item_id, change) values (feed, listing, item_id, change)
$$;

create function item_listing_changed() returns trigger language plpgsql as $$
declare
  feed constant text := tg_table_name;
begin
  if tg_op <> 'INSERT' then
    if old.listing <> 'unlisted' then perform note_feed_change(feed, old.listing, old.id, -1); end if;
    if old.user_id is not null then
      perform note_feed_change(feed || ':user:' || old.user_id, old.listing, old.id, -1);
    end if;
  end if;
  if tg_op <> 'DELETE' then
    if new.listing <> 'unlisted' then perform note_feed_change(feed, new.listing, new.id, 1); end if;
    if new.user_id is not null then
      perform note_feed_change(feed || ':user:' || new.user_id, new.listing, new.id, 1);
    end if;
  end if;
  return null;
end
$$;
comment on function item_listing_changed is 'the table''s name is the feed''s';
create trigger posts_listing_made after insert or delete on posts
  for each row execute function item_listing_changed();
create trigger posts_listing_moved after update of listing, user_id on posts
  for each row when (old.listing <> new.listing or old.user_id is distinct from new.user_id) execute function item_listing_changed();
create trigger media_listing_made after insert or delete on media
  for each row execute function item_listing_changed();
create trigger media_listing_moved after update of listing, user_id on media
  for each row when (old.listing <> new.listing or old.user_id is distinct from new.user_id) execute function item_listing_changed();

create function post_tags_listing_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.listing <> 'unlisted' then
    perform note_feed_change('posts:tag:' || old.tag_id, old.listing, old.post_id, -1);
  end if;
  if tg_op <> 'DELETE' and new.listing <> 'unlisted' then
    perform note_feed_change('posts:tag:' || new.tag_id, new.listing, new.post_id, 1);
  end if;
  return null;
end
$$;
create trigger post_tags_listing_made after insert or delete on post_tags
  for each row execute function post_tags_listing_changed();
create trigger post_tags_listing_moved after update of listing on post_tags
  for each row when (old.listing <> new.listing) execute function post_tags_listing_changed();

create function media_tags_listing_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.listing <> 'unlisted' then
    perform note_feed_change('media:tag:' || old.tag_id, old.listing, old.media_id, -1);
  end if;
  if tg_op <> 'DELETE' and new.listing <> 'unlisted' then
    perform note_feed_change('media:tag:' || new.tag_id, new.listing, new.media_id, 1);
  end if;
  return null;
end
$$;
create trigger media_tags_listing_made after insert or delete on media_tags
  for each row execute function media_tags_listing_changed();
create trigger media_tags_listing_moved after update of listing on media_tags
  for each row when (old.listing <> new.listing) execute function media_tags_listing_changed();

create function rank_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform note_feed_change(rank_feed(tg_table_name, old.age, old.score), old.listing, old.id, -1);
  end if;
  if tg_op <> 'DELETE' then
    perform note_feed_change(rank_feed(tg_table_name, new.age, new.score), new.listing, new.id, 1);
  end if;
  return null;
end
$$;
create trigger post_ranks_made after insert or delete on post_ranks for each row execute function rank_changed();
create trigger post_ranks_moved after update on post_ranks for each row
  when ((old.listing, old.age, old.score) is distinct from (new.listing, new.age, new.score)) execute function rank_changed();
create trigger media_ranks_made after insert or delete on media_ranks for each row execute function rank_changed();
create trigger media_ranks_moved after update on media_ranks for each row
  when ((old.listing, old.age, old.score) is distinct from (new.listing, new.age, new.score)) execute function rank_changed();

create function copy_listing_to_post_tags() returns trigger language plpgsql as $$
begin
  update post_tags set listing = new.listing where post_id = new.id;
  return null;
end
$$;
create trigger posts_listing_copied after update of listing on posts
  for each row when (old.listing <> new.listing) execute function copy_listing_to_post_tags();

create function copy_listing_to_media_tags() returns trigger language plpgsql as $$
begin
  update media_tags set listing = new.listing where media_id = new.id;
  return null;
end
$$;
create trigger media_listing_copied after update of listing on media
  for each row when (old.listing <> new.listing) execute function copy_listing_to_media_tags();

create function rank_post() returns trigger language plpgsql as $$
begin
  if new.listing = 'unlisted' then
    delete from post_ranks where id = new.id;
  else
    insert into post_ranks (id, user_id, listing, age, score)
    values (new.id, new.user_id, new.listing, rank_age('posts', new.id), new.score)
    on conflict (id) do update set user_id = excluded.user_id, listing = excluded.listing;
  end if;
  insert into rank_changes (post_id) values (new.id);
  return null;
end
$$;
create trigger posts_ranked after insert on posts for each row when (new.listing <> 'unlisted') execute function rank_post();
create trigger posts_reranked after update of listing, user_id on posts for each row
  when (old.listing <> new.listing or old.user_id is distinct from new.user_id) execute function rank_post();

create function post_score_changed() returns trigger language plpgsql as $$
begin
  insert into rank_changes (post_id) values (new.id);
  return null;
end
$$;
create trigger posts_score_changed after update of score on posts for each row
  when (old.score <> new.score) execute function post_score_changed();

create function rank_media() returns trigger language plpgsql as $$
begin
  if new.listing = 'unlisted' then
    delete from media_ranks where id = new.id;
  else
    insert into media_ranks (id, user_id, listing, age, score)
    values (new.id, new.user_id, new.listing, rank_age('media', new.id), 0)
    on conflict (id) do update set user_id = excluded.user_id, listing = excluded.listing;
    insert into rank_changes (media_id) values (new.id);
  end if;
  return null;
end
$$;
create trigger media_ranked after insert on media for each row when (new.listing <> 'unlisted') execute function rank_media();
create trigger media_reranked after update of listing, user_id on media for each row
  when (old.listing <> new.listing or old.user_id is distinct from new.user_id) execute function rank_media();

create function post_media_changed() returns trigger language plpgsql as $$
begin
  insert into rank_changes (media_id) select distinct media_id from changed;
  return null;
end
$$;
create trigger post_media_added after insert on post_media referencing new table as changed
  for each statement execute function post_media_changed();
create trigger post_media_removed after delete on post_media referencing old table as changed
  for each statement execute function post_media_changed();

create function post_tags_added() returns trigger language plpgsql as $$
begin
  insert into rank_changes (post_id) select distinct post_id from changed;
  return null;
end
$$;
create trigger post_tags_added after insert on post_tags referencing new table as changed
  for each statement execute function post_tags_added();

create function media_tags_added() returns trigger language plpgsql as $$
begin
  insert into rank_changes (media_id) select distinct media_id from changed;
  return null;
end
$$;
create trigger media_tags_added after insert on media_tags referencing new table as changed
  for each statement execute function media_tags_added();

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
