alter table notifications drop constraint notifications_kind_check;
-- The rows are checked by 0017-notifications-3-check, which locks nobody out.
alter table notifications add constraint notifications_kind_check
  check (kind in ('comment', 'reply', 'mention', 'follow', 'post', 'moderation', 'account')) not valid;

alter table notification_settings drop constraint notification_settings_unwanted_check;
-- Notifications of new posts come only to those who asked for them.
update notification_settings set unwanted = unwanted || array['post'];
alter table notification_settings
  add check (unwanted <@ array['comment', 'reply', 'mention', 'follow', 'post', 'moderation']),
  add column mail text not null default 'never' check (mail in ('never', 'hourly', 'daily')),
  add column mailed_up_to bigint not null default 0,
  add column mailed_at timestamptz not null default now();
comment on table notification_settings is 'the kinds that an account does not want; no row: it wants all but ''post''';
comment on column notification_settings.mail is 'how often unread notifications are sent by mail, at most';
comment on column notification_settings.mailed_up_to is 'the id of the latest notification in a mail';
create index notification_settings_mail_idx on notification_settings (mailed_at) where mail <> 'never';
comment on index notification_settings_mail_idx is 'sweep: whose mails may be due';

create table post_announcements (
  post_id bigint primary key,
  after_follow_id bigint not null default 0
);
comment on table post_announcements is 'posts that have come into the feeds, and whose author''s followers are being notified, in batches; of posts that may be gone';
comment on column post_announcements.after_follow_id is 'the follows up to this id are done';
