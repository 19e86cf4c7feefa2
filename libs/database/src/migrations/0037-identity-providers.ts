import type { Migration } from './migration';

/** Identities at OpenID Connect providers, logins that are in progress there, and the sessions that they opened. */
export const identityProviders: Migration = {
  name: '0037_identity_providers',
  up: `
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
`,
};
