import type { Migration } from './migration';

/** When a media item began to wait for processing. For media that are waiting now, the wait begins again, which avoids an update of the table. */
export const waitingSince: Migration = {
  name: '0011_waiting_since',
  up: `
alter table media add column waiting_since timestamptz not null default now();
comment on column media.waiting_since is 'when it was last asked for variants: uploaded, or sent through processing again';
`,
};
