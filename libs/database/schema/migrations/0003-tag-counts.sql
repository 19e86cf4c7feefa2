-- The service that folds feed_deltas also writes the counts in tags.
drop function tag_total_changed cascade;
comment on column tags.post_count is 'posts:tag:<id> of feed_totals: what feed_deltas hold is yet to be added';
comment on column tags.safe_post_count is 'posts:tag:<id> of feed_totals, only what is safe';
