/** The names that the benchmarks use. */
export const SEEDED = {
  /** Author of one post in twenty. */
  busyUser: 'bench_busy',
  /** Author of three posts. */
  quietUser: 'bench_quiet',
  /** On one post in five, and on the first media item of each. */
  bigTag: 'landscape',
  /** On ten posts, and on the first media item of each. */
  smallTag: 'eclipse',
  /** The slug of the post with this id. */
  postSlug: (id: number): string => slugOf('p', id),
  /** The slug of the media item with this id; post `n` holds the media `2n - 1` and `2n`. */
  mediaSlug: (id: number): string => slugOf('m', id),
  /** Ids of posts of the busy user: the `n`th, from 1. */
  busyPost: (n: number): number => 20 * n,
} as const;

/** Slugs are a letter and six hexadecimal digits; multiplying by an odd number modulo 2^24 gives no duplicates. */
const SLUG = { factor: 10368889, shift: 7654321, period: 2 ** 24 };

const slugOf = (letter: string, id: number): string =>
  letter + ((id * SLUG.factor + SLUG.shift) % SLUG.period).toString(16).padStart(6, '0');

/** `slugOf` in SQL. */
const slug = (letter: string, n: string): string =>
  `'${letter}' || lpad(to_hex(((${n}) * ${SLUG.factor} + ${SLUG.shift}) % ${SLUG.period}), 6, '0')`;

/** Ids of the accounts above; those of other accounts follow. */
const BUSY = 1;
const QUIET = 2;
const POSTS_PER_USER = 100;
const MIN_USERS = 20;
const OTHER_TAGS = 200;

export interface SeedStep {
  readonly what: string;
  readonly sql: string;
}

/**
 * Fills an empty, migrated database: posts with two media each, spread over a year in the order of their ids; one in
 * ten nsfw, one in fifty pending, one in fifty hidden; tags, votes and comments. Derived columns get the values that
 * the services would derive. Random-looking values are functions of the id, so every run is equal.
 */
