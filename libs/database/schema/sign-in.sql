-- Tokens and sessions, second factors, logins at identity providers, and links that are sent by mail.

-- A write here also changes: the webhooks of a deleted API token, which it disables, and their pending deliveries
-- (outgoing.sql).
create table tokens (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  kind text not null check (kind in ('session', 'api', 'ticket', 'guest')),
  name text not null check (char_length(name) between 1 and 100),
  secret_sha256 bytea not null check (octet_length(secret_sha256) = 32),
  scopes text[] not null check (scopes <@ array['read', 'upload', 'write', 'moderate']),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  device text check (char_length(device) between 1 and 100),
  issued_by bigint references tokens (id) on delete cascade,
  constraint tokens_secret_key unique (secret_sha256),
  constraint tokens_issued_by_check check ((kind = 'ticket') = (issued_by is not null))
);
comment on column tokens.kind is 'a ticket uploads, for an hour; guest is what a guest has in the place of a session';
comment on column tokens.device is 'of sessions: browser and system, no more than that; null where nothing is known';
comment on column tokens.issued_by is 'of tickets: the session or guest''s token that asked for it, with which it ends';
create index tokens_user_idx on tokens (user_id, id);
comment on index tokens_user_idx is 'list and end the tokens of one user';
create index tokens_issued_by_idx on tokens (issued_by) where issued_by is not null;
comment on index tokens_issued_by_idx is 'tickets that end with a session';

create table known_devices (
  secret_sha256 bytea not null check (octet_length(secret_sha256) = 32),
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (secret_sha256, user_id)
);
comment on table known_devices is 'browsers that have logged in to the account before';
-- The browsers of one account, by their last use.
create index known_devices_user_idx on known_devices (user_id, last_used_at);

create table login_records (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  method text not null check (method in ('registration', 'password', 'provider', 'passkey', 'reset')),
  second_factor text check (second_factor in ('app', 'recovery-code', 'passkey')),
  device text,
  address text not null,
  known_device boolean not null
);
create index login_records_user_idx on login_records (user_id, id);
comment on index login_records_user_idx is 'the logins of one account, latest first';

create table authenticator_apps (
  user_id bigint primary key references users (id) on delete cascade,
  sealed_secret bytea not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);
comment on column authenticator_apps.sealed_secret is 'encrypted with ACCOUNT_SECRETS_KEY';
comment on column authenticator_apps.confirmed_at is 'null until a first code has proved that the app has the secret';
comment on column authenticator_apps.last_step is 'the time step of the last code that was used: no code of it or of an earlier step works';

create table recovery_codes (
  user_id bigint not null references users (id) on delete cascade,
  code_sha256 bytea not null check (octet_length(code_sha256) = 32),
  used_at timestamptz,
  primary key (user_id, code_sha256)
);

create table passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  credential_id bytea not null check (octet_length(credential_id) between 1 and 1023),
  public_key bytea not null,
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  name text not null check (char_length(name) between 1 and 100),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  cloned_at timestamptz,
  constraint passkeys_credential_key unique (credential_id)
);
comment on column passkeys.cloned_at is 'when its counter went back, which a copy of it causes: it no longer logs in';
create index passkeys_user_idx on passkeys (user_id, id);
comment on index passkeys_user_idx is 'the passkeys of one account';

create table passkey_challenges (
  challenge bytea primary key,
  purpose text not null check (purpose in ('registration', 'login', 'confirmation')),
  user_id bigint references users (id) on delete cascade,
  expires_at timestamptz not null
);
-- Sweep: challenges that have expired.
create index passkey_challenges_end_idx on passkey_challenges (expires_at);
-- What goes with an account.
create index passkey_challenges_user_idx on passkey_challenges (user_id) where user_id is not null;

