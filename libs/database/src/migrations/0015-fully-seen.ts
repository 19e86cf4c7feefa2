import type { Migration } from './migration';

/** Only twelve sampled frames of older videos were judged; no new decision is made about them. */
export const fullySeen: Migration = {
  name: '0015_fully_seen',
  up: `
alter table media add column fully_seen boolean not null default true;
comment on column media.fully_seen is 'whether hashes cover every picture in the file; a moderator has to look at it where they do not';
`,
};
