import type { Migration } from './migration';

/** Restrictions of accounts, and the relisting of what a restriction or its end has changed. */
const accountRestrictions: Migration = {
  name: '0023a_account_restrictions',
  up: `
create table account_restrictions (
  user_id bigint primary key references users (id) on delete cascade,
  state text not null check (state in ('limited', 'suspended')),
  reason text not null check (char_length(reason) between 1 and 1000),
  until timestamptz,
  created_at timestamptz not null default now()
);
comment on table account_restrictions is 'accounts that are not active. While a row exists, no feed lists the things of the account';
comment on column account_restrictions.until is 'the account is active from then on, whether or not the row is gone; null: no end';
create index account_restrictions_until_idx on account_restrictions (until) where until is not null;
comment on index account_restrictions_until_idx is 'sweep: restrictions that have ended';

create table relistings (
  user_id bigint primary key references users (id) on delete cascade,
  after_media_id bigint not null default 0,
  after_post_id bigint not null default 0,
  created_at timestamptz not null default now()
);
comment on table relistings is 'accounts whose restrictions have changed and whose listings are being derived again, in batches';
comment on column relistings.after_media_id is 'the media up to this id are done';
comment on column relistings.after_post_id is 'the posts up to this id are done';

alter table moderation_decisions
  add column until timestamptz,
  drop constraint moderation_decisions_subject_check,
  add constraint moderation_decisions_subject_check check (subject in ('media', 'post', 'user')) not valid,
  drop constraint moderation_decisions_decided_by_check,
  add constraint moderation_decisions_decided_by_check
    check (decided_by in ('system', 'owner', 'moderator', 'operator')) not valid,
  drop constraint moderation_decisions_from_status_check,
  add constraint moderation_decisions_from_status_check
    check (from_status in ('approved', 'pending', 'nsfw', 'rejected', 'active', 'limited', 'suspended')) not valid,
  drop constraint moderation_decisions_to_status_check,
  add constraint moderation_decisions_to_status_check
    check (to_status in ('approved', 'pending', 'nsfw', 'rejected', 'active', 'limited', 'suspended')) not valid;
comment on column moderation_decisions.until is 'of decisions on accounts: when the state ends by itself';
`,
};

/** Checks the existing rows; unlike the step before, it takes no lock that blocks writers. */
const decisionChecksValid: Migration = {
  name: '0023b_decision_checks_valid',
  up: `
alter table moderation_decisions validate constraint moderation_decisions_subject_check;
alter table moderation_decisions validate constraint moderation_decisions_decided_by_check;
alter table moderation_decisions validate constraint moderation_decisions_from_status_check;
alter table moderation_decisions validate constraint moderation_decisions_to_status_check;
`,
};

/** The steps in their order. */
export const accountStates: readonly Migration[] = [accountRestrictions, decisionChecksValid];
