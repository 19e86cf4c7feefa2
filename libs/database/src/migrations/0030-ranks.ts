import type { Migration } from './migration';

/** The ranks of listed posts and media, by which feeds with `sort=top` are ordered (docs/feeds.md). */
const ranks: Migration = {
  name: '0030a_ranks',
  up: `
create table rank_floors (
  items text not null check (items in ('posts', 'media')),
  age smallint not null check (age between 0 and 3),
  floor bigint not null,
  primary key (items, age)
);
comment on table rank_floors is 'the lowest ids of the last day (age 0), week, month and year, as of the last run of ranking';
insert into rank_floors (items, age, floor)
select 'posts', age, (select coalesce(min(id), 0) from posts where created_at >= now() - period - interval '1 minute')
from (values (0, interval '1 day'), (1, '1 week'), (2, '1 month'), (3, '1 year')) as ages (age, period)
union all
select 'media', age, (select coalesce(min(id), 0) from media where created_at >= now() - period - interval '1 minute')
from (values (0, interval '1 day'), (1, '1 week'), (2, '1 month'), (3, '1 year')) as ages (age, period);

create function rank_age(asked text, item_id bigint) returns smallint language sql stable parallel safe as $$
  select count(*)::smallint from rank_floors where items = asked and floor > item_id
$$;
comment on function rank_age is 'the age of an item by rank_floors: 0 within the last day, 4 if older than a year';

create table post_ranks (
  id bigint primary key references posts (id) on delete cascade,
  user_id bigint,
  listing text not null check (listing in ('safe', 'nsfw')),
  age smallint not null check (age between 0 and 4),
  score integer not null
) with (fillfactor = 90);
comment on table post_ranks is 'listed posts as sort=top orders them; apart from posts so that a vote changes no index of that wide table';
comment on column post_ranks.score is 'posts.score as of the last run of ranking';
comment on column post_ranks.age is 'never too high; too low only until the next run of ranking';
create index post_ranks_top_idx on post_ranks (listing, age, score, id);
comment on index post_ranks_top_idx is 'feeds of posts, highest score first';
create index post_ranks_user_top_idx on post_ranks (user_id, listing, age, score, id);
comment on index post_ranks_user_top_idx is 'posts of one user, highest score first';

create table media_ranks (
  id bigint primary key references media (id) on delete cascade,
  user_id bigint,
  listing text not null check (listing in ('safe', 'nsfw')),
  age smallint not null check (age between 0 and 4),
  score integer not null
) with (fillfactor = 90);
comment on table media_ranks is 'listed media as sort=top orders them';
comment on column media_ranks.score is 'the highest score of the listed posts that contain it, 0 if there is none, as of the last run of ranking';
create index media_ranks_top_idx on media_ranks (listing, age, score, id);
comment on index media_ranks_top_idx is 'feeds of media, highest score first';
create index media_ranks_user_top_idx on media_ranks (user_id, listing, age, score, id);
comment on index media_ranks_user_top_idx is 'media of one user, highest score first';

create table rank_changes (
  id bigint generated always as identity primary key,
  post_id bigint,
  media_id bigint
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
comment on table rank_changes is 'posts and media whose ranks may be out of date; append-only, so that votes never wait for ranking';

create function rank_feed(ranks text, age smallint, score integer) returns text language sql immutable parallel safe as $$
  select case ranks when 'post_ranks' then 'posts' else 'media' end || ':top:' || age || ':' || score
$$;
comment on function rank_feed is 'the name in the counts of feeds of the items of one age and score';

create function rank_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform note_feed_change(rank_feed(tg_table_name, old.age, old.score), old.listing, old.id, -1);
  end if;
  if tg_op <> 'DELETE' then
    perform note_feed_change(rank_feed(tg_table_name, new.age, new.score), new.listing, new.id, 1);
  end if;
  return null;
end
$$;
create trigger post_ranks_made after insert or delete on post_ranks for each row execute function rank_changed();
create trigger post_ranks_moved after update on post_ranks for each row
  when ((old.listing, old.age, old.score) is distinct from (new.listing, new.age, new.score)) execute function rank_changed();
create trigger media_ranks_made after insert or delete on media_ranks for each row execute function rank_changed();
create trigger media_ranks_moved after update on media_ranks for each row
  when ((old.listing, old.age, old.score) is distinct from (new.listing, new.age, new.score)) execute function rank_changed();

create function rank_post() returns trigger language plpgsql as $$
begin
  if new.listing = 'unlisted' then
    delete from post_ranks where id = new.id;
  else
    insert into post_ranks (id, user_id, listing, age, score)
    values (new.id, new.user_id, new.listing, rank_age('posts', new.id), new.score)
    on conflict (id) do update set user_id = excluded.user_id, listing = excluded.listing;
  end if;
  insert into rank_changes (post_id) values (new.id);
  return null;
end
$$;
create function rank_media() returns trigger language plpgsql as $$
begin
  if new.listing = 'unlisted' then
    delete from media_ranks where id = new.id;
  else
    insert into media_ranks (id, user_id, listing, age, score)
    values (new.id, new.user_id, new.listing, rank_age('media', new.id), 0)
    on conflict (id) do update set user_id = excluded.user_id, listing = excluded.listing;
    insert into rank_changes (media_id) values (new.id);
  end if;
  return null;
end
$$;
create function post_score_changed() returns trigger language plpgsql as $$
begin
  insert into rank_changes (post_id) values (new.id);
  return null;
end
$$;
create function post_media_changed() returns trigger language plpgsql as $$
begin
  insert into rank_changes (media_id) select distinct media_id from changed;
  return null;
end
$$;
create function post_tags_added() returns trigger language plpgsql as $$
begin
  insert into rank_changes (post_id) select distinct post_id from changed;
  return null;
end
$$;
create function media_tags_added() returns trigger language plpgsql as $$
begin
  insert into rank_changes (media_id) select distinct media_id from changed;
  return null;
end
$$;
`,
};

