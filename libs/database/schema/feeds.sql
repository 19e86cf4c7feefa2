-- The counts with which feeds find their pages, and the ranks of sort=top (docs/feeds.md). Triggers write
-- feed_deltas; services write all else.

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

create table rank_changes (
  id bigint generated always as identity primary key,
  post_id bigint,
  media_id bigint
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
comment on table rank_changes is 'posts and media whose ranks may be out of date; append-only, so that votes never wait for ranking';
