import type { Migration } from './migration';

/** How much is stored, day by day. It begins with the migration. */
const days: Migration = {
  name: '0041a_storage_days',
  up: `
create table storage_days (
  day date primary key,
  files bigint not null,
  bytes bigint not null,
  variant_bytes bigint not null
) with (fillfactor = 70);
comment on table storage_days is 'by how much storage_total has changed on each day, in UTC. A day without changes has no row';
comment on column storage_days.bytes is 'of the originals, as stored';
`,
};

const largestAccounts: Migration = {
  name: '0041b_storage_usage_bytes_idx',
  mode: 'alone',
  up: 'create index concurrently storage_usage_bytes_idx on storage_usage (bytes desc, user_id)',
  repair: 'drop index concurrently if exists storage_usage_bytes_idx',
};

/** For the page of admins on what is stored. */
export const storageGrowth: readonly Migration[] = [days, largestAccounts];
