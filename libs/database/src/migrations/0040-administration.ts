import type { Migration } from './migration';

const indexStep = (step: string, index: string, definition: string): Migration => ({
  name: `0040${step}_${index}`,
  mode: 'alone',
  up: `create index concurrently ${index} on users ${definition}`,
  repair: `drop index concurrently if exists ${index}`,
});

/** Media that couldn't be processed, the latest first, to count the errors. */
const failedMedia: Migration = {
  name: '0040e_media_failed_idx',
  mode: 'alone',
  up: 'create index concurrently media_failed_idx on media (id) where processing_error is not null',
  repair: 'drop index concurrently if exists media_failed_idx',
};

/** What the processes with access to the bus tell those without, and are asked by them. */
const busReports: Migration = {
  name: '0040f_bus_reports',
  up: `
create table bus_reports (
  queue text primary key check (char_length(queue) between 1 and 200),
  waiting bigint not null check (waiting >= 0),
  dead bigint not null check (dead >= 0),
  letters jsonb not null default '[]',
  reported_at timestamptz not null default now()
) with (fillfactor = 70);
comment on table bus_reports is 'what is in each queue of the bus, written every few seconds by the process that takes care of it';
comment on column bus_reports.letters is 'the oldest dead letters, without their contents';

create table bus_replays (
  id bigint generated always as identity primary key,
  queue text not null,
  letter text check (char_length(letter) between 1 and 300),
  created_at timestamptz not null default now()
);
comment on table bus_replays is 'dead letters to put back into their queues; deleted when done';
comment on column bus_replays.letter is 'null: all letters of the queue';
create unique index bus_replays_key on bus_replays (queue, coalesce(letter, ''));
`,
};

/** For the pages of admins: the search of accounts, failed media, the bus. */
export const administration: readonly Migration[] = [
  indexStep('a', 'users_members_idx', `(id) where kind = 'member' and deleted_at is null`),
  indexStep('b', 'users_name_prefix_idx', '(lower(username) text_pattern_ops)'),
  // Not partial: PostgreSQL would not use its statistics, and would read all members instead.
  indexStep('c', 'users_email_prefix_idx', '(lower(email) text_pattern_ops)'),
  indexStep('d', 'users_staff_idx', `(role, id) where role <> 'user'`),
  failedMedia,
  busReports,
];
