import type { Migration } from './migration';

/** Browsers that have logged in before, and the history of logins. */
export const loginHistory: Migration = {
  name: '0035_login_history',
  up: `
create table known_devices (
  secret_sha256 bytea not null check (octet_length(secret_sha256) = 32),
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (secret_sha256, user_id)
);
comment on table known_devices is 'browsers that have logged in to the account before';
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
`,
};
