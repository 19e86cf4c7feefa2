import type { Migration } from './migration';

/** Reports to the moderators, and an index on the log of decisions by slug. */
export const reports: Migration = {
  name: '0006_reports',
  up: `
create table reports (
  id bigint generated always as identity primary key,
  reporter_id bigint not null references users (id),
  type text not null check (type in ('media', 'post', 'comment', 'user')),
  media_id bigint references media (id) on delete cascade,
  post_id bigint references posts (id) on delete cascade,
  comment_id bigint references comments (id) on delete cascade,
  user_id bigint references users (id),
  target_id bigint not null generated always as (coalesce(media_id, post_id, comment_id, user_id)) stored,
  reason text not null check (reason in ('spam', 'abuse', 'nsfw', 'illegal', 'copyright', 'other')),
  details text check (char_length(details) <= 1000),
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  closed_by bigint references users (id),
  constraint reports_once_key unique (reporter_id, type, target_id),
  check (num_nonnulls(media_id, post_id, comment_id, user_id) = 1),
  check (case type when 'media' then media_id when 'post' then post_id when 'comment' then comment_id else user_id end
         is not null)
);
comment on table reports is 'one of each person about each thing; goes with the thing';
comment on column reports.closed_at is 'when a moderator had seen to it; null while it waits';
comment on constraint reports_once_key on reports is 'a repeated report is the same report';
create index reports_open_idx on reports (type, target_id, id) where closed_at is null;
comment on index reports_open_idx is 'moderators'' queue; the open reports of one thing';
create index reports_media_idx on reports (media_id) where media_id is not null;
create index reports_post_idx on reports (post_id) where post_id is not null;
create index reports_comment_idx on reports (comment_id) where comment_id is not null;
create index reports_user_idx on reports (user_id) where user_id is not null;
comment on index reports_media_idx is 'what goes with a media';
comment on index reports_post_idx is 'what goes with a post';
comment on index reports_comment_idx is 'what goes with a comment';
comment on index reports_user_idx is 'what goes with an account';

create index moderation_decisions_slug_idx on moderation_decisions (slug, id);
comment on index moderation_decisions_slug_idx is 'the log of one item, as moderators ask for it';
`,
};
