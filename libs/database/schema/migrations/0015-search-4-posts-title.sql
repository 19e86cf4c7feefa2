-- mode: alone
-- repair: drop index concurrently if exists posts_title_idx
create index concurrently posts_title_idx on posts (plain(lower(title)) text_pattern_ops) where listing = 'safe';
