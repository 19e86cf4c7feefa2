-- The counts with which feeds find their pages, and the ranks of sort=top (docs/feeds.md). Triggers keep both in step with
-- posts and media.

create table feed_deltas (
  id bigint generated always as identity primary key,
  feed text not null,
  listing text not null,
  item_id bigint not null,
  change smallint not null check (change in (-1, 1)),
  created_at timestamptz not null default now()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
comment on table feed_deltas is 'changes of feeds that feed_totals, feed_blocks and feed_buckets don''t know of yet; written by triggers alone, so that a feed and its count can''t part';
create index feed_deltas_feed_idx on feed_deltas (feed);
comment on index feed_deltas_feed_idx is 'what a feed''s counts don''t know of yet';

create table feed_totals (
  feed text not null,
  listing text not null,
  items bigint not null,
  primary key (feed, listing)
) with (fillfactor = 70);
comment on table feed_totals is 'items of each feed: posts, posts:user:<id>, posts:tag:<id>, and the like of media';
create index feed_totals_top_idx on feed_totals (split_part(feed, ':', 1), listing) where feed like '%:top:%';
comment on index feed_totals_top_idx is 'the numbers of items of each age and score, where a deep page of sort=top begins';

create table dense_feeds (feed text primary key);
comment on table dense_feeds is 'feeds so long that feed_blocks are kept for them';
insert into dense_feeds (feed) values ('posts'), ('media');

create function feed_block(id bigint, level integer) returns bigint language sql immutable parallel safe as $$
  select id >> (10 + 6 * level)
$$;
comment on function feed_block is 'the block that an id is in: 1,024 ids at level 0, 64 blocks of the level below at each further one';

create table feed_blocks (
  feed text not null,
  listing text not null,
  level smallint not null check (level between 0 and 3),
  block bigint not null,
  items integer not null,
  primary key (feed, listing, level, block)
) with (fillfactor = 70);
comment on table feed_blocks is 'items of a dense feed in each feed_block: where a deep page begins, found level by level';

create table feed_buckets (
  feed text not null,
  listing text not null,
  bucket smallint not null,
  items integer not null,
  primary key (feed, listing, bucket)
) with (fillfactor = 70);
comment on table feed_buckets is 'items of the feeds of all posts and all media in each shuffle_bucket: where a page of sort=random begins';

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

create table rank_floors (
  items text not null check (items in ('posts', 'media')),
  age smallint not null check (age between 0 and 3),
  floor bigint not null,
  primary key (items, age)
);
comment on table rank_floors is 'the lowest ids of the last day (age 0), week, month and year, as of the last run of ranking';
insert into rank_floors (items, age, floor)
select items, age, 0 from unnest(array['posts', 'media']) as items, generate_series(0, 3) as age;

create function rank_age(asked text, item_id bigint) returns smallint language sql stable parallel safe as $$
  select count(*)::smallint from rank_floors where items = asked and floor > item_id
$$;
comment on function rank_age is 'the age of an item by rank_floors: 0 within the last day, 4 if older than a year';

-- A write here also changes: feed_deltas of the feeds by age and score.
create table post_ranks (
  id bigint primary key references posts (id) on delete cascade,
  user_id bigint,
  listing text not null check (listing in ('safe', 'nsfw')),
  age smallint not null check (age between 0 and 4),
  score integer not null
) with (fillfactor = 90);
comment on table post_ranks is 'listed posts as sort=top orders them; apart from posts so that a vote changes no index of that wide table';
comment on column post_ranks.age is 'never too high; too low only until the next run of ranking';
comment on column post_ranks.score is 'posts.score as of the last run of ranking';
create index post_ranks_top_idx on post_ranks (listing, age, score, id);
comment on index post_ranks_top_idx is 'feeds of posts, highest score first';
create index post_ranks_user_top_idx on post_ranks (user_id, listing, age, score, id);
comment on index post_ranks_user_top_idx is 'posts of one user, highest score first';

-- A write here also changes: feed_deltas of the feeds by age and score.
create table media_ranks (
  id bigint primary key references media (id) on delete cascade,
  user_id bigint,
  listing text not null check (listing in ('safe', 'nsfw')),
  age smallint not null check (age between 0 and 4),
  score integer not null
) with (fillfactor = 90);
comment on table media_ranks is 'listed media as sort=top orders them';
comment on column media_ranks.score is 'the highest score of the listed posts that contain it, 0 if there is none, as of the last run of ranking';
create index media_ranks_top_idx on media_ranks (listing, age, score, id);
comment on index media_ranks_top_idx is 'feeds of media, highest score first';
create index media_ranks_user_top_idx on media_ranks (user_id, listing, age, score, id);
comment on index media_ranks_user_top_idx is 'media of one user, highest score first';

create function rank_feed(ranks text, age smallint, score integer) returns text language sql immutable parallel safe as $$
  select case ranks when 'post_ranks' then 'posts' else 'media' end || ':top:' || age || ':' || score
$$;
comment on function rank_feed is 'the name in the counts of feeds of the items of one age and score';

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

create table rank_changes (
  id bigint generated always as identity primary key,
  post_id bigint,
  media_id bigint
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
comment on table rank_changes is 'posts and media whose ranks may be out of date; append-only, so that votes never wait for ranking';

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
