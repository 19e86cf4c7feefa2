-- The services that change listings, scores, tags and the media of posts also write the ranks, rank_changes and the
-- listing in the index of tags.
drop trigger posts_listing_copied on posts;
drop function copy_listing_to_post_tags;
drop trigger media_listing_copied on media;
drop function copy_listing_to_media_tags;
drop trigger posts_ranked on posts;
drop trigger posts_reranked on posts;
drop function rank_post;
drop trigger posts_score_changed on posts;
drop function post_score_changed;
drop trigger media_ranked on media;
drop trigger media_reranked on media;
drop function rank_media;
drop trigger post_media_added on post_media;
drop trigger post_media_removed on post_media;
drop function post_media_changed;
drop trigger post_tags_added on post_tags;
drop function post_tags_added;
drop trigger media_tags_added on media_tags;
drop function media_tags_added;
