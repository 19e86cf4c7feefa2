import type { Migration } from './migration';

/** Who blocks and who mutes whom. */
export const blocksAndMutes: Migration = {
  name: '0031_blocks_and_mutes',
  up: `
create table blocks (
  id bigint generated always as identity primary key,
  blocker_id bigint not null references users (id),
  blocked_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  constraint blocks_key unique (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index blocks_list_idx on blocks (blocker_id, id);
comment on index blocks_list_idx is 'whom an account blocks, latest first';
create index blocks_blocked_idx on blocks (blocked_id, id);
comment on index blocks_blocked_idx is 'who blocks an account, latest first';

create table mutes (
  id bigint generated always as identity primary key,
  muter_id bigint not null references users (id),
  muted_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  constraint mutes_key unique (muter_id, muted_id),
  check (muter_id <> muted_id)
);
create index mutes_list_idx on mutes (muter_id, id);
comment on index mutes_list_idx is 'whom an account mutes, latest first';
create index mutes_muted_idx on mutes (muted_id);
comment on index mutes_muted_idx is 'mutes of an account that is being erased';

create function blocked_between(one bigint, other bigint) returns boolean language sql stable parallel safe as $$
  select exists (select from blocks where blocker_id = one and blocked_id = other)
      or exists (select from blocks where blocker_id = other and blocked_id = one)
$$;
comment on function blocked_between is 'whether one of two accounts blocks the other; false if one is null';
`,
};
