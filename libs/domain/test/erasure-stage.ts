import { randomBytes } from 'node:crypto';
import { useDomain } from '@vitrine/testing';
import { FeedCountsService } from '../src/posts/feeds/feed-counts.service';
import { FeedsService } from '../src/posts/feeds/feeds.service';
import { RegistrationService } from '../src/accounts/admission/registration.service';
import type { Caller } from '../src/base/access/caller';
import { TokensService } from '../src/sign-in/tokens/tokens.service';
import { LoginsModule } from '../src/sign-in/logins/logins.module';
import { LoginsService } from '../src/sign-in/logins/logins.service';
import { UsersService } from '../src/accounts/users/users.service';
import { AccountErasure } from '../src/accounts/deletion/account-erasure';
import { ProfilesModule } from '../src/accounts/profiles/profiles.module';
import { AdministrationModule } from '../src/accounts/administration/administration.module';

export const PASSWORD = 'correct horse battery';
export const ORIGIN = { client: '192.0.2.1', device: null };
export const always = () => true;

/** Starts the services before a suite's tests and stops them afterwards; returns them and helpers for the tests. */
export function useErasure() {
  const domain = useDomain([AdministrationModule, LoginsModule, ProfilesModule]);
  let erasure: AccountErasure;
  let users: UsersService;
  let logins: LoginsService;
  let tokens: TokensService;

  beforeAll(() => {
    erasure = domain.get(AccountErasure);
    users = domain.get(UsersService);
    logins = domain.get(LoginsService);
    tokens = domain.get(TokensService);
  });
  beforeEach(async () => {
    await query('truncate users, media, posts, outbox, tags, feed_deltas, feed_totals cascade');
    await domain.get(FeedCountsService).recountAll();
  });

  const query = <Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(sql, values);
  const single = async (sql: string, values: unknown[] = []): Promise<unknown> =>
    Object.values((await query(sql, values))[0] ?? {})[0];
  const createAccount = async (): Promise<Caller> => {
    const username = `u_${randomBytes(6).toString('hex')}`;
    const { secret } = await domain
      .get(RegistrationService)
      // Each from its own address, because new accounts of one address are limited.
      .register({ username, password: PASSWORD, email: `${username}@example.org` }, null, username, null);
    const caller = await tokens.authenticate(secret);
    if (!caller) throw new Error('The session that was just opened has no caller');
    return caller;
  };

  /** Creates items of an account, `media` media among them; all users comment and vote on those of the others. */
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
    // All users comment and vote on every tenth post of the others, and reply to the comments of the first user.
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
      `with followed as (insert into tags (name) values ('followed') on conflict (name) do update set name = 'followed' returning id)
       insert into tag_follows (user_id, tag_id) select $1, id from followed on conflict do nothing`,
      [userId],
    );
    await query(
      `insert into reports (reporter_id, type, user_id, reason) select a, 'user', b, 'spam'
       from unnest($1::bigint[]) a, unnest($1::bigint[]) b where a <> b on conflict do nothing`,
      [[userId, ...ids]],
    );
  };

  /** Updates the derived columns after rows were written without the services. */
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

  /** The derived columns that are wrong; none may be, at any moment. */
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

  /** The number of rows of an account, by table. */
  const leftOf = async (userId: number): Promise<Record<string, number>> => {
    const owned = {
      media: 'user_id',
      posts: 'user_id',
      comments: 'user_id',
      post_votes: 'user_id',
      comment_votes: 'user_id',
      tag_follows: 'user_id',
      follows: '$1 in (follower_id, followee_id) and $1',
      reports: '$1 in (reporter_id, coalesce(user_id, 0)) and $1',
      tokens: 'user_id',
      authenticator_apps: 'user_id',
      passkeys: 'user_id',
      passkey_challenges: 'user_id',
      recovery_codes: 'user_id',
      pending_logins: 'user_id',
      known_devices: 'user_id',
      login_records: 'user_id',
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
  return {
    get domain() {
      return domain;
    },
    get erasure() {
      return erasure;
    },
    get users() {
      return users;
    },
    get logins() {
      return logins;
    },
    get tokens() {
      return tokens;
    },
    query,
    single,
    createAccount,
    fill,
    settle,
    differences,
    leftOf,
    assertErased,
    eraseAll,
  };
}
