-- Posts, the media in them, and tags.

create function cjk_document(title text, description text, tags text[]) returns tsvector
  language sql immutable parallel safe as $$
  select case when words ~ '[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]'
    then to_tsvector('simple'::regconfig, regexp_replace(regexp_replace(words,
      '[^\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+', '', 'g'), '(.)', '\1 ', 'g'))
    else '' end
  from (select coalesce(title, '') || ' ' || coalesce(description, '') || ' ' || array_to_string(tags, ' ')) as item (words)
$$;
comment on function cjk_document is 'the single letters of Chinese, Japanese and Korean texts, which have no spaces between words';

-- A write here also changes: feed_deltas (feeds.sql), if the listing changes.
create table posts (
  id bigint generated always as identity primary key,
  slug text not null check (slug ~ '^[A-Za-z0-9]{7}$' and slug ~ '[A-Za-z]'),
  user_id bigint references users (id),
  title text check (char_length(title) <= 255),
  description text check (char_length(description) <= 5000),
  visibility text not null default 'public' check (visibility in ('public', 'hidden', 'private')),
  access_key text check (access_key ~ '^[A-Za-z0-9]{32}$'),
  moderation_status text not null default 'pending' check (moderation_status in ('approved', 'pending', 'nsfw', 'rejected')),
  owner_nsfw boolean not null default false,
  moderator_status text check (moderator_status in ('approved', 'nsfw', 'rejected')),
  media_count integer not null default 0 check (media_count >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  listing text not null default 'unlisted' check (listing in ('unlisted', 'safe', 'nsfw')),
  tags text[] not null default '{}' check (cardinality(tags) <= 20),
  search tsvector generated always as (search_document(title, description, tags)) stored,
  score integer not null default 0,
  view_count bigint not null default 0,
  comment_count integer not null default 0 check (comment_count >= 0),
  nsfw_before_ruling boolean not null default false,
  revision integer not null default 1,
  ruling_lapsed_at timestamptz,
  empty boolean not null default false,
  constraint posts_slug_key unique (slug),
  check (visibility <> 'private' or access_key is not null)
) with (fillfactor = 90);
comment on column posts.owner_nsfw is 'the owner said is_nsfw: a floor of nsfw';
comment on column posts.moderator_status is 'a moderator''s decision on the post itself; outranks all else';
comment on column posts.listing is 'which feeds show it: derived from visibility, moderation status and media';
comment on column posts.tags is 'as the owner set them; post_tags is the index of it';
comment on column posts.score is 'sum of post_votes';
comment on column posts.comment_count is 'comments that are not tombstones';
comment on column posts.nsfw_before_ruling is 'the owner''s floor that a ruling has set aside; it comes back with the ruling taken back';
comment on column posts.revision is 'rises with each change of title, description, tags or media: what a ruling covers';
comment on column posts.ruling_lapsed_at is 'when a change of the content ended a ruling of approved or nsfw; null once a moderator has ruled again';
comment on column posts.empty is 'derived: it holds no media that others may see';
create index posts_safe_idx on posts (id) where listing = 'safe';
comment on index posts_safe_idx is 'feed of posts';
create index posts_listed_idx on posts (id) where listing <> 'unlisted';
comment on index posts_listed_idx is 'feed of posts with nsfw';
create index posts_user_safe_idx on posts (user_id, id) where listing = 'safe';
comment on index posts_user_safe_idx is 'posts of one user, as others find them';
create index posts_user_listed_idx on posts (user_id, id) where listing <> 'unlisted';
comment on index posts_user_listed_idx is 'posts of one user, as others find them with nsfw';
create index posts_user_idx on posts (user_id, id);
comment on index posts_user_idx is 'all posts of one user, for themselves';
create index posts_safe_shuffle_idx on posts (shuffle_bucket(id), id) where listing = 'safe';
comment on index posts_safe_shuffle_idx is 'feed of posts in random order';
create index posts_listed_shuffle_idx on posts (shuffle_bucket(id), id) where listing <> 'unlisted';
comment on index posts_listed_shuffle_idx is 'feed of posts with nsfw in random order';
create index posts_created_idx on posts (created_at, id);
comment on index posts_created_idx is 'where a period begins';
create index posts_search_idx on posts using gin (search);
comment on index posts_search_idx is 'posts that hold the words of q';
create index posts_ruling_lapsed_idx on posts (ruling_lapsed_at) where ruling_lapsed_at is not null;
comment on index posts_ruling_lapsed_idx is 'moderators'' queue: posts whose ruling has ended';

create function plain(text) returns text language sql immutable strict parallel safe
  return unaccent('unaccent'::regdictionary, $1);
comment on function plain is 'a text without accents; immutable because the dictionary unaccent is not changed';
create index posts_similar_idx on posts
  using gin (plain(title) gin_trgm_ops, cjk_document(title, description, tags)) where listing <> 'unlisted';
comment on index posts_similar_idx is 'listed posts by words like those of the title, and by parts of words without spaces';
create index posts_title_idx on posts (plain(lower(title)) text_pattern_ops) where listing = 'safe';
comment on index posts_title_idx is 'titles by their beginning, while somebody types';

create table post_media (
  post_id bigint not null references posts (id) on delete cascade,
  media_id bigint not null references media (id) on delete cascade,
  position integer not null check (position >= 0),
  primary key (post_id, media_id)
);
create index post_media_order_idx on post_media (post_id, position);
comment on index post_media_order_idx is 'media of one post in order';
create index post_media_media_idx on post_media (media_id);
comment on index post_media_media_idx is 'posts that a media item is in, when its status changes';

create table tags (
  id bigint generated always as identity primary key,
  name text not null check (char_length(name) between 1 and 50),
  post_count bigint not null default 0,
  media_count bigint not null default 0,
  uses bigint not null generated always as (post_count + media_count) stored,
  safe_post_count bigint not null default 0,
  safe_media_count bigint not null default 0,
  constraint tags_name_key unique (name)
);
comment on column tags.post_count is 'posts:tag:<id> of feed_totals: what feed_deltas hold is yet to be added';
comment on column tags.media_count is 'media:tag:<id> of feed_totals, likewise';
comment on column tags.safe_post_count is 'posts:tag:<id> of feed_totals, only what is safe';
comment on column tags.safe_media_count is 'media:tag:<id> of feed_totals, likewise';
create index tags_prefix_idx on tags (name text_pattern_ops);
comment on index tags_prefix_idx is 'tags by the beginning of their names';
create index tags_uses_idx on tags (uses desc, name) where uses > 0;
comment on index tags_uses_idx is 'tags in use, most used first; how many there are';
create index tags_safe_uses_idx on tags ((safe_post_count + safe_media_count) desc, name)
  where safe_post_count + safe_media_count > 0;
comment on index tags_safe_uses_idx is 'tags in use without nsfw, most used first; how many there are';

-- A write here also changes: feed_deltas of the tag (feeds.sql), if the listing changes.
create table post_tags (
  post_id bigint not null references posts (id) on delete cascade,
  tag_id bigint not null references tags (id),
  listing text not null check (listing in ('unlisted', 'safe', 'nsfw')),
  age smallint not null default 0,
  score integer not null default 0,
  primary key (post_id, tag_id)
);
comment on column post_tags.listing is 'copy of posts.listing';
comment on column post_tags.age is 'copy of post_ranks.age';
comment on column post_tags.score is 'copy of post_ranks.score';
create index post_tags_safe_idx on post_tags (tag_id, post_id) where listing = 'safe';
comment on index post_tags_safe_idx is 'posts of one tag';
create index post_tags_listed_idx on post_tags (tag_id, post_id) where listing <> 'unlisted';
comment on index post_tags_listed_idx is 'posts of one tag with nsfw';
create index post_tags_top_idx on post_tags (tag_id, listing, age, score, post_id) where listing <> 'unlisted';
comment on index post_tags_top_idx is 'posts of one tag, highest score first';

-- A write here also changes: feed_deltas of the tag (feeds.sql), if the listing changes.
create table media_tags (
  media_id bigint not null references media (id) on delete cascade,
  tag_id bigint not null references tags (id),
  listing text not null check (listing in ('unlisted', 'safe', 'nsfw')),
  age smallint not null default 0,
  score integer not null default 0,
  primary key (media_id, tag_id)
);
comment on column media_tags.listing is 'copy of media.listing';
comment on column media_tags.age is 'copy of media_ranks.age';
comment on column media_tags.score is 'copy of media_ranks.score';
create index media_tags_safe_idx on media_tags (tag_id, media_id) where listing = 'safe';
comment on index media_tags_safe_idx is 'media of one tag';
create index media_tags_listed_idx on media_tags (tag_id, media_id) where listing <> 'unlisted';
comment on index media_tags_listed_idx is 'media of one tag with nsfw';
create index media_tags_top_idx on media_tags (tag_id, listing, age, score, media_id) where listing <> 'unlisted';
comment on index media_tags_top_idx is 'media of one tag, highest score first';

create table post_views (
  post_id bigint not null references posts (id) on delete cascade,
  day date not null,
  views bigint not null,
  primary key (post_id, day)
) with (fillfactor = 80);
comment on table post_views is 'views of each post by UTC day, for its owner; old days are removed';
create index post_views_day_idx on post_views (day);
comment on index post_views_day_idx is 'sweep: old days';

create table post_referrers (
  post_id bigint not null references posts (id) on delete cascade,
  host text not null check (char_length(host) <= 100),
  views bigint not null,
  primary key (post_id, host)
) with (fillfactor = 80);
comment on table post_referrers is 'views of each post by the site that led to it; no addresses of pages or people';
