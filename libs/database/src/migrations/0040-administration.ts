import type { Migration } from './migration';

const indexStep = (step: string, index: string, definition: string): Migration => ({
  name: `0040${step}_${index}`,
  mode: 'alone',
  up: `create index concurrently ${index} on users ${definition}`,
  repair: `drop index concurrently if exists ${index}`,
});

/** For the pages of admins: the search of accounts. */
export const administration: readonly Migration[] = [
  indexStep('a', 'users_members_idx', `(id) where kind = 'member' and deleted_at is null`),
  indexStep('b', 'users_name_prefix_idx', '(lower(username) text_pattern_ops)'),
  indexStep('c', 'users_email_prefix_idx', '(lower(email) text_pattern_ops) where email is not null'),
  indexStep('d', 'users_staff_idx', `(role, id) where role <> 'user'`),
];
