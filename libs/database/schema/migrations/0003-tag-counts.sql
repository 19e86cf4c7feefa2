-- The service that folds feed_deltas also writes the counts in tags.
drop trigger feed_totals_tag_made on feed_totals;
drop trigger feed_totals_tag_moved on feed_totals;
drop trigger feed_totals_tag_gone on feed_totals;
drop function tag_total_changed;
comment on column tags.post_count is 'posts:tag:<id> of feed_totals: what feed_deltas hold is yet to be added';
comment on column tags.safe_post_count is 'posts:tag:<id> of feed_totals, only what is safe';