/** Each step below changes one table in use: the triggers keep ranks and the queue of ranking from here on. */
const postsRanked: Migration = {
  name: '0030b_posts_ranked',
  up: `
create trigger posts_ranked after insert on posts for each row when (new.listing <> 'unlisted') execute function rank_post();
create trigger posts_reranked after update of listing, user_id on posts for each row
  when (old.listing <> new.listing or old.user_id is distinct from new.user_id) execute function rank_post();
create trigger posts_score_changed after update of score on posts for each row
  when (old.score <> new.score) execute function post_score_changed();
`,
};

const mediaRanked: Migration = {
  name: '0030c_media_ranked',
  up: `
create trigger media_ranked after insert on media for each row when (new.listing <> 'unlisted') execute function rank_media();
create trigger media_reranked after update of listing, user_id on media for each row
  when (old.listing <> new.listing or old.user_id is distinct from new.user_id) execute function rank_media();
`,
};

const postMediaRanked: Migration = {
  name: '0030d_post_media_ranked',
  up: `
create trigger post_media_added after insert on post_media referencing new table as changed
  for each statement execute function post_media_changed();
create trigger post_media_removed after delete on post_media referencing old table as changed
  for each statement execute function post_media_changed();
`,
};

const postTagsRanked: Migration = {
  name: '0030e_post_tags_ranked',
  up: `
alter table post_tags add column age smallint not null default 0, add column score integer not null default 0;
comment on column post_tags.age is 'copy of post_ranks.age';
comment on column post_tags.score is 'copy of post_ranks.score';
create trigger post_tags_added after insert on post_tags referencing new table as changed
  for each statement execute function post_tags_added();
`,
};

const mediaTagsRanked: Migration = {
  name: '0030f_media_tags_ranked',
  up: `
alter table media_tags add column age smallint not null default 0, add column score integer not null default 0;
comment on column media_tags.age is 'copy of media_ranks.age';
comment on column media_tags.score is 'copy of media_ranks.score';
create trigger media_tags_added after insert on media_tags referencing new table as changed
  for each statement execute function media_tags_added();
`,
};

/**
 * Ranks what is listed already, from the highest id down. The share lock makes a post that is hidden meanwhile wait, so
 * that its trigger removes the rank. An item that is listed meanwhile may leave a gap, which the next step fills.
 */
const fillPosts: Migration = {
  name: '0030g_fill_post_ranks',
  mode: 'batches',
  up: `
insert into post_ranks (id, user_id, listing, age, score)
select id, user_id, listing, rank_age('posts', id), score from (
  select id, user_id, listing, score from posts
  where listing <> 'unlisted' and id < coalesce((select min(id) from post_ranks), 9223372036854775807)
  order by id desc limit 2000 for share
) as listed
on conflict (id) do nothing`,
};

