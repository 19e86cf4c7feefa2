import { createTestDatabase, eventually, type TestDatabase } from '@vitrine/testing';
import { Client } from 'pg';
import { runMigrations } from '../migrate/migrate';
import { migrations } from './all-migrations';

describe('migrations of a database in use', () => {
  let database: TestDatabase;
  let client: Client;

  beforeEach(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('drop schema public cascade; drop schema bus cascade; create schema public');
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  const migrateTo = (last: string): Promise<unknown> =>
    runMigrations(
      database.url,
      migrations.filter(({ name }) => name <= last),
    );
  const rows = async (sql: string): Promise<unknown> =>
    (await client.query({ text: sql, rowMode: 'array' })).rows;

  /** The contents of each feed, derived from the posts and media themselves. */
  const ENTRIES = `
    select 'posts' as feed, listing, id from posts where listing <> 'unlisted'
    union all select 'posts:user:' || user_id, listing, id from posts where user_id is not null
    union all select 'media', listing, id from media where listing <> 'unlisted'
    union all select 'media:user:' || user_id, listing, id from media where user_id is not null`;

  it('lists and counts content from before there were feeds', async () => {
    await migrateTo('0003_failed_media');
    await client.query(`
      insert into users (username) values ('ann'), ('bob');
      insert into media (slug, user_id, moderation_status, kind, format, mime, ext, width, height, bytes,
                         received_sha256, stored_sha256)
      select 'media' || lpad(n::text, 2, '0'), nullif(owner, 0), status, 'image', 'png', 'image/png', 'png', 1, 1, 1,
             sha256('a'), sha256('b')
      from (values (1, 1, 'approved'), (2, 1, 'nsfw'), (3, 1, 'pending'), (4, 1, 'rejected'),
                   (5, 2, 'approved'), (6, 2, 'approved'), (7, 0, 'approved')) as made (n, owner, status);
      insert into posts (slug, user_id, visibility, access_key, moderation_status, owner_nsfw)
      values ('aaaaaa1', 1, 'public', null, 'approved', false), ('aaaaaa2', 1, 'public', null, 'nsfw', false),
             ('aaaaaa3', 1, 'public', null, 'nsfw', true), ('aaaaaa4', 1, 'public', null, 'rejected', false),
             ('aaaaaa5', 2, 'hidden', null, 'approved', false),
             ('aaaaaa6', 2, 'private', repeat('k', 32), 'approved', false),
             ('aaaaaa7', 2, 'public', null, 'pending', false);
      insert into post_media (post_id, media_id, position)
      values (1, 1, 0), (1, 4, 1), (2, 2, 0), (3, 1, 0), (3, 3, 1), (4, 4, 0), (5, 5, 0), (6, 5, 0), (6, 1, 1);
      update posts set media_count = (select count(*) from post_media where post_id = posts.id)`);
    await migrateTo('9999');

    expect(await rows('select slug, listing from media order by id')).toEqual([
      ['media01', 'safe'],
      ['media02', 'nsfw'],
      ['media03', 'unlisted'],
      ['media04', 'unlisted'],
      ['media05', 'unlisted'],
      ['media06', 'safe'],
      ['media07', 'safe'],
    ]);
    expect(await rows('select slug, listing from posts order by id')).toEqual([
      ['aaaaaa1', 'safe'],
      ['aaaaaa2', 'nsfw'],
      // It is nsfw immediately, because its owner set that, but one of its media is pending.
      ['aaaaaa3', 'unlisted'],
      ['aaaaaa4', 'unlisted'],
      ['aaaaaa5', 'unlisted'],
      ['aaaaaa6', 'unlisted'],
      ['aaaaaa7', 'unlisted'],
    ]);
    expect(await rows('select feed, listing, items from feed_totals order by 1, 2')).toEqual(
      await rows(`select feed, listing, count(*) from (${ENTRIES}) as entries group by 1, 2 order by 1, 2`),
    );
    expect(
      await rows('select feed, listing, level, block, items from feed_blocks order by 1, 2, 3, 4'),
    ).toEqual(
      await rows(`select feed, listing, level, feed_block(id, level), count(*)::integer
                  from (${ENTRIES}) as entries join dense_feeds using (feed), generate_series(0, 3) as level
                  group by 1, 2, 3, 4 order by 1, 2, 3, 4`),
    );
    expect(await rows('select feed, listing, bucket, items from feed_buckets order by 1, 2, 3')).toEqual(
      await rows(`select feed, listing, shuffle_bucket(id), count(*)::integer
                  from (${ENTRIES}) as entries where feed in ('posts', 'media') group by 1, 2, 3 order by 1, 2, 3`),
    );
    expect(await rows(`select 1 from feed_deltas where feed not like '%:top:%'`)).toEqual([]);
  });

  it('ranks content from before there were ranks, and counts the ranks', async () => {
    await migrateTo('0021_comment_edits');
    await client.query(`
      insert into users (username) values ('ann');
      insert into media (slug, user_id, listing, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256)
      select 'media' || lpad(n::text, 2, '0'), 1, listing, 'image', 'png', 'image/png', 'png', 1, 1, 1, sha256('a'), sha256('b')
      from (values (1, 'safe'), (2, 'safe'), (3, 'unlisted'), (4, 'nsfw')) as made (n, listing);
      insert into posts (slug, user_id, listing, score, created_at)
      values ('aaaaaa1', 1, 'safe', 3, now() - interval '2 years'), ('aaaaaa2', null, 'nsfw', 7, now() - interval '8 days'),
             ('aaaaaa3', 1, 'unlisted', 9, now()), ('aaaaaa4', 1, 'safe', -1, now());
      insert into post_media (post_id, media_id, position) values (1, 1, 0), (2, 1, 0), (3, 1, 0), (4, 2, 0);
      insert into tags (name) values ('one');
      insert into post_tags select id, 1, listing from posts;
      insert into media_tags select id, 1, listing from media`);
    await migrateTo('9999');

    expect(await rows('select id, user_id, listing, age, score from post_ranks order by id')).toEqual(
      [
        [1, 1, 'safe', 4, 3],
        [2, null, 'nsfw', 2, 7],
        [4, 1, 'safe', 0, -1],
      ].map((row) => row.map((value, index) => (index < 2 && value !== null ? String(value) : value))),
    );
    expect(await rows('select id::integer, listing, score from media_ranks order by id')).toEqual([
      [1, 'safe', 7],
      [2, 'safe', -1],
      [4, 'nsfw', 0],
    ]);
    expect(await rows('select post_id::integer, age, score from post_tags order by 1')).toEqual([
      [1, 4, 3],
      [2, 2, 7],
      [3, 0, 0],
      [4, 0, -1],
    ]);
    expect(await rows('select media_id::integer, score from media_tags order by 1')).toEqual([
      [1, 7],
      [2, -1],
      [3, 0],
      [4, 0],
    ]);
    expect(
      await rows(`select feed, listing, sum(change)::integer from feed_deltas where feed like 'posts:top:%'
                  group by 1, 2 order by 1`),
    ).toEqual([
      ['posts:top:0:-1', 'safe', 1],
      ['posts:top:2:7', 'nsfw', 1],
      ['posts:top:4:3', 'safe', 1],
    ]);
  });

  it('counts the tags that were in use before they had counts', async () => {
    await migrateTo('0006_reports');
    await client.query(`
      insert into users (username) values ('ann');
      insert into tags (name) values ('one'), ('two'), ('none');
      insert into posts (slug, user_id, listing) values ('aaaaaa1', 1, 'safe'), ('aaaaaa2', 1, 'nsfw'), ('aaaaaa3', 1, 'unlisted');
      insert into post_tags select p.id, t.id, p.listing from posts p, tags t where t.id <= 2 and (t.id = 1 or p.id = 3);
      insert into feed_totals (feed, listing, items)
      select feed, listing, sum(change) from feed_deltas group by feed, listing;
      delete from feed_deltas`);
    await migrateTo('9999');

    const uses = 'select name, post_count::integer, media_count::integer from tags order by id';
    expect(await rows(uses)).toEqual([
      ['one', 2, 0],
      ['two', 0, 0],
      ['none', 0, 0],
    ]);
    await client.query(`insert into feed_totals values ('media:tag:2', 'safe', 3)`);
    await client.query(`update feed_totals set items = 1 where feed = 'posts:tag:1' and listing = 'safe';
                        delete from feed_totals where feed = 'posts:tag:1' and listing = 'nsfw'`);
    expect(await rows(uses)).toEqual([
      ['one', 1, 0],
      ['two', 0, 3],
      ['none', 0, 0],
    ]);
  });

  it('keeps a change that the owner of a post makes meanwhile', async () => {
    await migrateTo('0013g_safe_tag_uses');
    await client.query(`
      insert into media (slug, moderation_status, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256)
      values ('media01', 'nsfw', 'image', 'png', 'image/png', 'png', 1, 1, 1, sha256('a'), sha256('b'));
      insert into posts (slug, moderation_status, moderator_status, listing, media_count)
      values ('aaaaaa1', 'approved', 'approved', 'safe', 1), ('aaaaaa2', 'pending', null, 'unlisted', 0);
      insert into post_media (post_id, media_id, position) values (1, 1, 0)`);
    const blocked = async (): Promise<void> =>
      expect(
        await rows(
          `select 1 from pg_stat_activity
           where datname = current_database() and application_name = 'vitrine-migrate' and wait_event_type = 'Lock'`,
        ),
      ).toHaveLength(1);

    const owner = new Client({ connectionString: database.url });
    await owner.connect();
    await owner.query(`begin; update posts set visibility = 'hidden', listing = 'unlisted' where id = 1`);
    const relisted = migrateTo('0013h_relist_nsfw_posts');
    await eventually(blocked);
    await owner.query('commit');
    await relisted;
    await owner.query('begin; insert into post_media (post_id, media_id, position) values (2, 1, 0)');
    await owner.query('update posts set media_count = 1 where id = 2');
    const marked = migrateTo('9999');
    await eventually(blocked);
    await owner.query('commit');
    await marked;
    await owner.end();

    expect(await rows('select slug, listing, empty from posts order by id')).toEqual([
      ['aaaaaa1', 'unlisted', false],
      ['aaaaaa2', 'unlisted', false],
    ]);
  });

  it('computes the safe uses of tags, the posts that hold nsfw media, and the posts that hold nothing', async () => {
    await migrateTo('0011_waiting_since');
    await client.query(`
      insert into users (username) values ('ann');
      insert into media (slug, user_id, moderation_status, kind, format, mime, ext, width, height, bytes,
                         received_sha256, stored_sha256)
      select 'media0' || n, 1, status, 'image', 'png', 'image/png', 'png', 1, 1, 1, sha256('a'), sha256('b')
      from (values (1, 'approved'), (2, 'nsfw'), (3, 'rejected')) as made (n, status);
      insert into posts (slug, user_id, moderation_status, moderator_status, listing, media_count)
      values ('aaaaaa1', 1, 'approved', null, 'safe', 1), ('aaaaaa2', 1, 'approved', 'approved', 'safe', 2),
             ('aaaaaa3', 1, 'approved', 'approved', 'unlisted', 1), ('aaaaaa4', 1, 'pending', null, 'unlisted', 0);
      insert into post_media (post_id, media_id, position) values (1, 1, 0), (2, 1, 0), (2, 2, 1), (3, 3, 0);
      insert into tags (name) values ('one'), ('two');
      insert into feed_totals values ('posts:tag:1', 'safe', 3), ('posts:tag:1', 'nsfw', 2), ('media:tag:1', 'safe', 4),
                                     ('posts:tag:2', 'nsfw', 1)`);
    await migrateTo('9999');

    expect(await rows('select slug, listing, empty, revision from posts order by id')).toEqual([
      ['aaaaaa1', 'safe', false, 1],
      ['aaaaaa2', 'nsfw', false, 1],
      ['aaaaaa3', 'unlisted', true, 1],
      ['aaaaaa4', 'unlisted', true, 1],
    ]);
    const uses = `select name, post_count::integer, safe_post_count::integer, safe_media_count::integer from tags order by id`;
    expect(await rows(uses)).toEqual([
      ['one', 5, 3, 4],
      ['two', 1, 0, 0],
    ]);
    await client.query(`update feed_totals set items = items + 1 where feed like 'posts:tag:%'`);
    expect(await rows(uses)).toEqual([
      ['one', 7, 4, 4],
      ['two', 2, 0, 0],
    ]);
  });
});
