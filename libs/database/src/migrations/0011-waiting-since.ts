import type { Migration } from '../migration';

/** What is processed again waits from then on. Media that wait at this moment begin anew, which spares the table an update. */
export const waitingSince: Migration = {
  name: '0011_waiting_since',
  up: `
alter table media add column waiting_since timestamptz not null default now();
comment on column media.waiting_since is 'when it was last asked for variants: uploaded, or sent through processing again';
`,
};