create table pending_logins (
  secret_sha256 bytea primary key check (octet_length(secret_sha256) = 32),
  user_id bigint not null references users (id) on delete cascade,
  method text not null check (method in ('password', 'provider', 'reset')),
  tries integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on table pending_logins is 'logins whose first factor was right and that wait for the second';
-- The pending logins of one account, oldest first.
create index pending_logins_user_idx on pending_logins (user_id, created_at);

create table account_links (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  purpose text not null check (purpose in ('verify-email', 'reset-password')),
  address text,
  code_sha256 bytea not null check (octet_length(code_sha256) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint account_links_code_key unique (code_sha256),
  check ((purpose = 'verify-email') = (address is not null))
);
comment on table account_links is 'single-use links; using one removes all of the account with the same purpose';
comment on column account_links.address is 'verify-email: the address to which the link was sent';
-- The links of one account with the same purpose.
create index account_links_user_idx on account_links (user_id, purpose);
create index account_links_expired_idx on account_links (expires_at);
comment on index account_links_expired_idx is 'sweep: links that have expired';

create table reset_requests (
  id bigint generated always as identity primary key,
  login text not null check (char_length(login) <= 254),
  created_at timestamptz not null default now()
);
comment on table reset_requests is 'requests for a link to set a new password, of known and unknown accounts alike; a sweep resolves them';

create table identities (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  issuer text not null,
  subject text not null check (char_length(subject) between 1 and 255),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  constraint identities_subject_key unique (issuer, subject),
  constraint identities_account_key unique (user_id, issuer)
);
comment on table identities is 'what identity providers call the people with accounts';

create table identity_attempts (
  secret_sha256 bytea primary key check (octet_length(secret_sha256) = 32),
  issuer text not null,
  fresh boolean not null,
  linked_by bigint references tokens (id) on delete cascade,
  expires_at timestamptz not null
);
comment on table identity_attempts is 'logins in progress at a provider; the secret is in the browser that began them';
comment on column identity_attempts.linked_by is 'the session whose account gets the identity; null: a login';
create index identity_attempts_end_idx on identity_attempts (expires_at);
comment on index identity_attempts_end_idx is 'removing the old ones';
create index identity_attempts_session_idx on identity_attempts (linked_by) where linked_by is not null;
comment on index identity_attempts_session_idx is 'what goes with a session';

create table identity_newcomers (
  secret_sha256 bytea primary key check (octet_length(secret_sha256) = 32),
  issuer text not null,
  subject text not null check (char_length(subject) between 1 and 255),
  session text,
  role text check (role in ('user', 'moderator', 'admin')),
  fresh boolean not null,
  expires_at timestamptz not null
);
comment on table identity_newcomers is 'people whom a provider has proved and who have no account yet';
create index identity_newcomers_end_idx on identity_newcomers (expires_at);
comment on index identity_newcomers_end_idx is 'removing the old ones';

create table identity_sessions (
  token_id bigint primary key references tokens (id) on delete cascade,
  issuer text not null,
  subject text not null,
  session text,
  fresh boolean not null
);
comment on table identity_sessions is 'sessions that a login at a provider has opened';
comment on column identity_sessions.session is 'what the provider calls its own session';
comment on column identity_sessions.fresh is 'the person had to prove to the provider again who they are';
create index identity_sessions_subject_idx on identity_sessions (issuer, subject);
comment on index identity_sessions_subject_idx is 'back-channel logout by person';
create index identity_sessions_session_idx on identity_sessions (issuer, session) where session is not null;
comment on index identity_sessions_session_idx is 'back-channel logout by session';

create table identity_pending_sessions (
  pending_sha256 bytea primary key check (octet_length(pending_sha256) = 32),
  issuer text not null,
  subject text not null,
  session text,
  fresh boolean not null,
  expires_at timestamptz not null
);
comment on table identity_pending_sessions is 'as identity_sessions, while the login waits for a second factor';
create index identity_pending_sessions_end_idx on identity_pending_sessions (expires_at);
comment on index identity_pending_sessions_end_idx is 'removing the old ones';

create table identity_logouts (
  issuer text not null,
  token_sha256 bytea not null check (octet_length(token_sha256) = 32),
  expires_at timestamptz not null,
  primary key (issuer, token_sha256)
);
comment on table identity_logouts is 'logout tokens that were used, so that each works once';
create index identity_logouts_end_idx on identity_logouts (expires_at);
comment on index identity_logouts_end_idx is 'removing the old ones';
