-- mode: alone
-- repair: drop index concurrently if exists media_user_size_idx
create index concurrently media_user_size_idx on media (user_id, bytes desc, id desc);
