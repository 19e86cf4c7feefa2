import type { Migration } from './migration';

/** An upload can be marked as adult content by its owner, also without a post. */
export const nsfwUploads: Migration = {
  name: '0022_nsfw_uploads',
  up: `
alter table media add column owner_nsfw boolean not null default false;
comment on column media.owner_nsfw is 'the owner said is_nsfw at the upload: automation makes it nsfw where it would approve it';
`,
};
