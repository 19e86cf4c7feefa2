import type { Migration } from './migration';

/** Guests (accounts without a name), upload tickets, and the device of a session. */
export const guests: Migration = {
  name: '0008_guests',
  up: `
alter table users
  add column kind text not null default 'member' check (kind in ('member', 'guest')),
  add column review_after timestamptz,
  drop constraint users_username_check,
  add constraint users_username_check
    check (username ~ case kind when 'member' then '^[A-Za-z0-9_]{3,30}$' else '^~[0-9a-f]{20}$' end),
  add constraint users_guest_check
    check (case kind when 'guest' then review_after is not null and password_hash is null and email is null and role = 'user'
           else review_after is null end);
comment on column users.kind is 'a guest uploads on the web site without an account, and is nobody to others';
comment on column users.username is 'a guest''s is made up, and can''t be anybody''s: no member''s holds a ~';
comment on column users.review_after is 'of guests: when the sweep next looks whether anything is left of them';
create index users_guest_review_idx on users (review_after) where kind = 'guest';
comment on index users_guest_review_idx is 'sweep: guests who may have left nothing behind';

alter table tokens
  add column device text check (char_length(device) between 1 and 100),
  drop constraint tokens_kind_check,
  add constraint tokens_kind_check check (kind in ('session', 'api', 'ticket', 'guest'));
comment on column tokens.kind is 'a ticket uploads, for an hour; guest is what a guest has in the place of a session';
comment on column tokens.device is 'of sessions: browser and system, no more than that; null where nothing is known';

comment on column media.user_id is 'null where the web site passed on a file that came without a token';
`,
};
