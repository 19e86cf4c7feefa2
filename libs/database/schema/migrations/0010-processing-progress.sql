alter table media add column processing_progress smallint;
comment on column media.processing_progress is 'percent of the processing that is done, as last reported; null if nothing was reported';
