-- Visitors without an account can report too.
alter table reports
  alter column reporter_id drop not null,
  add column contact text check (char_length(contact) <= 254);
comment on column reports.reporter_id is 'null for a visitor without an account';
comment on column reports.contact is 'where moderators can answer a visitor';
