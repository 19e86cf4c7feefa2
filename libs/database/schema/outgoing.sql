-- What leaves the site: webhooks, mails, and purges of shared caches.

create table webhooks (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  url text not null check (char_length(url) <= 2000),
  description text check (char_length(description) <= 200),
  events text[] not null,
  secret bytea not null check (octet_length(secret) between 24 and 64),
  previous_secret bytea check (octet_length(previous_secret) between 24 and 64),
  previous_secret_until timestamptz,
  failing_since timestamptz,
  disabled_reason text check (disabled_reason in ('paused', 'failing', 'gone', 'token_ended', 'password_changed')),
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  token_id bigint,
  check ((disabled_reason is null) = (disabled_at is null)),
  check ((previous_secret is null) = (previous_secret_until is null))
);
comment on column webhooks.secret is 'not hashed: every delivery is signed with it';
comment on column webhooks.previous_secret is 'deliveries are signed with it too until previous_secret_until';
comment on column webhooks.failing_since is 'the first failed attempt after the last successful one';
comment on column webhooks.token_id is 'the API token that created it, or last changed its address or enabled it: it ends with that token. Null: a session did, or the token has ended. No foreign key, because each end of a session or ticket would check it';
-- The webhooks of one account.
create index webhooks_user_idx on webhooks (user_id);
-- The webhooks that end with a token.
create index webhooks_token_idx on webhooks (token_id) where token_id is not null;

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks (id) on delete cascade,
  event_id uuid not null,
  event text not null,
  occurred_at timestamptz not null,
  data json not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz default now(),
  last_attempt_at timestamptz,
  took_ms integer,
  response_status integer,
  response_body text,
  error text,
  created_at timestamptz not null default now(),
  check ((status = 'pending') = (next_attempt_at is not null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
comment on column webhook_deliveries.next_attempt_at is 'during an attempt: when another process may try, because this one has died';
-- One delivery of each event to each webhook.
create unique index webhook_deliveries_event_key on webhook_deliveries (webhook_id, event_id);
-- The deliveries of a webhook that are due.
create index webhook_deliveries_due_idx on webhook_deliveries (webhook_id, next_attempt_at) where status = 'pending';
-- The deliveries of a webhook, latest first.
create index webhook_deliveries_list_idx on webhook_deliveries (webhook_id, id);

create function add_webhook_deliveries(owner bigint, event_id uuid, event text, occurred_at timestamptz, data json)
  returns void language sql as $$
  insert into webhook_deliveries (webhook_id, event_id, event, occurred_at, data)
  select chosen.id, $2, $3, $4, $5
  from (
    select id from webhooks w
    where user_id = $1 and disabled_reason is null and $3 = any(events)
      and not exists (select from tokens t where t.id = w.token_id and t.expires_at <= now())
      and not exists (select from account_restrictions r
                      where r.user_id = $1 and r.state = 'suspended' and (r.until is null or r.until > now()))
    order by id for key share
  ) as chosen
  on conflict (webhook_id, event_id) do nothing
$$;
comment on function add_webhook_deliveries is 'the lock keeps a webhook that is being deleted from failing the transaction of the event';

create function outbox_to_webhooks() returns trigger language plpgsql as $$
declare
  kind constant text := new.envelope ->> 'type';
  data json := new.envelope -> 'data';
  owner bigint;
begin
  case kind
    when 'media.uploaded', 'media.moderated' then
      select user_id into owner from media where id = (data ->> 'media_id')::bigint;
    when 'post.created', 'post.deleted' then
      owner := (data ->> 'user_id')::bigint;
    when 'post.updated' then
      select user_id into owner from posts where id = (data ->> 'post_id')::bigint;
    when 'comment.created', 'comment.updated', 'comment.deleted' then
      select user_id into owner from posts
      where id = (data ->> 'post_id')::bigint and user_id is distinct from (data ->> 'user_id')::bigint;
    when 'user.followed' then
      owner := (data ->> 'followee_id')::bigint;
      data := (select json_build_object('username', username) from users where id = (data ->> 'follower_id')::bigint);
    else return null;
  end case;
  if owner is not null and data is not null then
    perform add_webhook_deliveries(owner, (new.envelope ->> 'id')::uuid, kind,
      (new.envelope ->> 'occurred_at')::timestamptz, data);
  end if;
  return null;
end
$$;
create trigger outbox_to_webhooks after insert on outbox for each row execute function outbox_to_webhooks();

create function token_to_webhooks() returns trigger language plpgsql as $$
begin
  with ended as (
    update webhooks set token_id = null, disabled_reason = coalesce(disabled_reason, 'token_ended'),
      disabled_at = coalesce(disabled_at, now())
    where token_id = old.id
    returning id
  )
  update webhook_deliveries d
  set status = 'failed', next_attempt_at = null,
      error = coalesce(error, 'The API token of the webhook ended before this attempt.')
  from ended where d.webhook_id = ended.id and d.status = 'pending';
  return null;
end
$$;
create trigger token_to_webhooks after delete on tokens
  for each row when (old.kind = 'api') execute function token_to_webhooks();

create table mails (
  id bigint generated always as identity primary key,
  message_id uuid not null default gen_random_uuid(),
  user_id bigint references users (id) on delete cascade,
  username text not null,
  kind text not null check (kind in ('notice', 'verify-email', 'reset-password')),
  address text not null,
  notice text check (char_length(notice) <= 2000),
  status text not null default 'pending' check (status in ('pending', 'sent', 'failed', 'unknown')),
  attempts integer not null default 0,
  next_attempt_at timestamptz default now(),
  last_attempt_at timestamptz,
  handed_over_at timestamptz,
  send_until timestamptz not null,
  error text,
  created_at timestamptz not null default now(),
  limited boolean not null default false,
  check ((status = 'pending') = (next_attempt_at is not null)),
  check (kind <> 'notice' or status <> 'pending' or notice is not null)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
comment on table mails is 'the outbox of mails: added in the transaction of their cause, without secrets';
comment on column mails.message_id is 'of the header Message-ID: the same in all attempts';
comment on column mails.user_id is 'null if the account of the mail is removed in the same transaction';
comment on column mails.notice is 'the text of a notice; removed when the mail is finished';
comment on column mails.next_attempt_at is 'during an attempt: when another process may try, because this one has died';
comment on column mails.handed_over_at is 'set before the server may accept the mail: if the result is lost, it is not sent again';
comment on column mails.send_until is 'it is not sent later than this, because it would no longer be useful';
comment on column mails.limited is 'whether programs can cause such a notice often, so that it counts towards the limit of these';
create index mails_due_idx on mails (next_attempt_at) where status = 'pending';
comment on index mails_due_idx is 'mails that are due, and how long the oldest has been due';
create index mails_address_idx on mails (lower(address), kind, created_at);
comment on index mails_address_idx is 'limits: how many mails of a kind an address was sent lately';
-- What goes with an account.
create index mails_user_idx on mails (user_id);
create index mails_created_idx on mails (created_at) where status <> 'pending';
comment on index mails_created_idx is 'sweep: finished mails that are old';

create table cache_purges (
  cache text not null check (char_length(cache) between 1 and 40),
  slug text not null,
  file_names text[] not null,
  withdrawn boolean not null,
  requested_at timestamptz not null default now(),
  requests integer not null default 1,
  purged boolean not null default false,
  attempts integer not null default 0,
  due_at timestamptz default now(),
  error text,
  primary key (cache, slug)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
comment on table cache_purges is 'media that shared caches must forget; a row is deleted when its last purge has succeeded';
comment on column cache_purges.withdrawn is 'its files are 404 now; otherwise they have other bytes. Withdrawn media come first';
comment on column cache_purges.requests is 'how often it was requested, so that the result of an older attempt has no effect';
comment on column cache_purges.purged is 'whether a purge has succeeded since the request; another one follows';
comment on column cache_purges.attempts is 'since the last success';
comment on column cache_purges.due_at is 'during an attempt: when another process may try, because this one has died; null: given up';
-- The next purges of a cache, withdrawn media first.
create index cache_purges_due_idx on cache_purges (cache, withdrawn desc, due_at) where due_at is not null;
