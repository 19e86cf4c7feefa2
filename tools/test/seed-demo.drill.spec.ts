import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTestDatabase, type TestDatabase } from '@vitrine/testing';
import { Client } from 'pg';

const PASSWORD = 'let me look around';

describe('npm run admin -- seed-demo', () => {
  const objects = mkdtempSync(join(tmpdir(), 'vitrine-demo-objects-'));
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await database?.drop();
    rmSync(objects, { recursive: true, force: true });
  });

  const admin = (...args: string[]) => adminWith({}, ...args);
  const adminWith = (settings: Readonly<Record<string, string>>, ...args: string[]) => {
    const main = resolve(__dirname, '../admin/dist/main.js');
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        ...(process.env['FFMPEG_PATH'] && { FFMPEG_PATH: process.env['FFMPEG_PATH'] }),
        DATABASE_URL: database.url,
        STORAGE_URL: pathToFileURL(objects).href,
        PUBLIC_SITE_URL: 'https://site.example',
        ...settings,
      },
    });
    return { status, stdout, stderr };
  };
  const row = async (sql: string): Promise<Record<string, number>> =>
    (await client.query<Record<string, number>>(sql)).rows[0] ?? {};
  const counts = () =>
    row(`select (select count(*) from users)::int as users, (select count(*) from media)::int as media,
      (select count(*) from posts)::int as posts, (select count(*) from comments)::int as comments,
      (select count(*) from post_votes)::int as votes, (select count(*) from follows)::int as follows,
      (select count(*) from outbox)::int as events`);

  it('makes a site with correct counts and prints how to log in', async () => {
    const { status, stdout, stderr } = admin('seed-demo', '--password', PASSWORD);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('https://site.example');
    expect(stdout).toContain(`Password of all accounts: ${PASSWORD}`);

    const made = await counts();
    expect(made).toEqual({
      users: 12,
      media: expect.any(Number),
      posts: 42,
      comments: expect.any(Number),
      votes: expect.any(Number),
      follows: expect.any(Number),
      events: expect.any(Number),
    });
    for (const [what, least] of Object.entries({ media: 70, comments: 60, votes: 150, follows: 30 })) {
      expect({ what, count: made[what] }).toEqual({ what, count: expect.any(Number) });
      expect(made[what]).toBeGreaterThan(least);
    }
    expect(
      await row("select count(*)::int as uploaded from outbox where envelope->>'type' = 'media.uploaded'"),
    ).toEqual({
      uploaded: made['media'],
    });
    const originals = readdirSync(join(objects, 'f'), { recursive: true, withFileTypes: true });
    expect(originals.filter((entry) => entry.isFile())).toHaveLength(made['media'] ?? 0);

    const proof = admin('verify-counts');
    expect(proof).toMatchObject({ status: 0, stdout: expect.stringContaining('No difference found.') });
  });

  it('has albums, hidden and private posts, comments, avatars and dates in the past', async () => {
    expect(
      await row(`select
        (select count(*) from posts where visibility = 'hidden')::int as hidden,
        (select count(*) from posts where visibility = 'private' and access_key is not null)::int as private,
        (select count(*) from posts where media_count > 2)::int as albums,
        (select count(*) from users where avatar_media_id is null)::int as faceless,
        (select count(distinct mime) from media)::int as types`),
    ).toMatchObject({ hidden: 1, private: 2, albums: 6, faceless: 0, types: 5 });
    const { replies, days, backwards, early } = await row(`select
      (select count(*) from comments where parent_id is not null)::int as replies,
      (select extract(days from now() - min(created_at)) from posts)::int as days,
      (select count(*) from posts a join posts b on a.id < b.id and a.created_at > b.created_at)::int as backwards,
      (select count(*) from comments c join posts p on p.id = c.post_id
        left join comments parent on parent.id = c.parent_id
        where c.created_at < p.created_at or c.created_at < parent.created_at)::int as early`);
    expect(replies).toBeGreaterThan(20);
    expect(days).toBeGreaterThan(20);
    expect({ backwards, early }).toEqual({ backwards: 0, early: 0 });
  });

  it('changes nothing the second time', async () => {
    const before = await counts();
    expect(admin('seed-demo')).toMatchObject({
      status: 0,
      stdout: 'The demo exists already; nothing was changed.\n',
    });
    expect(await counts()).toEqual(before);
  });

  it('refuses passwords that the API refuses, and a site on which one of its usernames is taken', async () => {
    expect(admin('seed-demo', '--password', 'short')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('password'),
    });
    expect(admin('seed-demo', '--seed', 'x').status).toBe(2);
    await client.query(`update users set username = 'somebody_else' where username = 'june'`);
    const refused = admin('seed-demo');
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("The demo can't be made");
  });

  it('leaves out the posts with clips if videos are refused', async () => {
    const other = await createTestDatabase();
    try {
      const settings = { DATABASE_URL: other.url, VIDEO_TOOLS: 'none' };
      const { status, stdout, stderr } = adminWith(settings, 'seed-demo');
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toContain('Videos are refused here, so the demo has no clips.');
      expect(stdout).toContain('40 posts with 59 pictures.');
    } finally {
      await other.drop();
    }
  });
});
