/** A query for the rows whose derived column differs from what it is derived from. */
export interface CountProof {
  /** The statement that is proved. */
  readonly what: string;
  /** Selects the rows that differ. */
  readonly differing: string;
}

/** Counts the media of a post by status; `standing` are those that aren't rejected. */
const mediaOf = (post: string): string => `
  select count(*) as held, count(*) filter (where moderation_status <> 'rejected') as standing,
         count(*) filter (where moderation_status = 'pending') as pending,
         count(*) filter (where moderation_status = 'nsfw') as nsfw
  from post_media pm join media on media.id = pm.media_id where pm.post_id = ${post}`;

/** `derivePostStatus` of libs/domain in SQL. */
const postStatus = `
  case when p.moderator_status = 'rejected' then 'rejected'
       when p.moderator_status is not null then case when p.owner_nsfw then 'nsfw' else p.moderator_status end
       when m.standing = 0 and m.held > 0 then 'rejected'
       when p.owner_nsfw then 'nsfw'
       when m.standing = 0 or m.pending > 0 then 'pending'
       when m.nsfw > 0 then 'nsfw' else 'approved' end`;

/** The things of a restricted account are in no feed. */
const withheld = (owner: string): string =>
  `exists (select from account_restrictions r where r.user_id = ${owner})`;

/** While an account is relisted, some of its things have the listing from before. */
const settled = (owner: string): string =>
  `not exists (select from relistings relisting where relisting.user_id = ${owner})`;

/** Items whose column `tags` differs from the tags by which they are found. */
const tagsOf = (items: string, table: string, key: string): string => `
  select from ${items} item
  where array(select tag from unnest(item.tags) as tag order by tag collate "C")
     <> array(select t.name from ${table} join tags t on t.id = tag_id where ${key} = item.id order by t.name collate "C")`;

/**
 * Ranks that differ from their items, except those that wait to be ranked. `score` is the score of the `item`, `queued`
 * the column of the queue with its id.
 */
const ranksOf = (items: string, table: string, queued: string, score: string): string => `
  select from (select * from ${items} where listing <> 'unlisted') item full join ${table} r using (id)
  where id not in (select ${queued} from rank_changes where ${queued} is not null)
    and ((item.user_id, item.listing, ${score}) is distinct from (r.user_id, r.listing, r.score)
         or r.age > rank_age('${items}', id) or item.listing is null)`;

/** The score of a media item, except where one of its posts waits to be ranked. */
const MEDIA_SCORE = `case when exists (select from post_media pm join rank_changes c using (post_id) where pm.media_id = item.id)
  then r.score else coalesce((select max(p.score) from post_media pm join posts p on p.id = pm.post_id
    where pm.media_id = item.id and p.listing <> 'unlisted'), 0) end`;

/** Tags whose ranks differ from those of their items, except those that wait to be ranked. */
const tagRanksOf = (tags: string, key: string, table: string): string => `
  select from ${tags} t join ${table} r on r.id = t.${key}
  where (t.age, t.score) is distinct from (r.age, r.score)
    and t.${key} not in (select ${key} from rank_changes where ${key} is not null)`;

