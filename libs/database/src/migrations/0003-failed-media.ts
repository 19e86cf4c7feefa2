import type { Migration } from './migration';

/** Failed media wait for their rejection, as processed media wait for their decision; the same sweep finds both. */
export const failedMedia: Migration = {
  name: '0003_failed_media',
  up: `
create index media_failed_undecided_idx on media (announced_at) where processing_error is not null and decided_at is null;
comment on index media_failed_undecided_idx is 'sweeper: failed media that wait for their rejection';
`,
};
