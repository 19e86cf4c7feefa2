-- The outbox of events, and the bus in PostgreSQL. The bus has its own schema, so that a role can have rights only on it.

-- A write here also changes: webhook_deliveries (outgoing.sql).
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

create table bus_reports (
  queue text primary key check (char_length(queue) between 1 and 200),
  waiting bigint not null check (waiting >= 0),
  dead bigint not null check (dead >= 0),
  letters jsonb not null default '[]',
  reported_at timestamptz not null default now()
) with (fillfactor = 70);
comment on table bus_reports is 'what is in each queue of the bus, written every few seconds by the process that takes care of it';
comment on column bus_reports.letters is 'the oldest dead letters, without their contents';

create table bus_replays (
  id bigint generated always as identity primary key,
  queue text not null,
  letter text check (char_length(letter) between 1 and 300),
  created_at timestamptz not null default now()
);
comment on table bus_replays is 'dead letters to put back into their queues; deleted when done';
comment on column bus_replays.letter is 'null: all letters of the queue';
-- One request for each letter, or for a whole queue.
create unique index bus_replays_key on bus_replays (queue, coalesce(letter, ''));
