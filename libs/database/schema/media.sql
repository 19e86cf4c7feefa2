-- Media, the files that they share, their processing, their variants, and the limits of uploads.

create function search_document(title text, description text, tags text[]) returns tsvector
  language sql immutable parallel safe as $$
  select to_tsvector('simple'::regconfig,
    coalesce(title, '') || ' ' || coalesce(description, '') || ' ' || array_to_string(tags, ' '))
$$;
comment on function search_document is 'the words of title, description and tags, as the parameter q finds them';

create function shuffle_bucket(id bigint) returns smallint language sql immutable parallel safe as $$
  select ((id % 2147483648 * 2654435761 % 4294967296) >> 22)::smallint
$$;
comment on function shuffle_bucket is 'one of 1,024 by multiplicative hashing (Knuth, TAOCP 3, 6.4): neighbouring ids fall far apart';

create table shared_files (
  key text primary key,
  sha256 bytea not null check (octet_length(sha256) = 32),
  bytes bigint not null,
  unused_since timestamptz
);
comment on table shared_files is 'stored originals to which several media refer';
comment on column shared_files.key is 'of the object; it contains the slug of the first of these media, which may be deleted';
comment on column shared_files.unused_since is 'since no media item refers to it: the object must be deleted; null while one does';
-- The shared original with these bytes.
create unique index shared_files_sha256_idx on shared_files (sha256, bytes) where unused_since is null;
-- Sweep: shared originals to delete.
create index shared_files_unused_idx on shared_files (unused_since) where unused_since is not null;

-- A write here also changes: feed_deltas (feeds.sql), if the listing changes; storage_deltas (storage-use.sql), if owner or
-- sizes change.
create table media (
  id bigint generated always as identity primary key,
  slug text not null check (slug ~ '^[A-Za-z0-9]{7}$' and slug ~ '[A-Za-z]'),
  user_id bigint references users (id),
  title text check (char_length(title) <= 255),
  description text check (char_length(description) <= 5000),
  alt_text text check (char_length(alt_text) <= 1000),
  kind text not null check (kind in ('image', 'video')),
  format text not null,
  mime text not null,
  ext text not null check (ext ~ '^[a-z0-9]{1,8}$'),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  duration double precision check (duration >= 0),
  frames integer not null default 1 check (frames > 0),
  bytes bigint not null check (bytes > 0),
  received_sha256 bytea not null check (octet_length(received_sha256) = 32),
  stored_sha256 bytea not null check (octet_length(stored_sha256) = 32),
  moderation_status text not null default 'pending' check (moderation_status in ('approved', 'pending', 'nsfw', 'rejected')),
  processed boolean not null default false,
  processing_error text,
  variants jsonb not null default '[]',
  thumbhash text,
  hashes jsonb not null default '[]',
  frame_keys text[] not null default '{}',
  announced_at timestamptz not null default now(),
  announcements integer not null default 1,
  processed_at timestamptz,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  listing text not null default 'unlisted' check (listing in ('unlisted', 'safe', 'nsfw')),
  tags text[] not null default '{}' check (cardinality(tags) <= 20),
  search tsvector generated always as (search_document(title, description, tags)) stored,
  waiting_since timestamptz not null default now(),
  unlisted boolean not null default false,
  fully_seen boolean not null default true,
  deletion_sha256 bytea check (octet_length(deletion_sha256) = 32),
  owner_nsfw boolean not null default false,
  shared_key text constraint media_shared_key_fk references shared_files (key),
  variants_used_at timestamptz,
  alternatives jsonb not null default '[]',
  event_sequence integer not null default 1,
  processing_progress smallint,
  constraint media_slug_key unique (slug),
  check (processing_error is null or not processed)
);
comment on column media.user_id is 'null where the website passed on a file that came without a token';
comment on column media.processing_progress is 'percent of the processing that is done, as last reported; null if nothing was reported';
comment on column media.event_sequence is 'the number of the latest event of this media item; 1 is media.uploaded';
comment on column media.received_sha256 is 'of the bytes as they came; banned hashes are matched against it and against stored_sha256';
comment on column media.variants is 'array of VariantRecord (libs/contracts)';
comment on column media.hashes is 'array of PerceptualHash (libs/contracts)';
comment on column media.frame_keys is 'objects that moderation looks at';
comment on column media.announced_at is 'when the bus was last told of the step that is due; the sweeper announces again what waits too long';
comment on column media.decided_at is 'when the latest moderation decision fell; null while automation is due. Set for media that stay pending in moderation_queue too';
comment on column media.listing is 'which feeds show it: derived from its moderation status and the visibility of its posts';
comment on column media.tags is 'as the owner set them; media_tags is the index of it';
comment on column media.waiting_since is 'when it was last asked for variants: uploaded, or sent through processing again';
comment on column media.unlisted is 'in no feed until it is in a public post; as its owner says';
comment on column media.fully_seen is 'whether hashes cover every picture in the file; a moderator has to look at it where they do not';
comment on column media.deletion_sha256 is 'SHA-256 of the key with which anyone may delete it; null: only its owner may';
comment on column media.owner_nsfw is 'the owner said is_nsfw: nsfw where the status would be approved; a ruling clears it';
comment on column media.shared_key is 'the object that holds the original, if several media share or shared it; null: the one under its own key';
comment on column media.variants_used_at is 'no stored variant is known to have been requested before this; null: since processed_at; infinity: no variant can be removed';
comment on column media.alternatives is 'stored copies of variants in other formats: of (the variant''s key), key, ext, bytes';
create index media_user_idx on media (user_id, id desc);
comment on index media_user_idx is 'media of one user, newest first';
-- Media of one user, the largest first.
create index media_user_size_idx on media (user_id, bytes desc, id desc);
create index media_unprocessed_idx on media (announced_at) where not processed and processing_error is null;
comment on index media_unprocessed_idx is 'sweeper: media that wait for their variants';
create index media_undecided_idx on media (announced_at) where processed and decided_at is null;
comment on index media_undecided_idx is 'sweeper: processed media that wait for their automated decision';
create index media_failed_undecided_idx on media (announced_at)
  where processing_error is not null and decided_at is null;
