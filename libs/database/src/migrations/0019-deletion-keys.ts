import type { Migration } from './migration';

/** Media of programs that delete with a key of the media item, not with the uploader's token. */
export const deletionKeys: Migration = {
  name: '0019_deletion_keys',
  up: `
alter table media add column deletion_sha256 bytea check (octet_length(deletion_sha256) = 32);
comment on column media.deletion_sha256 is 'SHA-256 of the key with which anyone may delete it; null: only its owner may';
`,
};
