-- Undoes the migrations: makes the schema before them of that of the schema files. What functions did that a migration
-- drops or replaces doesn't matter here.

drop index media_user_size_idx;
alter table reports drop column contact, alter column reporter_id set not null;
drop table post_views, post_referrers, post_announcements, collection_posts, collections;
drop index notifications_new_post_key;
alter table notifications drop constraint notifications_kind_check;
alter table notifications add check (kind in ('comment', 'reply', 'follow', 'moderation', 'account'));
alter table notification_settings
  drop column mail, drop column mailed_up_to, drop column mailed_at,
  drop constraint notification_settings_unwanted_check,
  add check (unwanted <@ array['comment', 'reply', 'follow', 'moderation']);
drop index posts_title_idx;
drop index posts_similar_idx;
drop index users_similar_idx;
drop function cjk_document;
drop function plain;
drop extension unaccent;
drop extension pg_trgm;
drop table tag_follows;
alter table media drop column processing_progress;
drop table deletion_hold;
alter table media drop column event_sequence;
drop table pending_files;
alter table alternative_work drop column queued_at;
create table alternative_budget ();
drop trigger posts_feeds on posts;
drop trigger media_feeds on media;
drop trigger post_tags_feeds on post_tags;
drop trigger media_tags_feeds on media_tags;
drop trigger post_ranks_feeds on post_ranks;
drop trigger media_ranks_feeds on media_ranks;
drop function count_in_feeds;
drop function feeds_of(posts);
drop function feeds_of(media);
drop function feeds_of(post_tags);
drop function feeds_of(media_tags);
drop function feeds_of(post_ranks);
drop function feeds_of(media_ranks);
drop trigger media_storage on media;
drop function media_storage_changed;
drop trigger audit_log_append_only on audit_log;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_change();
comment on column tags.post_count is 'before';
comment on column tags.safe_post_count is 'before';
create function note_feed_change(feed text, listing text, item_id bigint, change integer) returns void
  language sql as '';
create function audited_decision(d moderation_decisions) returns bigint language sql as 'select 1';

do $$
declare
  -- Function, trigger, table.
  former constant text[] := array[
    array['media_to_webhooks', 'media_deleted_to_webhooks', 'media'],
    array['media_to_webhooks', 'media_processed_to_webhooks', 'media'],
    array['item_listing_changed', 'posts_listing_made', 'posts'],
    array['item_listing_changed', 'posts_listing_moved', 'posts'],
    array['item_listing_changed', 'media_listing_made', 'media'],
    array['item_listing_changed', 'media_listing_moved', 'media'],
    array['post_tags_listing_changed', 'post_tags_listing_made', 'post_tags'],
    array['post_tags_listing_changed', 'post_tags_listing_moved', 'post_tags'],
    array['media_tags_listing_changed', 'media_tags_listing_made', 'media_tags'],
    array['media_tags_listing_changed', 'media_tags_listing_moved', 'media_tags'],
    array['rank_changed', 'post_ranks_made', 'post_ranks'],
    array['rank_changed', 'post_ranks_moved', 'post_ranks'],
    array['rank_changed', 'media_ranks_made', 'media_ranks'],
    array['rank_changed', 'media_ranks_moved', 'media_ranks'],
    array['copy_listing_to_post_tags', 'posts_listing_copied', 'posts'],
    array['copy_listing_to_media_tags', 'media_listing_copied', 'media'],
    array['rank_post', 'posts_ranked', 'posts'],
    array['rank_post', 'posts_reranked', 'posts'],
    array['post_score_changed', 'posts_score_changed', 'posts'],
    array['rank_media', 'media_ranked', 'media'],
    array['rank_media', 'media_reranked', 'media'],
    array['post_media_changed', 'post_media_added', 'post_media'],
    array['post_media_changed', 'post_media_removed', 'post_media'],
    array['post_tags_added', 'post_tags_added', 'post_tags'],
    array['media_tags_added', 'media_tags_added', 'media_tags'],
    array['tag_total_changed', 'feed_totals_tag_made', 'feed_totals'],
    array['tag_total_changed', 'feed_totals_tag_moved', 'feed_totals'],
    array['tag_total_changed', 'feed_totals_tag_gone', 'feed_totals'],
    array['storage_deltas_folded', 'storage_deltas_folded', 'storage_deltas'],
    array['media_storage_changed', 'media_storage_made', 'media'],
    array['media_storage_changed', 'media_storage_moved', 'media'],
    array['raise_banned_hashes_version', 'banned_hashes_changed', 'banned_hashes'],
    array['audit_decision', 'moderation_decisions_audited', 'moderation_decisions']
  ];
  each text[];
begin
  foreach each slice 1 in array former loop
    execute format('create or replace function %I() returns trigger language plpgsql as %L', each[1], 'begin return null; end');
    execute format('create trigger %I after insert on %I for each row execute function %I()', each[2], each[3], each[1]);
  end loop;
end
$$;
