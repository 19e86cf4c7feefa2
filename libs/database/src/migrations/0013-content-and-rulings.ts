import type { Migration } from './migration';

/** Rulings on posts cover one revision of the content; a post stores whether it has anything to show. */
const postRevisions: Migration = {
  name: '0013a_post_revisions',
  up: `
alter table posts
  add column revision integer not null default 1,
  add column ruling_lapsed_at timestamptz,
  add column empty boolean not null default false;
comment on column posts.revision is 'rises with each change of title, description, tags or media: what a ruling covers';
comment on column posts.ruling_lapsed_at is 'when a change of the content ended a ruling of approved or nsfw; null once a moderator has ruled again';
comment on column posts.empty is 'derived: it holds no media that others may see';
`,
};

/** Media that are in no feed until a public post contains them. */
const unlistedMedia: Migration = {
  name: '0013b_unlisted_media',
  up: `
alter table media add column unlisted boolean not null default false;
comment on column media.unlisted is 'in no feed until it is in a public post; as its owner says';
`,
};

/** The revision of a post that a ruling covered. */
const ruledRevisions: Migration = {
  name: '0013c_ruled_revisions',
  up: `
alter table moderation_decisions add column revision integer;
comment on column moderation_decisions.revision is 'of rulings on posts: the revision of the content that was ruled on';
`,
};

/** The posts whose rulings have ended, for moderators. */
const lapsedRulings: Migration = {
  name: '0013d_lapsed_rulings',
  mode: 'alone',
  up: 'create index concurrently posts_ruling_lapsed_idx on posts (ruling_lapsed_at) where ruling_lapsed_at is not null',
  repair: 'drop index concurrently if exists posts_ruling_lapsed_idx',
};

/** Tags count safe items and nsfw items separately. */
const safeTagCounts: Migration = {
  name: '0013e_safe_tag_counts',
  up: `
alter table tags
  add column safe_post_count bigint not null default 0,
  add column safe_media_count bigint not null default 0;
comment on column tags.safe_post_count is 'posts:tag:<id> of feed_totals, only what is safe, by triggers';
comment on column tags.safe_media_count is 'media:tag:<id> of feed_totals, likewise';

create or replace function tag_total_changed() returns trigger language plpgsql as $$
declare
  total feed_totals := coalesce(new, old);
  change bigint := coalesce(new.items, 0) - coalesce(old.items, 0);
  safe_change bigint := case when total.listing = 'safe' then change else 0 end;
  tag bigint := split_part(total.feed, ':', 3)::bigint;
begin
  if change = 0 then
    return null;
  elsif total.feed like 'posts:%' then
    update tags set post_count = post_count + change, safe_post_count = safe_post_count + safe_change where id = tag;
  else
    update tags set media_count = media_count + change, safe_media_count = safe_media_count + safe_change where id = tag;
  end if;
  return null;
end
$$;
`,
};

/** The safe counts of tags that were in use before. A count that changes meanwhile is correct after the last batch. */
const fillSafeTagCounts: Migration = {
  name: '0013f_fill_safe_tag_counts',
  mode: 'batches',
  up: `
update tags set safe_post_count = counted.posts, safe_media_count = counted.media
from (
  select t.id, coalesce(p.items, 0) as posts, coalesce(m.items, 0) as media
  from tags t
  left join feed_totals p on p.feed = 'posts:tag:' || t.id and p.listing = 'safe'
  left join feed_totals m on m.feed = 'media:tag:' || t.id and m.listing = 'safe'
  where t.safe_post_count <> coalesce(p.items, 0) or t.safe_media_count <> coalesce(m.items, 0)
  order by t.id limit 1000
) as counted
where tags.id = counted.id`,
};

/** Tags in use, most used first, for readers who did not ask for nsfw content. */
const safeTagUses: Migration = {
  name: '0013g_safe_tag_uses',
  mode: 'alone',
  up: `create index concurrently tags_safe_uses_idx on tags ((safe_post_count + safe_media_count) desc, name)
       where safe_post_count + safe_media_count > 0`,
  repair: 'drop index concurrently if exists tags_safe_uses_idx',
};

/**
 * Removes from the safe feeds the posts that a moderator approved although they hold nsfw media. The update reads the
 * listing again from the row that it changes, so that a post that was hidden meanwhile stays unlisted.
 */
const relistNsfwPosts: Migration = {
  name: '0013h_relist_nsfw_posts',
  mode: 'batches',
  up: `
update posts set listing = 'nsfw'
where listing = 'safe' and id in (
  select p.id from posts p
  where p.listing = 'safe'
    and exists (select from post_media pm join media m on m.id = pm.media_id
                where pm.post_id = p.id and m.moderation_status = 'nsfw')
  limit 500)`,
};

/**
 * Marks the posts that have nothing to show. A post that changes meanwhile may have a wrong mark until the last batch has
 * ended.
 */
const markEmptyPosts: Migration = {
  name: '0013i_mark_empty_posts',
  mode: 'batches',
  up: `
update posts set empty = not posts.empty
where id in (
  select p.id from posts p
  where p.empty = exists (select from post_media pm join media m on m.id = pm.media_id
                          where pm.post_id = p.id and m.moderation_status <> 'rejected')
  limit 500)`,
};

/** Comments on the two indexes: an index that is built concurrently can't have one in the same step. */
const indexComments: Migration = {
  name: '0013j_index_comments',
  up: `
comment on index posts_ruling_lapsed_idx is 'moderators'' queue: posts whose ruling has ended';
comment on index tags_safe_uses_idx is 'tags in use without nsfw, most used first; how many there are';
`,
};

/** The steps in their order. */
export const contentAndRulings: readonly Migration[] = [
  postRevisions,
  unlistedMedia,
  ruledRevisions,
  lapsedRulings,
  safeTagCounts,
  fillSafeTagCounts,
  safeTagUses,
  relistNsfwPosts,
  markEmptyPosts,
  indexComments,
];
