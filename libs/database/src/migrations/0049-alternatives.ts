import type { Migration } from './migration';

/** Copies of variants in WebP and AVIF, and the media that wait for theirs. */
export const alternatives: Migration = {
  name: '0049_alternatives',
  up: `
-- Otherwise a writer could still use the old function, which doesn't count the new column.
lock table media in share row exclusive mode;
alter table media add column alternatives jsonb not null default '[]';
comment on column media.alternatives is 'stored copies of variants in other formats: of (the variant''s key), key, ext, bytes';

create sequence alternative_requests;
comment on sequence alternative_requests is 'numbers of requests for alternatives';

create table alternative_work (
  media_id bigint primary key references media (id) on delete cascade,
  subject text not null,
  turn bigint not null,
  not_before timestamptz not null default now(),
  requested_at timestamptz,
  request bigint,
  attempts integer not null default 0
) with (fillfactor = 70);
comment on table alternative_work is 'media that wait for their alternatives, or whose alternatives are being made';
comment on column alternative_work.subject is 'whose file it is: user:<id>, or guests for those of all guests and of nobody';
comment on column alternative_work.turn is 'the lowest is next; the files of one subject have different turns, so that subjects alternate';
comment on column alternative_work.requested_at is 'when a media-processor was last asked; null while it waits';
comment on column alternative_work.request is 'the number of the last request; an answer with another one is late';
comment on column alternative_work.attempts is 'number of requests, except those that met a busy media-processor';
create index alternative_work_turn_idx on alternative_work (turn, media_id);
comment on index alternative_work_turn_idx is 'the next ones';
create index alternative_work_subject_idx on alternative_work (subject, turn);
comment on index alternative_work_subject_idx is 'the last turn of a subject';
create index alternative_work_requested_idx on alternative_work (requested_at) where requested_at is not null;
comment on index alternative_work_requested_idx is 'those that are being made, few at any time';

create table alternative_budget (
  singleton boolean primary key default true check (singleton),
  seconds double precision not null,
  counted_at timestamptz not null
) with (fillfactor = 50);
comment on table alternative_budget is 'how long decoders may still work on alternatives (ALTERNATIVES_SECONDS_PER_HOUR)';
comment on column alternative_budget.seconds is 'left at counted_at; negative if the latest work took more than was left';

create function variant_bytes(variants jsonb, alternatives jsonb) returns bigint language sql immutable parallel safe as $$
  select variant_bytes(variants) + (
    select coalesce(sum((alternative ->> 'bytes')::bigint), 0)::bigint
    from jsonb_array_elements(alternatives) as alternative
  )
$$;
comment on function variant_bytes(jsonb, jsonb) is 'of the stored variants and their alternatives';

create or replace function media_storage_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into storage_deltas (user_id, kind, files, bytes, variant_bytes)
    values (new.user_id, new.kind, 1, new.bytes, variant_bytes(new.variants, new.alternatives));
  elsif tg_op = 'DELETE' then
    insert into storage_deltas (user_id, kind, files, bytes, variant_bytes)
    values (old.user_id, old.kind, -1, -old.bytes, -variant_bytes(old.variants, old.alternatives));
  elsif (old.user_id, old.kind) is not distinct from (new.user_id, new.kind) then
    insert into storage_deltas (user_id, kind, files, bytes, variant_bytes)
    values (new.user_id, new.kind, 0, new.bytes - old.bytes,
            variant_bytes(new.variants, new.alternatives) - variant_bytes(old.variants, old.alternatives));
  else
    insert into storage_deltas (user_id, kind, files, bytes, variant_bytes)
    values (old.user_id, old.kind, -1, -old.bytes, -variant_bytes(old.variants, old.alternatives)),
           (new.user_id, new.kind, 1, new.bytes, variant_bytes(new.variants, new.alternatives));
  end if;
  return null;
end
$$;
drop trigger media_storage_moved on media;
create trigger media_storage_moved after update of user_id, bytes, variants, alternatives on media
  for each row
  when ((old.user_id, old.bytes, old.variants, old.alternatives)
        is distinct from (new.user_id, new.bytes, new.variants, new.alternatives))
  execute function media_storage_changed();
`,
};
