import type { Migration } from './migration';

/**
 * The outbox in the application's schema, and the PostgreSQL bus in a separate schema, so that a role can have rights only on the
 * bus.
 */
export const busSchema: Migration = {
  name: '0002_bus',
  up: `
create table outbox (
  id bigint generated always as identity primary key,
  envelope json not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  retry_at timestamptz not null default now()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
comment on table outbox is 'events to publish; a row is deleted once the broker has confirmed it';
comment on column outbox.envelope is 'json, not jsonb: kept as written, escaped NULs included';
comment on column outbox.retry_at is 'a row that could not be published waits until then, and holds up no other';

create schema bus;

create table bus.queues (
  name text primary key check (char_length(name) between 1 and 200),
  routing_key text not null
);
create index queues_routing_key_idx on bus.queues (routing_key);
comment on index bus.queues_routing_key_idx is 'publish: the queues bound to a routing key';

create sequence bus.consumer_ids as integer cycle;
comment on sequence bus.consumer_ids is 'each consuming session takes one and holds the advisory lock of that number while it lives';

create table bus.messages (
  id bigint generated always as identity primary key,
  queue text not null,
  envelope json not null,
  attempts integer not null default 0 check (attempts >= 0),
  available_at timestamptz not null default now(),
  claimed_by integer
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
comment on table bus.messages is 'one row per message and queue; deleted when acknowledged';
comment on column bus.messages.attempts is 'tries begun: raised when a consumer claims it, so a try that kills its worker counts';
comment on column bus.messages.claimed_by is 'consumer that has it; where that one lives no more, any other takes it back';
create index messages_waiting_idx on bus.messages (queue, available_at, id) where claimed_by is null;
comment on index bus.messages_waiting_idx is 'consume: the next messages of a queue';
create index messages_claimed_idx on bus.messages (claimed_by) where claimed_by is not null;
comment on index bus.messages_claimed_idx is 'take back what dead consumers held';

create table bus.dead_letters (
  id bigint primary key,
  queue text not null,
  envelope json not null,
  reason text not null,
  attempts integer not null,
  died_at timestamptz not null default now()
);
create index dead_letters_queue_idx on bus.dead_letters (queue, id);
comment on index bus.dead_letters_queue_idx is 'list the dead letters of a queue, oldest first';
`,
};
