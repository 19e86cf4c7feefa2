import { randomBytes } from 'node:crypto';
import { TransactionRunner } from '@vitrine/database';
import { type DomainContext, startDomain } from '@vitrine/testing';
import { CommentsService } from '../../comments/comments.service';
import {
  DomainError,
  InvalidFieldsError,
  TooManyRequestsError,
  UnauthenticatedError,
} from '../../errors/domain-error';
import { FeedCountsService } from '../../feeds/feed-counts.service';
import { FeedsService } from '../../feeds/feeds.service';
import { FollowsService } from '../../follows/follows.service';
import { MediaService } from '../../media/media.service';
import { PostEditingService } from '../../posts/post-editing.service';
import { PostsService } from '../../posts/posts.service';
import { randomSlug } from '../../slugs/slug';
import type { Caller } from '../../tokens/caller';
import { TokensService } from '../../tokens/tokens.service';
import { AuthorsService } from '../authors.service';
import { UsersService } from '../users.service';
import { AccountErasure } from './account-erasure';
import { AccountErasureModule } from './account-erasure.module';

const PASSWORD = 'correct horse battery';
const always = () => true;

// Thousands of rows, on a machine that may do much else.
jest.setTimeout(120_000);

describe('AccountErasure', () => {
  let domain: DomainContext;
  let erasure: AccountErasure;
  let users: UsersService;
  let tokens: TokensService;

  beforeAll(async () => {
    domain = await startDomain([AccountErasureModule]);
    erasure = domain.get(AccountErasure);
    users = domain.get(UsersService);
    tokens = domain.get(TokensService);
  });
  beforeEach(async () => {
    await query('truncate users, media, posts, outbox, tags, feed_deltas, feed_totals cascade');
    await domain.get(FeedCountsService).recountAll();
  });
  afterAll(() => domain.stop());

  const query = <Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(sql, values);
  const single = async (sql: string, values: unknown[] = []): Promise<unknown> =>
    Object.values((await query(sql, values))[0] ?? {})[0];
  const createAccount = async (): Promise<Caller> => {
    const username = `u_${randomBytes(6).toString('hex')}`;
    const { secret } = await users.register(
      { username, password: PASSWORD, email: `${username}@example.org` },
      // Each from its own address, because new accounts of one address are limited.
      username,
    );
    const caller = await tokens.authenticate(secret);
    if (!caller) throw new Error('A session just opened is nobody’s');
    return caller;
  };

  /** Things around an account, `media` of them media; everybody has part in those of everybody else. */
  const fill = async ({ userId }: Caller, others: readonly Caller[], media = 300): Promise<void> => {
    const ids = others.map((other) => other.userId);
    await query(
      `insert into tags (name) select 'tag ' || n from generate_series(1, 5) n on conflict do nothing`,
    );
    await query(
      `insert into media (slug, user_id, kind, format, mime, ext, width, height, bytes, received_sha256,
         stored_sha256, moderation_status, listing, tags)
       select 'm' || lpad(to_hex($1 * 10000 + n), 6, '0'), $1, 'image', 'jpeg', 'image/jpeg', 'jpg', 1, 1, 1, sha256('a'), sha256('b'),
              case n % 7 when 0 then 'nsfw' else 'approved' end, 'unlisted', array['tag 1']
       from generate_series(1, $2::integer) n`,
      [userId, media],
    );
    await query(
      `insert into posts (slug, user_id, visibility, access_key, moderation_status, tags)
       select 'p' || lpad(to_hex($1 * 10000 + n), 6, '0'), $1, (array['public', 'hidden', 'private'])[1 + n % 3],
              case n % 3 when 2 then repeat('k', 32) end, 'approved', array['tag 2']
       from generate_series(1, $2::integer * 2 / 5) n`,
      [userId, media],
    );
    await query(
      `insert into post_media (post_id, media_id, position)
       select p.id, m.id, m.place from (select id, row_number() over (order by id) as row from posts where user_id = $1) p
       join (select id, row_number() over (order by id) as row, (row_number() over (order by id)) % 2 as place
             from media where user_id = $1) m on m.row in (p.row, p.row + 1)`,
      [userId],
    );
    await query(
      `insert into post_tags select p.id, t.id, 'unlisted' from posts p join tags t on t.name = any(p.tags) where p.user_id = $1`,
      [userId],
    );
    await query(
      `insert into media_tags select m.id, t.id, 'unlisted' from media m join tags t on t.name = any(m.tags) where m.user_id = $1`,
      [userId],
    );
    // Everybody comments and votes on every tenth post of everybody else, and answers the comments of the first.
    await query(
      `insert into comments (post_id, user_id, content)
       select p.id, u, 'First' from posts p cross join unnest($1::bigint[]) u where p.id % 10 = 0 and p.user_id <> u`,
      [[userId, ...ids]],
    );
    await query(
      `insert into comments (post_id, user_id, parent_id, content)
       select c.post_id, $1, c.id, 'Reply' from comments c where c.id % 3 = 0`,
      [ids[0] ?? userId],
    );
    await query(
      `insert into post_votes select p.id, u, case when (p.id + u) % 3 = 0 then -1 else 1 end
       from posts p cross join unnest($1::bigint[]) u where p.id % 2 = 0 on conflict do nothing`,
      [[userId, ...ids]],
    );
    await query(
      `insert into comment_votes select c.id, u, case when (c.id + u) % 3 = 0 then -1 else 1 end
       from comments c cross join unnest($1::bigint[]) u where c.id % 2 = 0 on conflict do nothing`,
      [[userId, ...ids]],
    );
    await query(
      `insert into follows (follower_id, followee_id) select a, b from unnest($1::bigint[]) a, unnest($1::bigint[]) b
       where a <> b on conflict do nothing`,
      [[userId, ...ids]],
    );
    await query(
      `insert into reports (reporter_id, type, user_id, reason) select a, 'user', b, 'spam'
       from unnest($1::bigint[]) a, unnest($1::bigint[]) b where a <> b on conflict do nothing`,
      [[userId, ...ids]],
    );
  };

  /** Brings every derived column in line with what was written past the services. */
  const settle = async (): Promise<void> => {
    await query(`update posts p set
        score = coalesce((select sum(value) from post_votes where post_id = p.id), 0),
        comment_count = (select count(*) from comments where post_id = p.id),
        media_count = (select count(*) from post_media where post_id = p.id),
        moderation_status = case when exists (select from post_media pm join media m on m.id = pm.media_id where pm.post_id = p.id and m.moderation_status = 'nsfw') then 'nsfw' else 'approved' end`);
    await query(
      `update posts set listing = case when visibility <> 'public' then 'unlisted' when moderation_status = 'nsfw' then 'nsfw' else 'safe' end`,
    );
    await query(`update media m set listing = case
        when exists (select from post_media where media_id = m.id) and not exists (select from post_media pm join posts p on p.id = pm.post_id where pm.media_id = m.id and p.visibility = 'public') then 'unlisted'
        when moderation_status = 'nsfw' then 'nsfw' else 'safe' end`);
    await query(`update comments c set
        score = coalesce((select sum(value) from comment_votes where comment_id = c.id), 0),
        replies_count = (select count(*) from comments where parent_id = c.id)`);
    await query(`update users u set
        follower_count = (select count(*) from follows where followee_id = u.id),
        following_count = (select count(*) from follows where follower_id = u.id)`);
  };

  /** What is wrong with derived columns; nothing, at any moment. */
  const differences = async (): Promise<unknown> =>
    query(`select 'score' as of, id from posts p where score <> coalesce((select sum(value) from post_votes where post_id = p.id), 0)
      union all select 'comments', id from posts p where comment_count <> (select count(*) from comments where post_id = p.id and deleted_at is null)
      union all select 'media', id from posts p where media_count <> (select count(*) from post_media where post_id = p.id)
      union all select 'comment score', id from comments c where score <> coalesce((select sum(value) from comment_votes where comment_id = c.id), 0)
      union all select 'replies', id from comments c where replies_count <> (select count(*) from comments where parent_id = c.id)
      union all select 'followers', id from users u where follower_count <> (select count(*) from follows where followee_id = u.id)
      union all select 'following', id from users u where following_count <> (select count(*) from follows where follower_id = u.id)
      union all select 'listing', m.id from media m where listing <> 'unlisted'
        and exists (select from post_media where media_id = m.id)
        and not exists (select from post_media pm join posts p on p.id = pm.post_id where pm.media_id = m.id and p.visibility = 'public')`);

  /** Rows that still are an account's, by table. */
  const leftOf = async (userId: number): Promise<Record<string, number>> => {
    const owned = {
      media: 'user_id',
      posts: 'user_id',
      comments: 'user_id',
      post_votes: 'user_id',
      comment_votes: 'user_id',
      follows: '$1 in (follower_id, followee_id) and $1',
      reports: '$1 in (reporter_id, coalesce(user_id, 0)) and $1',
      tokens: 'user_id',
    };
    const left: Record<string, number> = {};
    for (const [table, condition] of Object.entries(owned)) {
      const rows = Number(await single(`select count(*) from ${table} where ${condition} = $1`, [userId]));
      if (rows > 0) left[table] = rows;
    }
    return left;
  };

  const assertErased = async (gone: Caller): Promise<void> => {
    expect(await leftOf(gone.userId)).toEqual({});
    expect(await query('select * from users where id = $1', [gone.userId])).toMatchObject([
      {
        username: gone.username,
        email: null,
        password_hash: null,
        bio: null,
        avatar_media_id: null,
        follower_count: 0,
        following_count: 0,
        deleted_at: expect.any(Date),
        erased_at: expect.any(Date),
      },
    ]);
    expect(await differences()).toEqual([]);
    const feeds = domain.get(FeedsService);
    for (const items of ['posts', 'media'] as const) {
      const listed = Number(await single(`select count(*) from ${items} where listing <> 'unlisted'`));
      expect(await feeds.count({ items, audience: 'adults' })).toBe(listed);
      expect(await feeds.count({ items, audience: 'owner', userId: gone.userId })).toBe(0);
    }
  };
  const eraseAll = async (): Promise<void> => {
    while ((await erasure.eraseLeftBehind(always, -1)) > 0);
  };

  it('erases everything of an account and nothing else, and tells of each media, post and comment', async () => {
    const [gone, other, third] = [await createAccount(), await createAccount(), await createAccount()];
    await fill(other, [third]);
    await fill(gone, [other, third], 2000);
    await settle();
    expect(await differences()).toEqual([]);
    await query(
      'update users set avatar_media_id = (select min(id) from media where user_id = $1) where id = $1',
      [gone.userId],
    );
    const kept = await single('select count(*) from media where user_id = $1', [other.userId]);
    const media = await query<{ slug: string }>('select slug from media where user_id = $1', [gone.userId]);
    const posts = await query<{ slug: string }>('select slug from posts where user_id = $1', [gone.userId]);

    await erasure.deleteAccount(gone, PASSWORD);
    await eraseAll();
    await assertErased(gone);
    expect(await single('select count(*) from media where user_id = $1', [other.userId])).toBe(kept);
    const told = await query<{ type: string; slug: string }>(
      `select envelope->>'type' as type, envelope->'data'->>'slug' as slug from outbox`,
    );
    const slugsTold = (type: string) =>
      told
        .filter((event) => event.type === type)
        .map(({ slug }) => slug)
        .sort();
    expect(slugsTold('media.deleted')).toEqual(media.map(({ slug }) => slug).sort());
    expect(slugsTold('post.deleted')).toEqual(posts.map(({ slug }) => slug).sort());
    expect(slugsTold('user.deleted')).toHaveLength(1);
    // Where others have answered, a tombstone keeps the place.
    expect(await query('select from comments where deleted_at is not null and user_id is null')).not.toEqual(
      [],
    );
    expect(await query('select from comments where deleted_at is not null and replies_count = 0')).toEqual(
      [],
    );
  });

  it('may end at any moment and goes on from there, in several processes at once', async () => {
    const [gone, other] = [await createAccount(), await createAccount()];
    await fill(other, []);
    await fill(gone, [other]);
    await settle();
    await users.markDeleted(gone, PASSWORD);
    let sweeps = 0;
    for (let erased = 0; erased === 0; sweeps++) {
      const results = await Promise.all(
        [9, 11, 13].map((steps) => erasure.eraseLeftBehind(() => steps-- > 0, -1)),
      );
      erased = Math.max(...results);
      expect(await differences()).toEqual([]);
    }
    expect(sweeps).toBeGreaterThan(1);
    await assertErased(gone);
    expect(await erasure.eraseLeftBehind(always, -1)).toBe(0);
  });

  it('never shows media of a private post on its way', async () => {
    const gone = await createAccount();
    await fill(gone, []);
    await settle();
    const secret = await query<{ id: number }>(
      `select id from media where user_id = $1 and listing = 'unlisted'`,
      [gone.userId],
    );
    expect(secret.length).toBeGreaterThan(30);
    await users.markDeleted(gone, PASSWORD);
    for (let [erased, atMost] = [0, 1]; erased === 0; atMost++) {
      let steps = 0;
      erased = await erasure.eraseLeftBehind(() => steps++ < atMost, -1);
      expect(
        await query(`select id from media where id = any($1) and listing <> 'unlisted'`, [
          secret.map(({ id }) => id),
        ]),
      ).toEqual([]);
    }
  });

  it('lets nothing come of the account’s making once it is deleted, nor anything be done to it', async () => {
    const [gone, other] = [await createAccount(), await createAccount()];
    const media = domain.get(MediaService);
    const register = () =>
      media.register(
        {
          slug: randomSlug(),
          userId: gone.userId,
          kind: 'image',
          format: 'jpeg',
          mime: 'image/jpeg',
          ext: 'jpg',
          width: 1,
          height: 1,
          duration: null,
          frames: 1,
          bytes: 1,
          receivedSha256: randomBytes(32),
          storedSha256: randomBytes(32),
          unlisted: false,
        },
        { subject: 'user:1', filesPerDay: 1000 },
        null,
      );
    const { media: first } = await register();
    const editing = domain.get(PostEditingService);
    const theirs = await editing.create(gone, { mediaIds: [first.id] });
    await users.markDeleted(gone, PASSWORD);
    for (const act of [
      register,
      () => editing.create(gone, { mediaIds: [first.id] }),
      () => domain.get(CommentsService).create(theirs.slug, gone, null, { content: 'x', parentId: null }),
      () => domain.get(PostsService).vote(theirs.slug, gone, null, 1),
      () => domain.get(FollowsService).follow(other.username, gone),
      () => tokens.create(gone.userId, { name: 'late' }),
    ]) {
      await expect(act()).rejects.toThrow(UnauthenticatedError);
    }
    await expect(users.updateProfile(gone, { bio: 'still here', email: 'a@example.org' })).rejects.toThrow(
      DomainError,
    );
    await expect(users.login(gone.username, PASSWORD, 'ip')).rejects.toThrow(InvalidFieldsError);
    await expect(
      users.register({ username: gone.username.toUpperCase(), password: PASSWORD }, 'other'),
    ).rejects.toMatchObject({
      errors: { username: ['The username has already been taken.'] },
    });
    expect(await domain.get(AuthorsService).findAuthors([gone.userId])).toEqual(new Map());
    await eraseAll();
    await assertErased(gone);
  });

  it('waits for what is under way, and is waited for', async () => {
    const gone = await createAccount();
    const transactions = domain.get(TransactionRunner);
    const authors = domain.get(AuthorsService);
    let deleting: Promise<void> | undefined;
    await transactions.run(async (tx) => {
      await authors.holdLiving(tx, gone.userId);
      deleting = users.markDeleted(gone, PASSWORD);
      await tx.query(
        `insert into media (slug, user_id, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256)
         values ($1, $2, 'image', 'jpeg', 'image/jpeg', 'jpg', 1, 1, 1, sha256('a'), sha256('b'))`,
        [randomSlug(), gone.userId],
      );
    });
    await deleting;
    await expect(transactions.run((tx) => authors.holdLiving(tx, gone.userId))).rejects.toThrow(
      UnauthenticatedError,
    );
    await eraseAll();
    await assertErased(gone);
  });

  it('gives those who act on its things meanwhile domain errors at worst', async () => {
    const [gone, other, third] = [await createAccount(), await createAccount(), await createAccount()];
    await fill(gone, [other]);
    await settle();
    const posts = await query<{ slug: string }>(
      `select slug from posts where user_id = $1 and visibility = 'public' order by id`,
      [gone.userId],
    );
    const comments = await query<{ id: number }>('select id from comments order by id');
    const failures: unknown[] = [];
    let acted = 0;
    let over = false;
    const act = async (caller: Caller, step: number): Promise<void> => {
      for (let turn = 0; !over; turn++) {
        const slug = posts[(turn * step) % posts.length]!.slug;
        const comment = comments[(turn * step) % comments.length]!.id;
        for (const attempt of [
          () => domain.get(PostsService).vote(slug, caller, null, 1),
          () => domain.get(CommentsService).create(slug, caller, null, { content: 'Hello', parentId: null }),
          () => domain.get(CommentsService).vote(comment, caller, null, -1),
          () => domain.get(CommentsService).remove(comment, caller, null),
          () => domain.get(FollowsService).follow(gone.username, caller),
          () => domain.get(FollowsService).unfollow(gone.username, caller),
        ]) {
          await attempt().then(
            () => acted++,
            (error: unknown) => void (error instanceof DomainError || failures.push(error)),
          );
        }
      }
    };
    const actors = [act(other, 7), act(third, 13), act(third, 1)];
    await erasure.deleteAccount(gone, PASSWORD);
    await eraseAll();
    over = true;
    await Promise.all(actors);
    expect(failures).toEqual([]);
    expect(acted).toBeGreaterThan(10);
    await assertErased(gone);
  });

  it('asks for the right password, not for long', async () => {
    const account = await createAccount();
    for (let attempt = 0; attempt < 5; attempt++) {
      await expect(erasure.deleteAccount(account, 'wrong')).rejects.toMatchObject({
        errors: { password: ['The password is incorrect.'] },
      });
    }
    await expect(erasure.deleteAccount(account, PASSWORD)).rejects.toThrow(TooManyRequestsError);
    expect((await users.findAccount(account.userId)).username).toBe(account.username);
  });
});
