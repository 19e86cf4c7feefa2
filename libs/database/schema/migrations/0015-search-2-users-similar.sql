-- mode: alone
-- repair: drop index concurrently if exists users_similar_idx
create index concurrently users_similar_idx on users using gin (username gin_trgm_ops) where kind = 'member' and deleted_at is null;
