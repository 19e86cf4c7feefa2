import type { Migration } from './migration';

/** Uploaders take turns at the media-processors. The sweeper adds the rows of media that are waiting at this moment. */
export const processingTurns: Migration = {
  name: '0012_processing_turns',
  up: `
create table processing_turns (
  media_id bigint primary key references media (id) on delete cascade,
  subject text not null,
  lane text not null check (lane in ('quick', 'long')),
  cost real not null check (cost >= 0),
  queued_at timestamptz not null default now(),
  requested_at timestamptz,
  requests integer not null default 0,
  behind boolean not null default false
);
comment on table processing_turns is 'media that wait for their variants, or whose variants are being made';
comment on column processing_turns.subject is 'who takes turns: user:<id>, ip:<address or /64>, or staff for media that are processed again';
comment on column processing_turns.cost is 'estimated work, in megapixels of a JPEG';
comment on column processing_turns.requested_at is 'when the media-processors were last asked for it; null while it waits for its turn';
comment on column processing_turns.behind is 'requested while its uploader waits behind the others';
create index processing_turns_subject_idx on processing_turns (subject, lane, media_id);
comment on index processing_turns_subject_idx is 'the files of one uploader, those under way and the next one';
create index processing_turns_requested_idx on processing_turns (requested_at) where requested_at is not null;
comment on index processing_turns_requested_idx is 'files under way, few at any time; the sweeper finds those whose request was lost';
`,
};

/** Uploaders that wait behind the others. A separate step, because a step changes only one table in use. */
export const uploadOverruns: Migration = {
  name: '0012b_upload_overruns',
  up: `
alter table upload_counts add column overran_at timestamptz;
comment on column upload_counts.overran_at is 'when a file of this uploader last took longer than it may';
create index upload_counts_overran_idx on upload_counts (overran_at) where overran_at is not null;
comment on index upload_counts_overran_idx is 'uploaders who wait behind the others';
`,
};
