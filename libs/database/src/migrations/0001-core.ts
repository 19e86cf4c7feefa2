import type { Migration } from './migration';

/** Accounts, tokens, media, posts and moderation. */
export const core: Migration = {
  name: '0001_core',
  up: `
create table users (
  id bigint generated always as identity primary key,
  username text not null check (username ~ '^[A-Za-z0-9_]{3,30}$'),
  email text check (char_length(email) between 3 and 254),
  password_hash text,
  role text not null default 'user' check (role in ('user', 'moderator', 'admin')),
  bio text check (char_length(bio) <= 500),
  avatar_media_id bigint,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
comment on column users.password_hash is 'argon2id; null once the account is deleted';
comment on column users.deleted_at is 'the row stays so that a deleted username is never free again';
create unique index users_username_key on users (lower(username));
comment on index users_username_key is 'log in, profile by name, mentions of an owner';
create unique index users_email_key on users (lower(email)) where email is not null;
comment on index users_email_key is 'log in by email';

create table tokens (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  kind text not null check (kind in ('session', 'api')),
  name text not null check (char_length(name) between 1 and 100),
  secret_sha256 bytea not null check (octet_length(secret_sha256) = 32),
  scopes text[] not null check (scopes <@ array['read', 'upload', 'write']),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  constraint tokens_secret_key unique (secret_sha256)
);
create index tokens_user_idx on tokens (user_id, id);
comment on index tokens_user_idx is 'list and end the tokens of one user';

create table media (
  id bigint generated always as identity primary key,
  slug text not null check (slug ~ '^[A-Za-z0-9]{7}$' and slug ~ '[A-Za-z]'),
  user_id bigint references users (id),
  title text check (char_length(title) <= 255),
  description text check (char_length(description) <= 5000),
  alt_text text check (char_length(alt_text) <= 1000),
  kind text not null check (kind in ('image', 'video')),
  format text not null,
  mime text not null,
  ext text not null check (ext ~ '^[a-z0-9]{1,8}$'),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  duration double precision check (duration >= 0),
  frames integer not null default 1 check (frames > 0),
  bytes bigint not null check (bytes > 0),
  received_sha256 bytea not null check (octet_length(received_sha256) = 32),
  stored_sha256 bytea not null check (octet_length(stored_sha256) = 32),
  moderation_status text not null default 'pending' check (moderation_status in ('approved', 'pending', 'nsfw', 'rejected')),
  processed boolean not null default false,
  processing_error text,
  variants jsonb not null default '[]',
  thumbhash text,
  hashes jsonb not null default '[]',
  frame_keys text[] not null default '{}',
  announced_at timestamptz not null default now(),
  announcements integer not null default 1,
  processed_at timestamptz,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  constraint media_slug_key unique (slug),
  check (processing_error is null or not processed)
);
comment on column media.user_id is 'null for guests';
comment on column media.received_sha256 is 'of the bytes as they came; banned hashes are matched against it and against stored_sha256';
comment on column media.variants is 'array of VariantRecord (libs/contracts)';
comment on column media.hashes is 'array of PerceptualHash (libs/contracts)';
comment on column media.frame_keys is 'objects that moderation looks at';
comment on column media.announced_at is 'when the bus was last told of the step that is due; the sweeper announces again what waits too long';
comment on column media.decided_at is 'when the latest moderation decision fell; null while automation is due. Set for media that stay pending in moderation_queue too';
create index media_user_idx on media (user_id, id desc);
comment on index media_user_idx is 'media of one user, newest first';
create index media_unprocessed_idx on media (announced_at) where not processed and processing_error is null;
comment on index media_unprocessed_idx is 'sweeper: media that wait for their variants';
create index media_undecided_idx on media (announced_at) where processed and decided_at is null;
comment on index media_undecided_idx is 'sweeper: processed media that wait for their automated decision';
alter table users add constraint users_avatar_fk foreign key (avatar_media_id) references media (id) on delete set null;

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
  constraint posts_slug_key unique (slug),
  check (visibility <> 'private' or access_key is not null)
);
comment on column posts.owner_nsfw is 'the owner said is_nsfw: a floor of nsfw';
comment on column posts.moderator_status is 'a moderator''s decision on the post itself; outranks all else';

create table post_media (
  post_id bigint not null references posts (id) on delete cascade,
  media_id bigint not null references media (id) on delete cascade,
  position integer not null check (position >= 0),
  primary key (post_id, media_id)
);
create index post_media_order_idx on post_media (post_id, position);
comment on index post_media_order_idx is 'media of one post in order';
create index post_media_media_idx on post_media (media_id);
comment on index post_media_media_idx is 'posts that a media is in, when its status changes';

create table upload_counts (
  subject text not null,
  day date not null,
  files integer not null check (files > 0),
  primary key (subject, day)
);
comment on table upload_counts is 'files taken in per UTC day; subject is user:<id> or ip:<address or /64>';

create table moderation_decisions (
  id bigint generated always as identity primary key,
  subject text not null check (subject in ('media', 'post')),
  subject_id bigint not null,
  slug text not null,
  decided_by text not null check (decided_by in ('system', 'owner', 'moderator')),
  decided_by_user_id bigint,
  from_status text not null check (from_status in ('approved', 'pending', 'nsfw', 'rejected')),
  to_status text not null check (to_status in ('approved', 'pending', 'nsfw', 'rejected')),
  reason text not null check (reason ~ '^[a-z_]{1,50}$'),
  scores jsonb,
  note text check (char_length(note) <= 1000),
  created_at timestamptz not null default now()
);
comment on table moderation_decisions is 'append-only: the log outlives its subjects';
create index moderation_decisions_subject_idx on moderation_decisions (subject, subject_id, id desc);
comment on index moderation_decisions_subject_idx is 'the history of one item';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % never change', tg_table_name using errcode = 'restrict_violation';
end
$$;
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
create function raise_banned_hashes_version() returns trigger language plpgsql as $$
begin
  update banned_hashes_version set version = version + 1;
  return null;
end
$$;
create trigger banned_hashes_changed after insert or update or delete or truncate on banned_hashes
  for each statement execute function raise_banned_hashes_version();

create table moderation_queue (
  media_id bigint primary key references media (id) on delete cascade,
  scores jsonb not null,
  reasons text[] not null,
  waiting_since timestamptz not null default now()
);
create index moderation_queue_oldest_idx on moderation_queue (waiting_since, media_id);
comment on index moderation_queue_oldest_idx is 'moderators'' queue, oldest first';
`,
};
