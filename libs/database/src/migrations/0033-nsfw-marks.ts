import type { Migration } from './migration';

/** Owners can change the mark of their media as adult content, and a moderator's ruling ends it. */
export const nsfwMarks: Migration = {
  name: '0033_nsfw_marks',
  up: `
update media set owner_nsfw = false
where owner_nsfw and id in (
  select subject_id from moderation_decisions
  where subject = 'media' and decided_by = 'moderator');
comment on column media.owner_nsfw is 'the owner said is_nsfw: nsfw where the status would be approved; a ruling clears it';
`,
};
