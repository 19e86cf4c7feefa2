alter table media add column event_sequence integer not null default 1;
comment on column media.event_sequence is 'the number of the latest event of this media item; 1 is media.uploaded';
