import type { Migration } from './migration';

/** A ticket ends with the session that requested it. */
export const ticketIssuers: Migration = {
  name: '0009_ticket_issuers',
  up: `
delete from tokens where kind = 'ticket';
alter table tokens
  add column issued_by bigint references tokens (id) on delete cascade,
  add constraint tokens_issued_by_check check ((kind = 'ticket') = (issued_by is not null));
comment on column tokens.issued_by is 'of tickets: the session or guest''s token that asked for it, with which it ends';
create index tokens_issued_by_idx on tokens (issued_by) where issued_by is not null;
comment on index tokens_issued_by_idx is 'tickets that end with a session';
`,
};
