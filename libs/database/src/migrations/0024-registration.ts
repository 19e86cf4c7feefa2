import type { Migration } from './migration';

/** Invites, and applications for accounts. */
export const registration: Migration = {
  name: '0024_registration',
  up: `
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
create index invite_uses_invite_idx on invite_uses (invite_id);

create table applications (
  user_id bigint primary key references users (id) on delete cascade,
  words text not null check (char_length(words) between 1 and 1000),
  created_at timestamptz not null default now()
);
comment on table applications is 'accounts on which staff has not decided: they cannot log in, and nobody finds them';
create index applications_oldest_idx on applications (created_at, user_id);
comment on index applications_oldest_idx is 'the queue of applications, oldest first';
`,
};
