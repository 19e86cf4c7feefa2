import type { Migration } from './migration';

/** Variants that are removed because nobody requests them, and are made again on demand. */
const retention: Migration = {
  name: '0048a_variant_retention',
  up: `
alter table media add column variants_used_at timestamptz;
comment on column media.variants_used_at is 'no stored variant is known to have been requested before this; null: since processed_at; infinity: no variant can be removed';

create table variant_uses (
  media_id bigint not null references media (id) on delete cascade,
  name text not null,
  used_on date not null,
  primary key (media_id, name)
) with (fillfactor = 80);
comment on table variant_uses is 'the latest day (UTC) on which each variant was requested, while VARIANT_RETENTION_DAYS is set';

create table variant_work (
  key text primary key,
  media_id bigint not null references media (id) on delete cascade,
  work text not null check (work in ('removal', 'make', 'failed')),
  since timestamptz not null default now()
);
comment on table variant_work is 'objects of variants that are being removed or made again; without a row, media.variants says whether the object is stored';
comment on column variant_work.work is 'removal: the object must be deleted; make: requested from the media-processors; failed: it could not be made';
create index variant_work_media_idx on variant_work (media_id);
comment on index variant_work_media_idx is 'when a media item is deleted or processed again';

create table variant_retention (
  singleton boolean primary key default true check (singleton),
  since timestamptz not null,
  seen_at timestamptz not null
);
comment on table variant_retention is 'since when uses are recorded without a break';

create or replace function variant_bytes(variants jsonb) returns bigint language sql immutable parallel safe as $$
  select coalesce(sum(bytes), 0)::bigint from (
    select distinct on (variant ->> 'key') (variant ->> 'bytes')::bigint as bytes
    from jsonb_array_elements(variants) as variant
    where variant -> 'removed' is null
  ) as stored
$$;
comment on function variant_bytes is 'of the stored variants; several can be one file';
`,
};

const unusedIndex: Migration = {
  name: '0048b_media_variants_unused_idx',
  mode: 'alone',
  up: `create index concurrently media_variants_unused_idx on media ((coalesce(variants_used_at, processed_at)))
       where processed and decided_at is not null`,
  repair: 'drop index concurrently if exists media_variants_unused_idx',
};

/** The steps in their order. */
export const variantRetention: readonly Migration[] = [retention, unusedIndex];
