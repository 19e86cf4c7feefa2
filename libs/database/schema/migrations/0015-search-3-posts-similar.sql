-- mode: alone
-- repair: drop index concurrently if exists posts_similar_idx
create index concurrently posts_similar_idx on posts
  using gin (plain(title) gin_trgm_ops, cjk_document(title, description, tags)) where listing <> 'unlisted';
