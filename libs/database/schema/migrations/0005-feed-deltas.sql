-- One function writes feed_deltas, by one trigger for each table.
drop function note_feed_change;
drop function item_listing_changed cascade;
drop function post_tags_listing_changed cascade;
drop function media_tags_listing_changed cascade;
drop function rank_changed cascade;

create function feeds_of(item posts) returns table (feed text, listing text, item_id bigint)
  language sql immutable parallel safe as $$
  select 'posts', item.listing, item.id where item.listing <> 'unlisted'
  union all select 'posts:user:' || item.user_id, item.listing, item.id where item.user_id is not null
$$;
create function feeds_of(item media) returns table (feed text, listing text, item_id bigint)
  language sql immutable parallel safe as $$
  select 'media', item.listing, item.id where item.listing <> 'unlisted'
  union all select 'media:user:' || item.user_id, item.listing, item.id where item.user_id is not null
$$;
create function feeds_of(item post_tags) returns table (feed text, listing text, item_id bigint)
  language sql immutable parallel safe as $$
  select 'posts:tag:' || item.tag_id, item.listing, item.post_id where item.listing <> 'unlisted'
$$;
create function feeds_of(item media_tags) returns table (feed text, listing text, item_id bigint)
  language sql immutable parallel safe as $$
  select 'media:tag:' || item.tag_id, item.listing, item.media_id where item.listing <> 'unlisted'
$$;
create function feeds_of(item post_ranks) returns table (feed text, listing text, item_id bigint)
  language sql immutable parallel safe as $$
  select rank_feed('post_ranks', item.age, item.score), item.listing, item.id where item.id is not null
$$;
create function feeds_of(item media_ranks) returns table (feed text, listing text, item_id bigint)
  language sql immutable parallel safe as $$
  select rank_feed('media_ranks', item.age, item.score), item.listing, item.id where item.id is not null
$$;

create function count_in_feeds() returns trigger language plpgsql as $$
begin
  insert into feed_deltas (feed, listing, item_id, change)
  select feed, listing, item_id, sum(change)
  from (select *, -1 as change from feeds_of(old) union all select *, 1 from feeds_of(new)) as changes
  group by feed, listing, item_id having sum(change) <> 0;
  return null;
end
$$;
comment on function count_in_feeds is 'a new row was in no feed, and a deleted one is in none; also rows that a foreign key deletes are counted';
create trigger posts_feeds after insert or delete or update of listing on posts
  for each row execute function count_in_feeds();
create trigger media_feeds after insert or delete or update of listing on media
  for each row execute function count_in_feeds();
create trigger post_tags_feeds after insert or delete or update of listing on post_tags
  for each row execute function count_in_feeds();
create trigger media_tags_feeds after insert or delete or update of listing on media_tags
  for each row execute function count_in_feeds();
create trigger post_ranks_feeds after insert or delete or update of listing, age, score on post_ranks
  for each row execute function count_in_feeds();
create trigger media_ranks_feeds after insert or delete or update of listing, age, score on media_ranks
  for each row execute function count_in_feeds();
