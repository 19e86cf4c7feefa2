-- Decisions, banned files, the queue of moderators, reports, and the log of what staff did.

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % never change', tg_table_name using errcode = 'restrict_violation';
end
$$;

create table moderation_decisions (
  id bigint generated always as identity primary key,
  subject text not null check (subject in ('media', 'post', 'user')),
  subject_id bigint not null,
  slug text not null,
  decided_by text not null check (decided_by in ('system', 'owner', 'moderator', 'operator')),
  decided_by_user_id bigint,
  from_status text not null
    check (from_status in ('approved', 'pending', 'nsfw', 'rejected', 'active', 'limited', 'suspended')),
  to_status text not null
    check (to_status in ('approved', 'pending', 'nsfw', 'rejected', 'active', 'limited', 'suspended')),
  reason text not null check (reason ~ '^[a-z_]{1,50}$'),
  scores jsonb,
  note text check (char_length(note) <= 1000),
  created_at timestamptz not null default now(),
  revision integer,
  until timestamptz
);
comment on table moderation_decisions is 'append-only: the log outlives its subjects';
comment on column moderation_decisions.revision is 'of rulings on posts: the revision of the content that was ruled on';
comment on column moderation_decisions.until is 'of decisions on accounts: when the state ends by itself';
create index moderation_decisions_subject_idx on moderation_decisions (subject, subject_id, id desc);
comment on index moderation_decisions_subject_idx is 'the history of one item';
create index moderation_decisions_slug_idx on moderation_decisions (slug, id);
comment on index moderation_decisions_slug_idx is 'the log of one item, as moderators ask for it';
create trigger moderation_decisions_append_only before update or delete on moderation_decisions
  for each row execute function refuse_change();

create table banned_hashes (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('sha256', 'pdq')),
  hash bytea not null check (octet_length(hash) = 32),
  reason text not null check (char_length(reason) between 1 and 1000),
  created_by bigint references users (id),
  created_at timestamptz not null default now(),
  constraint banned_hashes_hash_key unique (kind, hash)
);

create table banned_hashes_version (
  one_row boolean primary key default true check (one_row),
  version bigint not null
);
comment on table banned_hashes_version is 'one row that rises with every change of banned_hashes: what processes keep in memory is compared with it';
insert into banned_hashes_version (version) values (0);

create table moderation_queue (
  media_id bigint primary key references media (id) on delete cascade,
  scores jsonb not null,
  reasons text[] not null,
  waiting_since timestamptz not null default now()
);
create index moderation_queue_oldest_idx on moderation_queue (waiting_since, media_id);
comment on index moderation_queue_oldest_idx is 'moderators'' queue, oldest first';

create table reports (
  id bigint generated always as identity primary key,
  reporter_id bigint references users (id),
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
  contact text check (char_length(contact) <= 254),
  constraint reports_once_key unique (reporter_id, type, target_id),
  check (num_nonnulls(media_id, post_id, comment_id, user_id) = 1),
  check (case type when 'media' then media_id when 'post' then post_id when 'comment' then comment_id else user_id end
         is not null)
);
comment on table reports is 'one of each person about each thing; goes with the thing';
comment on column reports.reporter_id is 'null for a visitor without an account';
comment on column reports.contact is 'where moderators can answer a visitor';
comment on column reports.closed_at is 'when a moderator had seen to it; null while it waits';
comment on constraint reports_once_key on reports is 'a repeated report is the same report';
create index reports_open_idx on reports (type, target_id, id) where closed_at is null;
comment on index reports_open_idx is 'moderators'' queue; the open reports of one thing';
create index reports_media_idx on reports (media_id) where media_id is not null;
comment on index reports_media_idx is 'what goes with a media item';
create index reports_post_idx on reports (post_id) where post_id is not null;
comment on index reports_post_idx is 'what goes with a post';
create index reports_comment_idx on reports (comment_id) where comment_id is not null;
comment on index reports_comment_idx is 'what goes with a comment';
create index reports_user_idx on reports (user_id) where user_id is not null;
comment on index reports_user_idx is 'what goes with an account';

create table audit_log (
  id bigint generated always as identity primary key,
  actor_id bigint,
  action text not null check (action ~ '^[a-z]{1,20}[.][a-z_]{1,29}$'),
  subject_type text not null check (subject_type ~ '^[a-z]{1,20}$'),
  subject_id bigint,
  subject_name text not null check (char_length(subject_name) between 1 and 200),
  detail jsonb check (octet_length(detail::text) <= 4000),
  decision_id bigint,
  created_at timestamptz not null default now(),
  constraint audit_log_decision_key unique (decision_id)
);
comment on table audit_log is 'append-only: everything that staff did, on the site, by the API and on the command line';
comment on column audit_log.actor_id is 'the account of staff; null: the operator, on the command line';
comment on column audit_log.subject_name is 'the name when it was done: a username, a slug, a hash; it stays when the subject goes';
comment on column audit_log.decision_id is 'the row of moderation_decisions that says the rest';
create index audit_log_time_idx on audit_log (created_at, id);
comment on index audit_log_time_idx is 'the log, newest first';
create index audit_log_actor_idx on audit_log (actor_id, created_at, id);
comment on index audit_log_actor_idx is 'what one person, or the operator, did';
create index audit_log_action_idx on audit_log (action, created_at, id);
comment on index audit_log_action_idx is 'the entries of one action';
create index audit_log_subject_idx on audit_log (lower(subject_name), created_at, id);
comment on index audit_log_subject_idx is 'what was done to one subject';
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

create table audit_addresses (
  entry_id bigint primary key references audit_log (id),
  actor_id bigint not null,
  address inet not null
);
comment on table audit_addresses is 'from where staff acted; not in the log itself, so that it can be erased with the account';
create index audit_addresses_actor_idx on audit_addresses (actor_id);
comment on index audit_addresses_actor_idx is 'erase: the addresses of one account';
