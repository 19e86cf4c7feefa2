import type { Migration } from './migration';

/** Second factors of accounts, and logins that wait for one. */
export const secondFactors: Migration = {
  name: '0034_second_factors',
  up: `
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
create index passkey_challenges_end_idx on passkey_challenges (expires_at);
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
create index pending_logins_user_idx on pending_logins (user_id, created_at);
`,
};
