import type { Migration } from './migration';

/** Webhooks of accounts, and the queue of their deliveries. */
export const webhooks: Migration = {
  name: '0020_webhooks',
  up: `
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
  disabled_reason text check (disabled_reason in ('paused', 'failing', 'gone')),
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  check ((disabled_reason is null) = (disabled_at is null)),
  check ((previous_secret is null) = (previous_secret_until is null))
);
comment on column webhooks.secret is 'not hashed: every delivery is signed with it';
comment on column webhooks.previous_secret is 'deliveries are signed with it too until previous_secret_until';
comment on column webhooks.failing_since is 'the first failed attempt after the last successful one';
create index webhooks_user_idx on webhooks (user_id);

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
create unique index webhook_deliveries_event_key on webhook_deliveries (webhook_id, event_id);
create index webhook_deliveries_due_idx on webhook_deliveries (webhook_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_list_idx on webhook_deliveries (webhook_id, id);

create function add_webhook_deliveries(owner bigint, event_id uuid, event text, occurred_at timestamptz, data json)
  returns void language sql as $$
  insert into webhook_deliveries (webhook_id, event_id, event, occurred_at, data)
  select chosen.id, $2, $3, $4, $5
  from (
    select id from webhooks
    where user_id = $1 and disabled_reason is null and $3 = any(events)
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
    when 'comment.created', 'comment.deleted' then
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

create function media_to_webhooks() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform add_webhook_deliveries(old.user_id, gen_random_uuid(), 'media.deleted', now(),
      json_build_object('slug', old.slug));
  elsif new.processed then
    perform add_webhook_deliveries(new.user_id, gen_random_uuid(), 'media.processed', now(),
      json_build_object('slug', new.slug, 'kind', new.kind, 'width', new.width, 'height', new.height,
        'duration', new.duration));
  else
    perform add_webhook_deliveries(new.user_id, gen_random_uuid(), 'media.failed', now(),
      json_build_object('slug', new.slug, 'reason', new.processing_error));
  end if;
  return null;
end
$$;
`,
};

/** Every process that adds an event, also one of the previous release, thereby adds its deliveries. */
export const webhookEvents: Migration = {
  name: '0020_webhook_events',
  up: `
create trigger outbox_to_webhooks after insert on outbox for each row execute function outbox_to_webhooks();
`,
};

/** The events of media that come from a process without a database, or that no longer know the owner. */
export const webhookMediaEvents: Migration = {
  name: '0020_webhook_media_events',
  up: `
create trigger media_deleted_to_webhooks after delete on media
  for each row when (old.user_id is not null) execute function media_to_webhooks();
create trigger media_processed_to_webhooks after update of processed, processing_error on media
  for each row when (
    new.user_id is not null and (
      (new.processed and not old.processed) or
      (not new.processed and new.processing_error is not null and old.processing_error is null)
    )
  ) execute function media_to_webhooks();
`,
};
