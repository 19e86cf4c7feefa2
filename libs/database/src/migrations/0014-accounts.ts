import type { Migration } from './migration';

/** Counts of registrations, the scope of staff tokens, and e-mail addresses that are no longer unique. */
export const accounts: Migration = {
  name: '0014_accounts',
  up: `
create table registration_counts (
  address text not null check (char_length(address) <= 100),
  day date not null,
  accounts integer not null check (accounts > 0),
  primary key (day, address)
);
comment on table registration_counts is 'new accounts of an address (IPv6: /64) on a UTC day; old days are removed';

alter table tokens
  drop constraint tokens_scopes_check,
  add constraint tokens_scopes_check check (scopes <@ array['read', 'upload', 'write', 'moderate']) not valid;
`,
};

/** Checks the existing rows; unlike the step before, it takes no lock that blocks writers. */
export const tokenScopesValid: Migration = {
  name: '0014_token_scopes_valid',
  up: `
alter table tokens validate constraint tokens_scopes_check;
`,
};

/** The previous release catches a violation of this index and does not need it. */
export const emailNotUnique: Migration = {
  name: '0014_email_not_unique',
  mode: 'alone',
  up: 'drop index concurrently if exists users_email_key',
};
