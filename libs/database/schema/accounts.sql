-- Accounts, their restrictions, and how they are admitted.

-- Finds words that are like others, and letters without their accents.
create extension if not exists pg_trgm;
create extension if not exists unaccent;

create table users (
  id bigint generated always as identity primary key,
  username text not null,
  email text check (char_length(email) between 3 and 254),
  password_hash text,
  role text not null default 'user' check (role in ('user', 'moderator', 'admin')),
  bio text check (char_length(bio) <= 500),
  avatar_media_id bigint,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  follower_count integer not null default 0 check (follower_count >= 0),
  following_count integer not null default 0 check (following_count >= 0),
  erased_at timestamptz,
  kind text not null default 'member' check (kind in ('member', 'guest')),
  review_after timestamptz,
  verified_email text,
  constraint users_username_check
    check (username ~ case kind when 'member' then '^[A-Za-z0-9_]{3,30}$' else '^~[0-9a-f]{20}$' end),
  constraint users_guest_check
    check (case kind when 'guest' then review_after is not null and password_hash is null and email is null and role = 'user'
           else review_after is null end)
);
comment on column users.username is 'a guest''s is made up, and can''t be anybody''s: no member''s holds a ~';
comment on column users.email is 'as the person entered it; it counts only if it is equal to verified_email';
comment on column users.password_hash is 'argon2id; null once the account is deleted';
comment on column users.deleted_at is 'the row stays so that a deleted username is never free again';
comment on column users.erased_at is 'when the last thing of a deleted account was gone';
comment on column users.kind is 'a guest uploads on the website without an account, and is nobody to others';
comment on column users.review_after is 'of guests: when the sweep next looks whether anything is left of them';
comment on column users.verified_email is 'the address that the person has shown to be theirs: it receives mails and is a name to log in with';
create unique index users_username_key on users (lower(username));
comment on index users_username_key is 'log in, profile by name, mentions of an owner';
create index users_unerased_idx on users (deleted_at) where deleted_at is not null and erased_at is null;
comment on index users_unerased_idx is 'deleted accounts whose things are still being erased';
create index users_guest_review_idx on users (review_after) where kind = 'guest';
comment on index users_guest_review_idx is 'sweep: guests who may have left nothing behind';
-- Log in by email; the account that has shown an address to be its own.
create unique index users_verified_email_key on users (lower(verified_email));
-- Admins' list of accounts, newest first.
create index users_members_idx on users (id) where kind = 'member' and deleted_at is null;
-- Admins' search of accounts by the beginning of their names.
create index users_name_prefix_idx on users (lower(username) text_pattern_ops);
-- Admins' search by the beginning of the address. Not partial: PostgreSQL would not use its statistics, and would read
-- all members instead.
create index users_similar_idx on users using gin (username gin_trgm_ops) where kind = 'member' and deleted_at is null;
comment on index users_similar_idx is 'people by a part of their name, or one like it';
create index users_email_prefix_idx on users (lower(email) text_pattern_ops);
-- The accounts of staff; whether an admin is the last one.
create index users_staff_idx on users (role, id) where role <> 'user';

create table account_restrictions (
  user_id bigint primary key references users (id) on delete cascade,
  state text not null check (state in ('limited', 'suspended')),
  reason text not null check (char_length(reason) between 1 and 1000),
  until timestamptz,
  created_at timestamptz not null default now()
);
comment on table account_restrictions is 'accounts that are not active. While a row exists, no feed lists the things of the account';
comment on column account_restrictions.until is 'the account is active from then on, whether or not the row is gone; null: no end';
create index account_restrictions_until_idx on account_restrictions (until) where until is not null;
comment on index account_restrictions_until_idx is 'sweep: restrictions that have ended';

create table relistings (
  user_id bigint primary key references users (id) on delete cascade,
  after_media_id bigint not null default 0,
  after_post_id bigint not null default 0,
  created_at timestamptz not null default now()
);
comment on table relistings is 'accounts whose restrictions have changed and whose listings are being derived again, in batches';
comment on column relistings.after_media_id is 'the media up to this id are done';
comment on column relistings.after_post_id is 'the posts up to this id are done';

create table registration_counts (
  address text not null check (char_length(address) <= 100),
  day date not null,
  accounts integer not null check (accounts > 0),
  primary key (day, address)
);
comment on table registration_counts is 'new accounts of an address (IPv6: /64) on a UTC day; old days are removed';

create table invites (
  id bigint generated always as identity primary key,
  created_by bigint not null references users (id) on delete cascade,
  code_sha256 bytea not null check (octet_length(code_sha256) = 32),
  note text check (char_length(note) <= 200),
  uses integer not null check (uses > 0),
  used integer not null default 0 check (used between 0 and uses),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  constraint invites_code_key unique (code_sha256)
);
create index invites_creator_idx on invites (created_by, id);
comment on index invites_creator_idx is 'the invites of one account; how many of them are open';

create table invite_uses (
  user_id bigint primary key references users (id) on delete cascade,
  invite_id bigint not null references invites (id) on delete cascade,
  created_at timestamptz not null default now()
);
comment on table invite_uses is 'the accounts that were created with an invite';
-- The accounts of one invite.
create index invite_uses_invite_idx on invite_uses (invite_id);

create table applications (
  user_id bigint primary key references users (id) on delete cascade,
  words text not null check (char_length(words) between 1 and 1000),
  created_at timestamptz not null default now()
);
comment on table applications is 'accounts on which staff has not decided: they cannot log in, and nobody finds them';
create index applications_oldest_idx on applications (created_at, user_id);
comment on index applications_oldest_idx is 'the queue of applications, oldest first';
