import type { Migration } from './migration';

/** Use counts of tags, so that the most used ones are found without counting. */
export const tagCounts: Migration = {
  name: '0007_tag_counts',
  up: `
alter table tags
  add column post_count bigint not null default 0,
  add column media_count bigint not null default 0,
  add column uses bigint not null generated always as (post_count + media_count) stored;
comment on column tags.post_count is 'posts:tag:<id> of feed_totals, by triggers: what feed_deltas hold is yet to be added';
comment on column tags.media_count is 'media:tag:<id> of feed_totals, likewise';

create index tags_uses_idx on tags (uses desc, name) where uses > 0;
comment on index tags_uses_idx is 'tags in use, most used first; how many there are';

create function tag_total_changed() returns trigger language plpgsql as $$
declare
  total feed_totals := coalesce(new, old);
  change bigint := coalesce(new.items, 0) - coalesce(old.items, 0);
  tag bigint := split_part(total.feed, ':', 3)::bigint;
begin
  if change = 0 then
    return null;
  elsif total.feed like 'posts:%' then
    update tags set post_count = post_count + change where id = tag;
  else
    update tags set media_count = media_count + change where id = tag;
  end if;
  return null;
end
$$;
create trigger feed_totals_tag_made after insert on feed_totals
  for each row when (new.feed like '%:tag:%') execute function tag_total_changed();
create trigger feed_totals_tag_moved after update on feed_totals
  for each row when (new.feed like '%:tag:%') execute function tag_total_changed();
create trigger feed_totals_tag_gone after delete on feed_totals
  for each row when (old.feed like '%:tag:%') execute function tag_total_changed();

update tags set
  post_count = coalesce((select sum(items) from feed_totals where feed = 'posts:tag:' || tags.id), 0),
  media_count = coalesce((select sum(items) from feed_totals where feed = 'media:tag:' || tags.id), 0);
`,
};