/** Every derived column of the schema, except the counts of feeds, which their service verifies. */
export const COUNT_PROOFS: readonly CountProof[] = [
  {
    what: 'posts.score is the sum of its votes',
    differing: `select from posts p where p.score <> coalesce((select sum(value) from post_votes v where v.post_id = p.id), 0)`,
  },
  {
    what: 'comments.score is the sum of its votes',
    differing: `select from comments c
      where c.score <> coalesce((select sum(value) from comment_votes v where v.comment_id = c.id), 0)`,
  },
  {
    what: 'posts.comment_count is its comments without tombstones',
    differing: `select from posts p
      where p.comment_count <> (select count(*) from comments c where c.post_id = p.id and c.deleted_at is null)`,
  },
  {
    what: 'comments.replies_count is its direct replies',
    differing: `select from comments c
      where c.replies_count <> (select count(*) from comments reply where reply.parent_id = c.id)`,
  },
  {
    what: 'posts.media_count is its media',
    differing: `select from posts p where p.media_count <> (select count(*) from post_media pm where pm.post_id = p.id)`,
  },
  {
    what: 'posts.moderation_status follows from moderator, owner and media',
    differing: `select from posts p cross join lateral (${mediaOf('p.id')}) as m
      where p.moderation_status <> ${postStatus}`,
  },
  {
    what: 'posts.listing follows from visibility, status, media and the state of the owner',
    differing: `select from posts p cross join lateral (${mediaOf('p.id')}) as m
      where ${settled('p.user_id')} and p.listing <> case
                              when ${withheld('p.user_id')} or p.visibility <> 'public' or m.standing = 0 or m.pending > 0 then 'unlisted'
                              when p.moderation_status = 'approved' and m.nsfw = 0 then 'safe'
                              when p.moderation_status in ('approved', 'nsfw') then 'nsfw' else 'unlisted' end`,
  },
  {
    what: 'posts.empty says whether others see none of its media',
    differing: `select from posts p cross join lateral (${mediaOf('p.id')}) as m where p.empty <> (m.standing = 0)`,
  },
  {
    what: 'media.moderation_status is not approved if the owner marked it',
    differing: `select from media m where m.owner_nsfw and m.moderation_status = 'approved'`,
  },
  {
    what: 'media.listing follows from its status, its posts and the state of the owner',
    differing: `select from media m cross join lateral (
        select count(*) as posts, count(*) filter (where p.visibility = 'public') as open
        from post_media pm join posts p on p.id = pm.post_id where pm.media_id = m.id
      ) as held
      where ${settled('m.user_id')} and m.listing <> case
                              when ${withheld('m.user_id')} or (m.unlisted or held.posts > 0) and held.open = 0 then 'unlisted'
                              when m.moderation_status = 'approved' then 'safe'
                              when m.moderation_status = 'nsfw' then 'nsfw' else 'unlisted' end`,
  },
  {
    what: 'shared_files.unused_since is set if no media item refers to the file, and only then',
    differing: `select from shared_files s
      where (s.unused_since is null) <> exists (select from media m where m.shared_key = s.key)`,
  },
  {
    what: 'media.shared_key is of a file with the same bytes',
    differing: `select from media m join shared_files s on s.key = m.shared_key
      where (s.sha256, s.bytes) <> (m.stored_sha256, m.bytes)`,
  },
  {
    what: 'post_tags.listing is that of the post',
    differing: `select from post_tags t join posts p on p.id = t.post_id where t.listing <> p.listing`,
  },
  {
    what: 'media_tags.listing is that of the media',
    differing: `select from media_tags t join media m on m.id = t.media_id where t.listing <> m.listing`,
  },
  { what: 'posts.tags are its post_tags', differing: tagsOf('posts', 'post_tags', 'post_id') },
  { what: 'media.tags are its media_tags', differing: tagsOf('media', 'media_tags', 'media_id') },
  {
    what: 'post_ranks are the listed posts with their scores',
    differing: ranksOf('posts', 'post_ranks', 'post_id', 'item.score'),
  },
  {
    what: 'media_ranks are the listed media with the highest scores of their posts',
    differing: ranksOf('media', 'media_ranks', 'media_id', MEDIA_SCORE),
  },
  {
    what: 'post_tags.age and score are those of post_ranks',
    differing: tagRanksOf('post_tags', 'post_id', 'post_ranks'),
  },
  {
    what: 'media_tags.age and score are those of media_ranks',
    differing: tagRanksOf('media_tags', 'media_id', 'media_ranks'),
  },
  {
    what: 'users.follower_count is its followers',
    differing: `select from users u where u.follower_count <> (select count(*) from follows f where f.followee_id = u.id)`,
  },
  {
    what: 'users.following_count is whom it follows',
    differing: `select from users u where u.following_count <> (select count(*) from follows f where f.follower_id = u.id)`,
  },
  {
    what: 'tags.post_count, tags.media_count and the safe ones are those of feed_totals',
    differing: `select from tags t
      where t.post_count <> coalesce((select sum(items) from feed_totals where feed = 'posts:tag:' || t.id), 0)
         or t.media_count <> coalesce((select sum(items) from feed_totals where feed = 'media:tag:' || t.id), 0)
         or t.safe_post_count
            <> coalesce((select items from feed_totals where feed = 'posts:tag:' || t.id and listing = 'safe'), 0)
         or t.safe_media_count
            <> coalesce((select items from feed_totals where feed = 'media:tag:' || t.id and listing = 'safe'), 0)`,
  },
];
