import type { Migration } from './migration';

/** Mails that are to be sent, the links in them, and verified e-mail addresses. */
export const mails: Migration = {
  name: '0036_mails',
  up: `
alter table users add column verified_email text;
comment on column users.email is 'as the person entered it; it counts only if it is equal to verified_email';
comment on column users.verified_email is 'the address that the person has shown to be theirs: it receives mails and is a name to log in with';
create unique index users_verified_email_key on users (lower(verified_email));

create table mails (
  id bigint generated always as identity primary key,
  message_id uuid not null default gen_random_uuid(),
  user_id bigint references users (id) on delete cascade,
  username text not null,
  kind text not null check (kind in ('notice', 'verify-email', 'reset-password')),
  address text not null,
  notice text check (char_length(notice) <= 2000),
  status text not null default 'pending' check (status in ('pending', 'sent', 'failed', 'unknown')),
  attempts integer not null default 0,
  next_attempt_at timestamptz default now(),
  last_attempt_at timestamptz,
  handed_over_at timestamptz,
  send_until timestamptz not null,
  error text,
  created_at timestamptz not null default now(),
  check ((status = 'pending') = (next_attempt_at is not null)),
  check (kind <> 'notice' or status <> 'pending' or notice is not null)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
comment on table mails is 'the outbox of mails: added in the transaction of their cause, without secrets';
comment on column mails.message_id is 'of the header Message-ID: the same in all attempts';
comment on column mails.user_id is 'null if the account of the mail is removed in the same transaction';
comment on column mails.notice is 'the text of a notice; removed when the mail is finished';
comment on column mails.next_attempt_at is 'during an attempt: when another process may try, because this one has died';
comment on column mails.handed_over_at is 'set before the server may accept the mail: if the result is lost, it is not sent again';
comment on column mails.send_until is 'it is not sent later than this, because it would no longer be useful';
create index mails_due_idx on mails (next_attempt_at) where status = 'pending';
comment on index mails_due_idx is 'mails that are due, and how long the oldest has been due';
create index mails_address_idx on mails (lower(address), kind, created_at);
comment on index mails_address_idx is 'limits: how many mails of a kind an address was sent lately';
create index mails_user_idx on mails (user_id);
create index mails_created_idx on mails (created_at) where status <> 'pending';
comment on index mails_created_idx is 'sweep: finished mails that are old';

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
create index account_links_user_idx on account_links (user_id, purpose);
create index account_links_expired_idx on account_links (expires_at);
comment on index account_links_expired_idx is 'sweep: links that have expired';

create table reset_requests (
  id bigint generated always as identity primary key,
  login text not null check (char_length(login) <= 254),
  created_at timestamptz not null default now()
);
comment on table reset_requests is 'requests for a link to set a new password, of known and unknown accounts alike; a sweep resolves them';
`,
};
