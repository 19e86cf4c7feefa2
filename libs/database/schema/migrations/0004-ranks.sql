-- The services that change listings, scores, tags and the media of posts also write the ranks, rank_changes and the
-- listing in the index of tags.
drop function copy_listing_to_post_tags cascade;
drop function copy_listing_to_media_tags cascade;
drop function rank_post cascade;
drop function post_score_changed cascade;
drop function rank_media cascade;
drop function post_media_changed cascade;
drop function post_tags_added cascade;
drop function media_tags_added cascade;
