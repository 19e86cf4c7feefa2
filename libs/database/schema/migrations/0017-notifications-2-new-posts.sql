-- mode: alone
-- repair: drop index concurrently if exists notifications_new_post_key
create unique index concurrently notifications_new_post_key on notifications (user_id, post_id) where kind = 'post';