export function seedSteps(posts: number): readonly SeedStep[] {
  const users = Math.max(MIN_USERS, Math.ceil(posts / POSTS_PER_USER));
  return [
    {
      what: 'users',
      sql: `insert into users (id, username, created_at) overriding system value
            select n, case n when ${BUSY} then '${SEEDED.busyUser}' when ${QUIET} then '${SEEDED.quietUser}' else 'bench_' || n end,
                   now() - interval '2 years'
            from generate_series(1, ${users}) n`,
    },
    {
      what: 'tags',
      sql: `insert into tags (id, name) overriding system value
            values (1, '${SEEDED.bigTag}'), (2, '${SEEDED.smallTag}');
            insert into tags (id, name) overriding system value
            select n, 'tag-' || n from generate_series(3, ${OTHER_TAGS + 2}) n`,
    },
    {
      what: 'posts',
      sql: `insert into posts (id, slug, user_id, title, description, visibility, moderation_status, listing, media_count,
                               tags, score, comment_count, created_at, updated_at) overriding system value
            select p.n, ${slug('p', 'p.n')}, p.user_id, 'Post ' || p.n || ' of the ' || w.one || ' ' || w.two,
                   'A ' || w.two || ' seen in ' || (2000 + p.n % 25), p.visibility, p.status, p.listing, 2,
                   array(select name from tags where id = any(p.tag_ids) order by id),
                   case when p.n % 10 = 0 then 3 else 0 end, case when p.n % 10 = 5 then 1 else 0 end, p.at, p.at
            from (${describedPosts(posts, users)}) p
            cross join lateral (select (array['river','mountain','harbour','forest','city','desert','island','glacier'])[1 + p.n % 8] as one,
                                       (array['morning','storm','festival','market','bridge','garden','night'])[1 + p.n % 7] as two) w`,
    },
    {
      what: 'media',
      sql: `insert into media (id, slug, user_id, title, kind, format, mime, ext, width, height, bytes, received_sha256,
                               stored_sha256, moderation_status, processed, processed_at, decided_at, variants, thumbhash,
                               listing, tags, created_at) overriding system value
            select m.n, m.slug, p.user_id, null, 'image', 'jpeg', 'image/jpeg', 'jpg', 4000, 3000, 2500000,
                   sha256(int8send(m.n)), sha256(int8send(-m.n)), m.status, true, p.at, p.at,
                   ${variants('m.slug')}, 'IQgSDYJ3iHiPd4d3h3eAeIh3iPSH', m.listing,
                   array(select name from tags where m.side = 1 and id <= 2 and id = any(p.tag_ids) order by id),
                   p.at - interval '1 second'
            from (${describedPosts(posts, users)}) p
            cross join lateral (
              select 2 * p.n - 2 + side as n, side, ${slug('m', '2 * p.n - 2 + side')} as slug,
                     case when side = 1 and p.status = 'nsfw' then 'nsfw'
                          when side = 2 and p.status = 'pending' then 'pending' else 'approved' end as status,
                     case when p.visibility <> 'public' or (side = 2 and p.status = 'pending') then 'unlisted'
                          when side = 1 and p.status = 'nsfw' then 'nsfw' else 'safe' end as listing
              from generate_series(1, 2) side) m`,
    },
    {
      what: 'media of posts',
      sql: `insert into post_media (post_id, media_id, position)
            select (n + 1) / 2, n, (n + 1) % 2 from generate_series(1, ${2 * posts}::bigint) n`,
    },
    {
      what: 'tags of posts and media',
      sql: `insert into post_tags (post_id, tag_id, listing)
            select p.n, t.id, p.listing from (${describedPosts(posts, users)}) p
            cross join lateral unnest(p.tag_ids) as t (id);
            insert into media_tags (media_id, tag_id, listing)
            select m.id, t.id, m.listing from media m join tags t on t.name = any(m.tags)`,
    },
    {
      what: 'ranks',
      sql: RANKS,
    },
    {
      what: 'follows of the busy user',
      sql: `insert into follows (follower_id, followee_id) select ${BUSY}, n from generate_series(2, ${users}) n;
            update users set following_count = ${users} - 1 where id = ${BUSY};
            update users set follower_count = 1 where id between 2 and ${users}`,
    },
    {
      what: 'votes and comments',
      sql: `insert into post_votes (post_id, user_id, value)
            select 10 * n, 3 + (n + voter) % ${users - 2}, 1
            from generate_series(1, ${Math.floor(posts / 10)}) n, generate_series(0, 2) voter;
            insert into comments (post_id, user_id, content)
            select 10 * n - 5, 3 + n % ${users - 2}, 'What a picture' from generate_series(1, ${Math.floor((posts + 5) / 10)}) n`,
    },
    {
      what: 'sequences',
      sql: ['users', 'tags', 'posts', 'media']
        .map(
          (table) =>
            `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
        )
        .join(';'),
    },
  ];
}

/** The ranks of posts, media and tags, as the services and the ranking of the gateway make them. */
const RANKS = `
  insert into rank_floors (items, age, floor)
  select items, age, coalesce(
    case items when 'posts' then (select min(id) from posts where created_at >= now() - period)
               else (select min(id) from media where created_at >= now() - period) end, 0)
  from (values (0, interval '1 day'), (1, '1 week'), (2, '1 month'), (3, '1 year')) as ages (age, period),
       (values ('posts'), ('media')) as kinds (items)
  on conflict (items, age) do update set floor = excluded.floor;
  create temp table floors as select * from rank_floors;
  delete from post_ranks;
  delete from media_ranks;
  insert into post_ranks (id, user_id, listing, age, score)
  select p.id, p.user_id, p.listing, a.age, p.score
  from posts p cross join lateral (select count(*) as age from floors where items = 'posts' and floor > p.id) a
  where p.listing <> 'unlisted';
  insert into media_ranks (id, user_id, listing, age, score)
  select m.id, m.user_id, m.listing, a.age, coalesce(r.score, 0)
  from media m cross join lateral (select count(*) as age from floors where items = 'media' and floor > m.id) a
  join post_media pm on pm.media_id = m.id left join post_ranks r on r.id = pm.post_id
  where m.listing <> 'unlisted';
  update post_tags t set age = r.age, score = r.score from post_ranks r where r.id = t.post_id and (r.age > 0 or r.score <> 0);
  update media_tags t set age = r.age, score = r.score from media_ranks r where r.id = t.media_id and (r.age > 0 or r.score <> 0);
  drop table floors`;

/** The number of each post with the values that its row, its media and its tags are derived from. */
const describedPosts = (posts: number, users: number): string => `
  select n, case when n = any(array[${quietPosts(posts).join(',')}]) then ${QUIET}
                 when n % 20 = 0 then ${BUSY} else 3 + n % ${users - 2} end as user_id,
         now() - interval '1 year' * (1 - n / ${posts}::float) - interval '1 minute' as at,
         case when n % 50 = 7 then 'hidden' else 'public' end as visibility,
         case when n % 10 = 3 then 'nsfw' when n % 50 = 9 then 'pending' else 'approved' end as status,
         case when n % 50 = 7 or n % 50 = 9 then 'unlisted' when n % 10 = 3 then 'nsfw' else 'safe' end as listing,
         array_remove(array[case when n % 5 = 0 then 1 end, case when n % ${Math.floor(posts / 10)} = 1 then 2 end,
                            3 + n % ${OTHER_TAGS}], null)::bigint[] as tag_ids
  from generate_series(1, ${posts}::bigint) n`;

/** The numbers of the quiet user's posts: an old one, one in the middle, a new one; none is the busy user's. */
const quietPosts = (posts: number): readonly number[] => [
  Math.floor(posts / 40) * 10 + 1,
  Math.floor(posts / 20) * 10 + 1,
  posts - 1,
];

/** Name, suffix of the key and width of the variants that media-processor makes of a photograph. */
const VARIANTS = [
  ['xs', 'xs', 160],
  ['sm', 'sm', 320],
  ['md', 'md', 640],
  ['lg', 'lg', 1280],
  ['xl', 'xl', 1920],
  ['thumb', 'xs', 160],
] as const;

/** A `VariantRecord` each, as JSON. */
const variants = (slugSql: string): string => {
  const records = VARIANTS.map(
    ([name, suffix, width]) =>
      `{"name":"${name}","key":"f/%1$s_${suffix}.jpg","ext":"jpg","mime":"image/jpeg",` +
      `"width":${width},"height":${(width * 3) / 4},"bytes":${width * 90}}`,
  );
  return `format('[${records.join(',')}]', ${slugSql})::jsonb`;
};