comment on index media_failed_undecided_idx is 'sweeper: failed media that wait for their rejection';
create index media_safe_idx on media (id) where listing = 'safe';
comment on index media_safe_idx is 'feed of media';
create index media_listed_idx on media (id) where listing <> 'unlisted';
comment on index media_listed_idx is 'feed of media with nsfw';
create index media_user_safe_idx on media (user_id, id) where listing = 'safe';
comment on index media_user_safe_idx is 'media of one user, as others find them';
create index media_user_listed_idx on media (user_id, id) where listing <> 'unlisted';
comment on index media_user_listed_idx is 'media of one user, as others find them with nsfw';
create index media_safe_shuffle_idx on media (shuffle_bucket(id), id) where listing = 'safe';
comment on index media_safe_shuffle_idx is 'feed of media in random order';
create index media_listed_shuffle_idx on media (shuffle_bucket(id), id) where listing <> 'unlisted';
comment on index media_listed_shuffle_idx is 'feed of media with nsfw in random order';
create index media_created_idx on media (created_at, id);
comment on index media_created_idx is 'where a period begins';
create index media_search_idx on media using gin (search);
comment on index media_search_idx is 'media that hold the words of q';
-- Admins' counts of processing errors, latest media first.
create index media_failed_idx on media (id) where processing_error is not null;
-- The media that share one original.
create index media_shared_key_idx on media (shared_key) where shared_key is not null;
-- Media whose originals have equal bytes.
create index media_stored_sha256_idx on media using hash (stored_sha256);
-- Merging of equal originals, in the order in which media were processed.
create index media_processed_idx on media (processed_at, id) where processed_at is not null;
-- Media whose variants have not been requested for the longest time.
create index media_variants_unused_idx on media ((coalesce(variants_used_at, processed_at)))
  where processed and decided_at is not null;

-- The avatar of an account (accounts.sql).
alter table users add constraint users_avatar_fk foreign key (avatar_media_id) references media (id) on delete set null;

create table pending_files (
  slug text primary key,
  due_at timestamptz not null,
  given_up boolean not null default false
);
comment on table pending_files is 'slugs under which objects may be stored although no media item has them: uploads in progress, and media that were deleted';
comment on column pending_files.due_at is 'when the sweep gives the slug up, or deletes the objects of one that is given up';
comment on column pending_files.given_up is 'no media item can be registered with this slug any longer';
-- Sweep: the next ones.
create index pending_files_due_idx on pending_files (due_at);

create table redundant_files (
  media_id bigint primary key references media (id) on delete cascade,
  key text not null,
  remove_after timestamptz not null
);
comment on table redundant_files is 'originals of media that refer to a shared file, which are still stored under their own keys and must be deleted';
-- Sweep: originals to delete under their own keys.
create index redundant_files_remove_idx on redundant_files (remove_after);

create table file_merging (
  singleton boolean primary key default true check (singleton),
  processed_at timestamptz not null,
  media_id bigint not null,
  busy_until timestamptz not null,
  holder uuid
);
comment on table file_merging is 'up to which media item, in the order of processed_at and id, equal originals have been searched';
comment on column file_merging.busy_until is 'until then, only the holder merges files and removes redundant ones';
insert into file_merging (processed_at, media_id, busy_until) values ('-infinity', 0, now());

create table upload_counts (
  subject text not null,
  day date not null,
  files integer not null check (files > 0),
  overran_at timestamptz,
  primary key (subject, day)
);
comment on table upload_counts is 'files taken in per UTC day; subject is user:<id> or ip:<address or /64>';
comment on column upload_counts.overran_at is 'when a file of this uploader last took longer than it may';
create index upload_counts_overran_idx on upload_counts (overran_at) where overran_at is not null;
comment on index upload_counts_overran_idx is 'uploaders who wait behind the others';

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

create sequence alternative_requests;
comment on sequence alternative_requests is 'numbers of requests for alternatives';

create table alternative_work (
  media_id bigint primary key references media (id) on delete cascade,
  subject text not null,
  turn bigint not null,
  not_before timestamptz not null default now(),
  requested_at timestamptz,
  request bigint,
  attempts integer not null default 0,
  queued_at timestamptz not null default now()
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
