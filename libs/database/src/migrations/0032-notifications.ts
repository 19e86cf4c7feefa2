import type { Migration } from './migration';

/** Notifications of accounts in the site, and which kinds each account wants. */
export const notifications: Migration = {
  name: '0032_notifications',
  up: `
create table notifications (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  kind text not null check (kind in ('comment', 'reply', 'follow', 'moderation', 'account')),
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
create unique index notifications_follow_key on notifications (user_id, actor_id) where kind = 'follow';
create index notifications_post_idx on notifications (post_id) where post_id is not null;
comment on index notifications_post_idx is 'what goes with a post';
create index notifications_media_idx on notifications (media_id) where media_id is not null;
comment on index notifications_media_idx is 'what goes with a media item';
create index notifications_comment_idx on notifications (comment_id) where comment_id is not null;
comment on index notifications_comment_idx is 'what goes with a comment';

create table notification_settings (
  user_id bigint primary key references users (id) on delete cascade,
  unwanted text[] not null check (unwanted <@ array['comment', 'reply', 'follow', 'moderation'])
);
comment on table notification_settings is 'the kinds that an account does not want; no row: it wants all';
`,
};
