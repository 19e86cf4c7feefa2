import type { Migration } from './migration';

/** A ruling on a post can be taken back, which restores the owner's nsfw mark. */
export const rulingsTakenBack: Migration = {
  name: '0010_rulings_taken_back',
  up: `
alter table posts add column nsfw_before_ruling boolean not null default false;
comment on column posts.nsfw_before_ruling is 'the owner''s floor that a ruling has set aside; it comes back with the ruling taken back';
`,
};