const fillPostGaps: Migration = {
  name: '0030h_fill_post_rank_gaps',
  mode: 'batches',
  up: `
insert into post_ranks (id, user_id, listing, age, score)
select id, user_id, listing, rank_age('posts', id), score from (
  select id, user_id, listing, score from posts
  where listing <> 'unlisted' and not exists (select from post_ranks r where r.id = posts.id)
  order by id desc limit 2000 for share
) as listed
on conflict (id) do nothing`,
};

const scoreOfMedia = `coalesce((
  select max(p.score) from post_media pm join posts p on p.id = pm.post_id
  where pm.media_id = listed.id and p.listing <> 'unlisted'), 0)`;

const fillMedia: Migration = {
  name: '0030i_fill_media_ranks',
  mode: 'batches',
  up: `
insert into media_ranks (id, user_id, listing, age, score)
select id, user_id, listing, rank_age('media', id), ${scoreOfMedia} from (
  select id, user_id, listing from media
  where listing <> 'unlisted' and id < coalesce((select min(id) from media_ranks), 9223372036854775807)
  order by id desc limit 2000 for share
) as listed
on conflict (id) do nothing`,
};

const fillMediaGaps: Migration = {
  name: '0030j_fill_media_rank_gaps',
  mode: 'batches',
  up: `
insert into media_ranks (id, user_id, listing, age, score)
select id, user_id, listing, rank_age('media', id), ${scoreOfMedia} from (
  select id, user_id, listing from media
  where listing <> 'unlisted' and not exists (select from media_ranks r where r.id = media.id)
  order by id desc limit 2000 for share
) as listed
on conflict (id) do nothing`,
};

/** The ranks of tags that were there before; a rank that changes meanwhile is copied again by ranking. */
const fillPostTags: Migration = {
  name: '0030k_fill_post_tags',
  mode: 'batches',
  up: `
update post_tags t set age = ranked.age, score = ranked.score
from (
  select t.post_id, t.tag_id, r.age, r.score from post_tags t join post_ranks r on r.id = t.post_id
  where t.age <> r.age or t.score <> r.score order by 1, 2 limit 20000
) as ranked
where t.post_id = ranked.post_id and t.tag_id = ranked.tag_id`,
};

const fillMediaTags: Migration = {
  name: '0030l_fill_media_tags',
  mode: 'batches',
  up: `
update media_tags t set age = ranked.age, score = ranked.score
from (
  select t.media_id, t.tag_id, r.age, r.score from media_tags t join media_ranks r on r.id = t.media_id
  where t.age <> r.age or t.score <> r.score order by 1, 2 limit 20000
) as ranked
where t.media_id = ranked.media_id and t.tag_id = ranked.tag_id`,
};

const indexOf = (name: string, definition: string): Migration => ({
  name,
  mode: 'alone',
  up: `create index concurrently ${definition}`,
  repair: `drop index concurrently if exists ${definition.split(' ')[0]}`,
});

const postTagsIndex = indexOf(
  '0030m_post_tags_top',
  `post_tags_top_idx on post_tags (tag_id, listing, age, score, post_id) where listing <> 'unlisted'`,
);
const mediaTagsIndex = indexOf(
  '0030n_media_tags_top',
  `media_tags_top_idx on media_tags (tag_id, listing, age, score, media_id) where listing <> 'unlisted'`,
);
const totalsIndex = indexOf(
  '0030o_feed_totals_top',
  `feed_totals_top_idx on feed_totals (split_part(feed, ':', 1), listing) where feed like '%:top:%'`,
);

/** Comments on the indexes: an index that is built concurrently can't have one in the same step. */
const indexComments: Migration = {
  name: '0030p_index_comments',
  up: `
comment on index post_tags_top_idx is 'posts of one tag, highest score first';
comment on index media_tags_top_idx is 'media of one tag, highest score first';
comment on index feed_totals_top_idx is 'the numbers of items of each age and score, where a deep page of sort=top begins';
`,
};

/** The steps in their order. */
export const feedRanks: readonly Migration[] = [
  ranks,
  postsRanked,
  mediaRanked,
  postMediaRanked,
  postTagsRanked,
  mediaTagsRanked,
  fillPosts,
  fillPostGaps,
  fillMedia,
  fillMediaGaps,
  fillPostTags,
  fillMediaTags,
  postTagsIndex,
  mediaTagsIndex,
  totalsIndex,
  indexComments,
];
