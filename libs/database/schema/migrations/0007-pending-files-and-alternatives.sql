create table pending_files (
  slug text primary key,
  due_at timestamptz not null,
  given_up boolean not null default false
);
comment on table pending_files is 'slugs under which objects may be stored although no media item has them: uploads in progress, and media that were deleted';
comment on column pending_files.due_at is 'when the sweep gives the slug up, or deletes the objects of one that is given up';
comment on column pending_files.given_up is 'no media item can be registered with this slug any longer';
-- Sweep: the next ones.
create index pending_files_due_idx on pending_files (due_at);

drop table alternative_budget;
alter table alternative_work add column queued_at timestamptz not null default now();
