-- Answers to repeated requests, and the settings of running processes.

create table idempotency_keys (
  id bytea primary key check (octet_length(id) = 32),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  claim uuid not null,
  lease_until timestamptz not null,
  carried_out boolean not null default false,
  answer bytea,
  expires_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
comment on table idempotency_keys is 'requests made with an Idempotency-Key, and their answers';
comment on column idempotency_keys.id is 'SHA-256 of caller and key';
comment on column idempotency_keys.fingerprint is 'derived from key and request; tells another request from the same one';
comment on column idempotency_keys.claim is 'the attempt that may carry the request out; its transactions end by proving that it still is';
comment on column idempotency_keys.lease_until is 'renewed while the attempt lives; afterwards another may take over what was not carried out';
comment on column idempotency_keys.carried_out is 'set in the transaction that carried the request out';
comment on column idempotency_keys.answer is 'encrypted with a key derived from what only the client knows; null while in progress';
create index idempotency_keys_expires_idx on idempotency_keys (expires_at);
comment on index idempotency_keys_expires_idx is 'sweep: keys past their day';

create table process_settings (
  process text not null,
  instance text not null check (char_length(instance) between 1 and 300),
  settings jsonb not null check (jsonb_array_length(settings) <= 500),
  seen_at timestamptz not null default now(),
  primary key (process, instance)
) with (fillfactor = 70);
comment on table process_settings is 'the settings in effect of each running process, reported every minute';
comment on column process_settings.instance is 'the host, which is the pod in Kubernetes, and the number of the process';
comment on column process_settings.settings is 'values, but of secrets only whether they are set';

create table deletion_hold (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null default now()
);
comment on table deletion_hold is 'while it has a row, no file of a media item is deleted: the database was restored to an earlier moment';
