-- Comments, votes, follows, blocks and mutes, and notifications.

create table comments (
  id bigint generated always as identity primary key,
  post_id bigint not null references posts (id) on delete cascade,
  user_id bigint references users (id),
  parent_id bigint references comments (id) on delete cascade,
  content text not null check (char_length(content) between 1 and 500),
  score integer not null default 0,
  replies_count integer not null default 0 check (replies_count >= 0),
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  edited_at timestamptz
);
comment on column comments.user_id is 'null on tombstones';
comment on column comments.score is 'sum of comment_votes';
comment on column comments.deleted_at is 'a tombstone: deleted, and kept for its replies';
comment on column comments.edited_at is 'when its author last changed its content; null: never, or a tombstone';
create index comments_post_idx on comments (post_id, id);
comment on index comments_post_idx is 'comments of a post, oldest or latest first';
create index comments_post_top_idx on comments (post_id, score desc, id);
comment on index comments_post_top_idx is 'comments of a post, best first';
create index comments_parent_idx on comments (parent_id, id) where parent_id is not null;
comment on index comments_parent_idx is 'replies to a comment; what goes with it';
create index comments_user_idx on comments (user_id, id) where user_id is not null;
comment on index comments_user_idx is 'comments of one user, latest first';

create table post_votes (
  post_id bigint not null references posts (id) on delete cascade,
  user_id bigint not null references users (id),
  value smallint not null check (value in (-1, 1)),
  created_at timestamptz not null default now(),
  primary key (post_id, user_id)
);
create index post_votes_user_idx on post_votes (user_id, post_id);
comment on index post_votes_user_idx is 'votes of an account that is being erased';

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

create table tag_follows (
  user_id bigint not null references users (id),
  tag_id bigint not null references tags (id),
  created_at timestamptz not null default now(),
  primary key (user_id, tag_id)
);

create table blocks (
  id bigint generated always as identity primary key,
  blocker_id bigint not null references users (id),
  blocked_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  constraint blocks_key unique (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index blocks_list_idx on blocks (blocker_id, id);
comment on index blocks_list_idx is 'whom an account blocks, latest first';
create index blocks_blocked_idx on blocks (blocked_id, id);
comment on index blocks_blocked_idx is 'who blocks an account, latest first';

create table mutes (
  id bigint generated always as identity primary key,
  muter_id bigint not null references users (id),
  muted_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  constraint mutes_key unique (muter_id, muted_id),
  check (muter_id <> muted_id)
);
create index mutes_list_idx on mutes (muter_id, id);
comment on index mutes_list_idx is 'whom an account mutes, latest first';
create index mutes_muted_idx on mutes (muted_id);
comment on index mutes_muted_idx is 'mutes of an account that is being erased';

create function blocked_between(one bigint, other bigint) returns boolean language sql stable parallel safe as $$
  select exists (select from blocks where blocker_id = one and blocked_id = other)
      or exists (select from blocks where blocker_id = other and blocked_id = one)
$$;
comment on function blocked_between is 'whether one of two accounts blocks the other; false if one is null';

create table notifications (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  kind text not null check (kind in ('comment', 'reply', 'mention', 'follow', 'post', 'moderation', 'account')),
  actor_id bigint references users (id),
  post_id bigint references posts (id) on delete cascade,
  media_id bigint references media (id) on delete cascade,
  comment_id bigint references comments (id) on delete cascade,
  detail json,
  created_at timestamptz not null default now(),
  read_at timestamptz
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
comment on column notifications.actor_id is 'who caused it; null for moderators and the operator';
comment on column notifications.detail is 'moderation: the statuses before and after; account: what has changed';
create index notifications_list_idx on notifications (user_id, id);
comment on index notifications_list_idx is 'notifications of an account, latest first';
create index notifications_unread_idx on notifications (user_id) where read_at is null;
comment on index notifications_unread_idx is 'the number of unread ones';
create index notifications_actor_idx on notifications (actor_id, user_id) where actor_id is not null;
comment on index notifications_actor_idx is 'what goes when somebody unfollows, is blocked, muted or erased';
-- One notification of each follower.
create unique index notifications_follow_key on notifications (user_id, actor_id) where kind = 'follow';
-- One notification of each post of a followed person.
create unique index notifications_new_post_key on notifications (user_id, post_id) where kind = 'post';
create index notifications_post_idx on notifications (post_id) where post_id is not null;
comment on index notifications_post_idx is 'what goes with a post';
create index notifications_media_idx on notifications (media_id) where media_id is not null;
comment on index notifications_media_idx is 'what goes with a media item';
create index notifications_comment_idx on notifications (comment_id) where comment_id is not null;
comment on index notifications_comment_idx is 'what goes with a comment';

create table notification_settings (
  user_id bigint primary key references users (id) on delete cascade,
  unwanted text[] not null check (unwanted <@ array['comment', 'reply', 'mention', 'follow', 'post', 'moderation']),
  mail text not null default 'never' check (mail in ('never', 'hourly', 'daily')),
  mailed_up_to bigint not null default 0,
  mailed_at timestamptz not null default now()
);
comment on table notification_settings is 'the kinds that an account does not want; no row: it wants all but ''post''';
comment on column notification_settings.mail is 'how often unread notifications are sent by mail, at most';
comment on column notification_settings.mailed_up_to is 'the id of the latest notification in a mail';
create index notification_settings_mail_idx on notification_settings (mailed_at) where mail <> 'never';
comment on index notification_settings_mail_idx is 'sweep: whose mails may be due';

create table post_announcements (
  post_id bigint primary key,
  after_follow_id bigint not null default 0
);
comment on table post_announcements is 'posts that have come into the feeds, and whose author''s followers are being notified, in batches; of posts that may be gone';
comment on column post_announcements.after_follow_id is 'the follows up to this id are done';

create table collections (
  id bigint generated always as identity primary key,
  slug text not null check (slug ~ '^[A-Za-z0-9]{7}$' and slug ~ '[A-Za-z]'),
  user_id bigint not null references users (id),
  name text check (char_length(name) between 1 and 100),
  visibility text not null default 'private' check (visibility in ('private', 'hidden')),
  created_at timestamptz not null default now(),
  constraint collections_slug_key unique (slug)
);
comment on column collections.name is 'null for the collection of saved posts that every account has';
comment on column collections.visibility is 'hidden: everyone who knows the slug sees it';
create unique index collections_saved_key on collections (user_id) where name is null;
comment on index collections_saved_key is 'the saved posts of an account';
create index collections_user_idx on collections (user_id, id);
comment on index collections_user_idx is 'the collections of one account';

create table collection_posts (
  id bigint generated always as identity primary key,
  collection_id bigint not null references collections (id) on delete cascade,
  post_id bigint not null references posts (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint collection_posts_key unique (collection_id, post_id)
);
create index collection_posts_list_idx on collection_posts (collection_id, id);
comment on index collection_posts_list_idx is 'posts of a collection, the latest first';
create index collection_posts_post_idx on collection_posts (post_id);
comment on index collection_posts_post_idx is 'what goes with a post';
