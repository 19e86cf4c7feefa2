import { Module } from '@nestjs/common';
import { ReviewModule, RulingsService } from '@vitrine/domain';
import { createTestDatabase, type TestDatabase } from '@vitrine/testing';
import { Client } from 'pg';
import { seedSteps } from '../bench/src/seed/seed-sql';
import { withModule } from '../admin/src/command-line/contexts';
import { runAdmin } from '../admin/src/run-admin';

@Module({ imports: [ReviewModule] })
class ModeratorsModule {}

describe('npm run admin -- verify-counts', () => {
  let database: TestDatabase;
  let client: Client;
  const before = process.env['DATABASE_URL'];

  beforeEach(async () => {
    database = await createTestDatabase();
    process.env['DATABASE_URL'] = database.url;
    client = new Client({ connectionString: database.url });
    await client.connect();
    for (const { sql } of seedSteps(100)) await client.query(sql);
    await client.query(`insert into follows (follower_id, followee_id) values (3, 4);
                        update users set following_count = 1 where id = 3;
                        update users set follower_count = follower_count + 1 where id = 4;
                        insert into comments (post_id, user_id, parent_id, content) select post_id, 3, id, 'x' from comments limit 1;
                        update comments set replies_count = 1 where id = (select parent_id from comments where parent_id is not null);
                        update posts set comment_count = 2 where id = (select post_id from comments where parent_id is not null);
                        insert into comment_votes (comment_id, user_id, value) select min(id), 3, -1 from comments;
                        update comments set score = -1 where id = (select comment_id from comment_votes);
                        delete from rank_changes`);
  });
  afterEach(async () => {
    await client.end();
    if (before === undefined) delete process.env['DATABASE_URL'];
    else process.env['DATABASE_URL'] = before;
    await database.drop();
  });

  const verify = async (...flags: string[]) => {
    const lines: string[] = [];
    const complaints: string[] = [];
    const status = await runAdmin(['verify-counts', ...flags], {
      print: (line) => void lines.push(line),
      complain: (line) => void complaints.push(line),
    });
    const found = lines.filter((line) => /^ *[1-9]\d* {2}/.test(line));
    return { status, found, complaints, last: lines.at(-1) };
  };

  it('finds no difference in correct data, with and without folded counts', async () => {
    expect(await verify()).toEqual({ status: 0, found: [], complaints: [], last: 'No difference found.' });
    expect(await client.query('select 1 from feed_deltas limit 1')).toMatchObject({ rowCount: 1 });
    expect((await verify('--repair')).status).toBe(0);
  });

  it('finds no difference after rulings and after their reversal', async () => {
    await client.query(`update users set role = 'moderator' where id = 3`);
    const { rows: media } = await client.query<{ slug: string }>(
      'select slug from media order by id limit 8',
    );
    const { rows: posts } = await client.query<{ slug: string }>(
      'select slug from posts order by id limit 8',
    );
    const moderator = { userId: 3, username: 'mia', role: 'moderator' } as const;
    for (const statuses of [['nsfw', 'rejected', 'approved'], ['pending']] as const) {
      await withModule(ModeratorsModule, async (context) => {
        const rulings = context.get(RulingsService, { strict: false });
        const ruling = (index: number) => ({
          status: statuses[index % statuses.length] ?? 'pending',
          note: 'Seen.',
          ban: false,
          moderator,
        });
        for (const [index, { slug }] of media.entries()) await rulings.ruleOnMedia(slug, ruling(index));
        for (const [index, { slug }] of posts.entries()) await rulings.ruleOnPost(slug, ruling(index));
      });
      expect(await verify()).toMatchObject({ status: 0, found: [] });
    }
  });

  it('repairs only the counts of feeds', async () => {
    await client.query(`insert into feed_totals (feed, listing, items) values ('media', 'safe', 9)`);
    expect((await verify()).status).toBe(1);
    expect(await verify('--repair')).toMatchObject({ status: 0, complaints: [] });
    await client.query('update posts set score = 99 where id = 1');
    expect(await verify('--repair')).toMatchObject({
      status: 1,
      found: [expect.stringContaining('posts.score')],
    });
  });

  it.each([
    ['posts.score', 'update posts set score = score + 1 where id = 1'],
    ['posts.score', 'delete from post_votes where post_id = 10'],
    ['comments.score', 'update comments set score = 7 where id = 1'],
    ['posts.comment_count', 'update posts set comment_count = 3 where id = 1'],
    ['comments.replies_count', 'update comments set replies_count = 5 where id = 2'],
    ['posts.media_count', 'update posts set media_count = 1 where id = 1'],
    ['posts.moderation_status', `update posts set owner_nsfw = true where id = 1`],
    ['posts.listing', `update posts set visibility = 'private', access_key = repeat('a', 32) where id = 1`],
    [
      'media.moderation_status',
      `update media set owner_nsfw = true, moderation_status = 'approved', listing = 'safe' where id = 1`,
    ],
    ['media.listing', `update media set moderation_status = 'rejected' where id = 1`],
    [
      'shared_files.unused_since',
      `insert into shared_files (key, sha256, bytes) values ('f/Shared1.png', sha256('a'), 1)`,
    ],
    [
      'media.shared_key',
      `insert into shared_files (key, sha256, bytes) values ('f/Shared1.png', sha256('another'), 1);
       update media set shared_key = 'f/Shared1.png' where id = 1`,
    ],
    ['post_tags.listing', `update post_tags set listing = 'nsfw' where post_id = 1`],
    [
      'media_tags.listing',
      `update media_tags set listing = 'nsfw' where media_id = (select min(media_id) from media_tags)`,
    ],
    ['post_ranks', 'update post_ranks set score = score + 1 where id = 1'],
    ['post_ranks', 'delete from post_ranks where id = 1'],
    ['media_ranks', 'update media_ranks set score = score + 1 where id = 2'],
    ['media_ranks', `update media_ranks set listing = 'nsfw' where id = 2`],
    ['post_tags.age and score', 'update post_tags set score = 9 where post_id = 1'],
    ['media_tags.age and score', 'update media_tags set age = 3, score = 9'],
    ['posts.tags', `update posts set tags = '{a}' where id = 1`],
    ['media.tags', `update media set tags = '{a}' where id = 1`],
    ['users.follower_count', 'update users set follower_count = 2 where id = 5'],
    ['users.following_count', 'delete from follows'],
    ['tags.post_count', 'update tags set media_count = media_count + 1 where id = 1'],
    ['feed_totals', `insert into feed_totals (feed, listing, items) values ('posts:user:3', 'safe', 1)`],
    [
      'feed_blocks',
      `insert into feed_blocks (feed, listing, level, block, items) values ('media', 'safe', 1, 0, 1)`,
    ],
    [
      'feed_buckets',
      `insert into feed_buckets (feed, listing, bucket, items) values ('media', 'safe', 1, 1)`,
    ],
  ])('finds a difference in %s', async (what, wrong) => {
    // Bypasses the triggers, which would correct the counts.
    await client.query(`set session_replication_role = replica`);
    await client.query(wrong);
    const { status, found, complaints } = await verify();
    expect(status).toBe(1);
    expect(found).toEqual(expect.arrayContaining([expect.stringContaining(`  ${what}`)]));
    expect(complaints).toEqual([expect.stringMatching(/^\d+ differences? found\.$/)]);
  });
});
