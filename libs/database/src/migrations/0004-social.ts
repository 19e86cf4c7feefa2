import type { Migration } from './migration';

/** Posts in feeds, tags, comments, votes and follows, and the counts with which feeds find their pages. */
export const social: Migration = {
  name: '0004_social',
  up: `
create function search_document(title text, description text, tags text[]) returns tsvector
  language sql immutable parallel safe as $$
  select to_tsvector('simple'::regconfig,
    coalesce(title, '') || ' ' || coalesce(description, '') || ' ' || array_to_string(tags, ' '))
$$;
comment on function search_document is 'the words of title, description and tags, as the parameter q finds them';

create function shuffle_bucket(id bigint) returns smallint language sql immutable parallel safe as $$
  select ((id % 2147483648 * 2654435761 % 4294967296) >> 22)::smallint
$$;
comment on function shuffle_bucket is 'one of 1,024 by multiplicative hashing (Knuth, TAOCP 3, 6.4): neighbouring ids fall far apart';

alter table users
  add column follower_count integer not null default 0 check (follower_count >= 0),
  add column following_count integer not null default 0 check (following_count >= 0),
  add column erased_at timestamptz;
comment on column users.erased_at is 'when the last thing of a deleted account was gone';
create index users_unerased_idx on users (deleted_at) where deleted_at is not null and erased_at is null;
comment on index users_unerased_idx is 'deleted accounts whose things are still being erased';

alter table media
  add column listing text not null default 'unlisted' check (listing in ('unlisted', 'safe', 'nsfw')),
  add column tags text[] not null default '{}' check (cardinality(tags) <= 20),
  add column search tsvector generated always as (search_document(title, description, tags)) stored;
comment on column media.listing is 'which feeds show it: derived from its moderation status and the visibility of its posts';
comment on column media.tags is 'as the owner set them; media_tags is the index of it';

alter table posts
  add column listing text not null default 'unlisted' check (listing in ('unlisted', 'safe', 'nsfw')),
  add column tags text[] not null default '{}' check (cardinality(tags) <= 20),
  add column search tsvector generated always as (search_document(title, description, tags)) stored,
  add column score integer not null default 0,
  add column view_count bigint not null default 0,
  add column comment_count integer not null default 0 check (comment_count >= 0);
comment on column posts.listing is 'which feeds show it: derived from visibility, moderation status and media';
comment on column posts.tags is 'as the owner set them; post_tags is the index of it';
comment on column posts.score is 'sum of post_votes';
comment on column posts.comment_count is 'comments that are not tombstones';
alter table posts set (fillfactor = 90);

update media m set listing = case m.moderation_status when 'approved' then 'safe' else 'nsfw' end
where m.moderation_status in ('approved', 'nsfw')
  and (not exists (select from post_media pm where pm.media_id = m.id)
       or exists (select from post_media pm join posts p on p.id = pm.post_id
                  where pm.media_id = m.id and p.visibility = 'public'));
update posts p set listing = case p.moderation_status when 'approved' then 'safe' else 'nsfw' end
where p.visibility = 'public' and p.moderation_status in ('approved', 'nsfw')
  and exists (select from post_media pm join media m on m.id = pm.media_id
              where pm.post_id = p.id and m.moderation_status in ('approved', 'nsfw'))
  and not exists (select from post_media pm join media m on m.id = pm.media_id
                  where pm.post_id = p.id and m.moderation_status = 'pending');

create table tags (
  id bigint generated always as identity primary key,
  name text not null check (char_length(name) between 1 and 50),
  constraint tags_name_key unique (name)
);
create index tags_prefix_idx on tags (name text_pattern_ops);
comment on index tags_prefix_idx is 'tags by the beginning of their names';

create table post_tags (
  post_id bigint not null references posts (id) on delete cascade,
  tag_id bigint not null references tags (id),
  listing text not null check (listing in ('unlisted', 'safe', 'nsfw')),
  primary key (post_id, tag_id)
);
comment on column post_tags.listing is 'copy of posts.listing';
create table media_tags (
  media_id bigint not null references media (id) on delete cascade,
  tag_id bigint not null references tags (id),
  listing text not null check (listing in ('unlisted', 'safe', 'nsfw')),
  primary key (media_id, tag_id)
);
comment on column media_tags.listing is 'copy of media.listing';

create index posts_safe_idx on posts (id) where listing = 'safe';
create index posts_listed_idx on posts (id) where listing <> 'unlisted';
create index posts_user_safe_idx on posts (user_id, id) where listing = 'safe';
create index posts_user_listed_idx on posts (user_id, id) where listing <> 'unlisted';
create index posts_user_idx on posts (user_id, id);
create index posts_safe_shuffle_idx on posts (shuffle_bucket(id), id) where listing = 'safe';
create index posts_listed_shuffle_idx on posts (shuffle_bucket(id), id) where listing <> 'unlisted';
create index posts_created_idx on posts (created_at, id);
create index posts_search_idx on posts using gin (search);
create index post_tags_safe_idx on post_tags (tag_id, post_id) where listing = 'safe';
create index post_tags_listed_idx on post_tags (tag_id, post_id) where listing <> 'unlisted';
comment on index posts_safe_idx is 'feed of posts';
comment on index posts_listed_idx is 'feed of posts with nsfw';
comment on index posts_user_safe_idx is 'posts of one user, as others find them';
comment on index posts_user_listed_idx is 'posts of one user, as others find them with nsfw';
comment on index posts_user_idx is 'all posts of one user, for themselves';
comment on index posts_safe_shuffle_idx is 'feed of posts in random order';
comment on index posts_listed_shuffle_idx is 'feed of posts with nsfw in random order';
comment on index posts_created_idx is 'where a period begins';
comment on index posts_search_idx is 'posts that hold the words of q';
comment on index post_tags_safe_idx is 'posts of one tag';
comment on index post_tags_listed_idx is 'posts of one tag with nsfw';

create index media_safe_idx on media (id) where listing = 'safe';
create index media_listed_idx on media (id) where listing <> 'unlisted';
create index media_user_safe_idx on media (user_id, id) where listing = 'safe';
create index media_user_listed_idx on media (user_id, id) where listing <> 'unlisted';
create index media_safe_shuffle_idx on media (shuffle_bucket(id), id) where listing = 'safe';
create index media_listed_shuffle_idx on media (shuffle_bucket(id), id) where listing <> 'unlisted';
create index media_created_idx on media (created_at, id);
create index media_search_idx on media using gin (search);
create index media_tags_safe_idx on media_tags (tag_id, media_id) where listing = 'safe';
create index media_tags_listed_idx on media_tags (tag_id, media_id) where listing <> 'unlisted';
comment on index media_safe_idx is 'feed of media';
comment on index media_listed_idx is 'feed of media with nsfw';
comment on index media_user_safe_idx is 'media of one user, as others find them';
comment on index media_user_listed_idx is 'media of one user, as others find them with nsfw';
comment on index media_safe_shuffle_idx is 'feed of media in random order';
comment on index media_listed_shuffle_idx is 'feed of media with nsfw in random order';
comment on index media_created_idx is 'where a period begins';
comment on index media_search_idx is 'media that hold the words of q';
comment on index media_tags_safe_idx is 'media of one tag';
comment on index media_tags_listed_idx is 'media of one tag with nsfw';

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

create function copy_listing_to_post_tags() returns trigger language plpgsql as $$
begin
  update post_tags set listing = new.listing where post_id = new.id;
  return null;
end
$$;
create function copy_listing_to_media_tags() returns trigger language plpgsql as $$
begin
  update media_tags set listing = new.listing where media_id = new.id;
  return null;
end
$$;
create trigger posts_listing_made after insert or delete on posts
  for each row execute function item_listing_changed();
create trigger posts_listing_moved after update of listing, user_id on posts
  for each row when (old.listing <> new.listing or old.user_id is distinct from new.user_id) execute function item_listing_changed();
create trigger posts_listing_copied after update of listing on posts
  for each row when (old.listing <> new.listing) execute function copy_listing_to_post_tags();
create trigger media_listing_made after insert or delete on media
  for each row execute function item_listing_changed();
create trigger media_listing_moved after update of listing, user_id on media
  for each row when (old.listing <> new.listing or old.user_id is distinct from new.user_id) execute function item_listing_changed();
create trigger media_listing_copied after update of listing on media
  for each row when (old.listing <> new.listing) execute function copy_listing_to_media_tags();

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

insert into feed_totals (feed, listing, items)
select 'posts', listing, count(*) from posts where listing <> 'unlisted' group by listing
union all select 'posts:user:' || user_id, listing, count(*) from posts where user_id is not null group by user_id, listing
union all select 'media', listing, count(*) from media where listing <> 'unlisted' group by listing
union all select 'media:user:' || user_id, listing, count(*) from media where user_id is not null group by user_id, listing;
insert into feed_blocks (feed, listing, level, block, items)
select 'posts', listing, level, feed_block(id, level), count(*)
from posts, generate_series(0, 3) level where listing <> 'unlisted' group by 2, 3, 4
union all select 'media', listing, level, feed_block(id, level), count(*)
from media, generate_series(0, 3) level where listing <> 'unlisted' group by 2, 3, 4;
insert into feed_buckets (feed, listing, bucket, items)
select 'posts', listing, shuffle_bucket(id), count(*) from posts where listing <> 'unlisted' group by 2, 3
union all select 'media', listing, shuffle_bucket(id), count(*) from media where listing <> 'unlisted' group by 2, 3;

create table post_votes (
  post_id bigint not null references posts (id) on delete cascade,
  user_id bigint not null references users (id),
  value smallint not null check (value in (-1, 1)),
  created_at timestamptz not null default now(),
  primary key (post_id, user_id)
);
create index post_votes_user_idx on post_votes (user_id, post_id);
comment on index post_votes_user_idx is 'votes of an account that is being erased';

create table comments (
  id bigint generated always as identity primary key,
  post_id bigint not null references posts (id) on delete cascade,
  user_id bigint references users (id),
  parent_id bigint references comments (id) on delete cascade,
  content text not null check (char_length(content) between 1 and 500),
  score integer not null default 0,
  replies_count integer not null default 0 check (replies_count >= 0),
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
comment on column comments.deleted_at is 'a tombstone: deleted, and kept for its replies';
comment on column comments.user_id is 'null on tombstones';
comment on column comments.score is 'sum of comment_votes';
create index comments_post_idx on comments (post_id, id);
comment on index comments_post_idx is 'comments of a post, oldest or latest first';
create index comments_post_top_idx on comments (post_id, score desc, id);
comment on index comments_post_top_idx is 'comments of a post, best first';
create index comments_parent_idx on comments (parent_id, id) where parent_id is not null;
comment on index comments_parent_idx is 'replies to a comment; what goes with it';
create index comments_user_idx on comments (user_id, id) where user_id is not null;
comment on index comments_user_idx is 'comments of one user, latest first';

create table comment_votes (
  comment_id bigint not null references comments (id) on delete cascade,
  user_id bigint not null references users (id),
  value smallint not null check (value in (-1, 1)),
  created_at timestamptz not null default now(),
  primary key (comment_id, user_id)
);
create index comment_votes_user_idx on comment_votes (user_id, comment_id);
comment on index comment_votes_user_idx is 'votes of an account that is being erased';

create table follows (
  id bigint generated always as identity primary key,
  follower_id bigint not null references users (id),
  followee_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  constraint follows_key unique (follower_id, followee_id),
  check (follower_id <> followee_id)
);
create index follows_followers_idx on follows (followee_id, id);
comment on index follows_followers_idx is 'followers of an account, latest first';
create index follows_following_idx on follows (follower_id, id);
comment on index follows_following_idx is 'whom an account follows, latest first';
`,
};
