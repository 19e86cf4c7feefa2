create table deletion_hold (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null default now()
);
comment on table deletion_hold is 'while it has a row, no file of a media item is deleted: the database was restored to an earlier moment';
