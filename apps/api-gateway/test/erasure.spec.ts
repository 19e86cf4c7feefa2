import { eventually, type ServiceProcess, startService } from '@vitrine/testing';
import { Client } from 'pg';
import { type Gateway, PASSWORD, startGateway } from './gateway';
import { createPerson } from './people';
import { storeMedia } from './stored';

describe('deleting an account over HTTP', () => {
  let gateway: Gateway;
  let database: Client;

  beforeAll(async () => {
    gateway = await startGateway();
    database = new Client({ connectionString: gateway.database.url });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await gateway.stop();
  });

  const idOf = async (username: string): Promise<string> =>
    (await database.query<{ id: string }>('select id from users where username = $1', [username])).rows[0]!
      .id;
  const deleteMe = (token: string, password: unknown = PASSWORD) =>
    gateway.ask('DELETE', '/me', { token, body: { password } });

  // Promise [accounts]: Deleting an account removes everything that it made, at once.
  it('removes everything that the account made, immediately', async () => {
    const session = await gateway.register('leaver', { email: 'leaver@example.org' });
    const token = await gateway.mintToken(session);
    const id = Number(await idOf('leaver'));
    const leaver = { id, username: 'leaver', session, mintToken: () => gateway.mintToken(session) };
    const friend = await createPerson(database);
    const ask = async (method: string, path: string, by: string, body?: object) => {
      const answer = await gateway.ask(method, path, { token: by, ...(body && { body }) });
      expect(answer.status).toBeLessThan(300);
      return answer.body;
    };
    const [mine, theirs] = [await storeMedia(database, leaver), await storeMedia(database, friend)];
    const post = async (by: string, media: { id: number }): Promise<string> =>
      (
        (await ask('POST', '/posts', by, { media_ids: [media.id], tags: ['farewell'] }))['post'] as {
          slug: string;
        }
      ).slug;
    const [ownPost, friendsPost] = [await post(session, mine), await post(friend.session, theirs)];
    const { comment } = await ask('POST', `/posts/${friendsPost}/comments`, session, { content: 'So long' });
    const commentId = (comment as { id: number }).id;
    await ask('POST', `/posts/${friendsPost}/comments`, friend.session, {
      content: 'Bye',
      parent_id: commentId,
    });
    await ask('POST', `/posts/${friendsPost}/upvote`, session);
    await ask('POST', `/posts/${ownPost}/comments`, friend.session, { content: 'Nice' });
    await ask('POST', '/users/leaver/follow', friend.session);
    await ask('POST', `/users/${friend.username}/follow`, session);
    await ask('POST', '/reports', session, { type: 'post', target: friendsPost, reason: 'spam' });

    expect(await deleteMe(session)).toMatchObject({ status: 200, body: { message: 'Account deleted.' } });
    for (const secret of [session, token]) {
      expect((await gateway.ask('GET', '/me', { token: secret })).status).toBe(401);
    }
    for (const path of ['/users/leaver', '/users/leaver/posts', `/posts/${ownPost}`, `/media/${mine.slug}`]) {
      expect((await gateway.ask('GET', path)).status).toBe(404);
    }
    for (const path of ['/media?username=leaver', '/posts?username=leaver']) {
      expect((await gateway.ask('GET', path)).body).toMatchObject({ data: [], meta: { total: 0 } });
    }
    expect((await gateway.ask('GET', '/tags')).body).toMatchObject({
      data: [{ name: 'farewell', post_count: 1, media_count: 0 }],
    });
    expect((await gateway.ask('GET', `/posts/${friendsPost}`)).body['data']).toMatchObject({
      score: 0,
      comment_count: 1,
    });
    const comments = (await gateway.ask('GET', `/posts/${friendsPost}/comments`)).body['data'];
    expect(comments).toMatchObject([
      { id: commentId, content: '[deleted]', user: null, user_id: null, replies_count: 1 },
      { content: 'Bye' },
    ]);
    expect((await gateway.ask('GET', `/users/${friend.username}`)).body['data']).toMatchObject({
      follower_count: 0,
      following_count: 0,
    });
    for (const login of ['leaver', 'leaver@example.org']) {
      const body = { login, password: PASSWORD };
      expect((await gateway.ask('POST', '/auth/login', { body })).status).toBe(422);
    }
    expect(
      (await gateway.ask('POST', '/auth/register', { body: { username: 'LEAVER', password: PASSWORD } }))
        .body,
    ).toMatchObject({ errors: { username: ['The username has already been taken.'] } });
    const { rows } = await database.query(
      `select envelope->>'type' as type from outbox where envelope->'data'->>'slug' = $1
          or envelope->'data'->>'username' = 'leaver' order by type`,
      [mine.slug],
    );
    expect(rows.map(({ type }: { type: string }) => type)).toEqual(['media.deleted', 'user.deleted']);
  });

  // Promise [accounts]: Deleting an account needs a session and the password.
  it('requires a session and the password, and answers 429 after wrong guesses', async () => {
    const session = await gateway.register('careful');
    const token = await gateway.mintToken(session);
    expect((await gateway.ask('DELETE', '/me', { body: { password: PASSWORD } })).status).toBe(401);
    expect(await deleteMe(token)).toMatchObject({ status: 403 });
    expect((await gateway.ask('DELETE', '/me', { token: session })).body).toMatchObject({
      errors: { password: ['The password field is required.'] },
    });
    for (const odd of [7, ['x'], { $ne: 1 }, 'nul\u0000', 'x'.repeat(201), null]) {
      expect((await deleteMe(session, odd)).status).toBe(422);
    }
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(await deleteMe(session, 'wrong')).toMatchObject({
        status: 422,
        body: { errors: { password: ['The password is incorrect.'] } },
      });
    }
    const slowed = await deleteMe(session);
    expect(slowed.status).toBe(429);
    expect(Number(slowed.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await gateway.ask('GET', '/me', { token: session })).status).toBe(200);
  });

  it('is completed by another process if the first one is killed', async () => {
    const session = await gateway.register('heavy');
    const id = await idOf('heavy');
    await database.query(
      `insert into media (slug, user_id, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256,
         moderation_status, listing)
       select 'h' || lpad(to_hex(n), 6, '0'), $1, 'image', 'jpeg', 'image/jpeg', 'jpg', 1, 1, 1, sha256('a'), sha256('b'),
         'approved', 'safe'
       from generate_series(1, 6000) n`,
      [id],
    );
    const countLeft = async (): Promise<number> =>
      Number((await database.query('select count(*) from media where user_id = $1', [id])).rows[0].count);
    const env = {
      DATABASE_URL: gateway.database.url,
      RATE_LIMIT_PUBLIC_PER_MINUTE: '100000',
      RATE_LIMIT_USER_PER_MINUTE: '100000',
    };
    // Until the process is killed, the last media item can't be deleted.
    await database.query(`begin; select from media where slug = 'h001770' for update`);
    const doomed: ServiceProcess = await startService('api-gateway', { env });
    // The erasure waits for the last media item, so that the process is killed during it.
    await database.query('begin');
    await database.query('select from media where user_id = $1 order by id desc limit 1 for update', [id]);
    const request = fetch(`${doomed.url}/api/v1/me`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD }),
    }).catch((error: unknown) => error);
    await eventually(async () => expect(await countLeft()).toBeLessThan(6000));
    await doomed.stop('SIGKILL');
    await request;
    await database.query('rollback');
    const left = await countLeft();
    expect(left).toBeGreaterThan(0);
    // The account counts as deleted, even if some of its content is left.
    expect((await gateway.ask('GET', '/users/heavy')).status).toBe(404);
    const { meta } = (await gateway.ask('GET', '/media?username=heavy')).body as { meta: { total: number } };
    expect(meta.total).toBe(0);

    await database.query(`update users set deleted_at = now() - interval '1 minute' where id = $1`, [id]);
    const heir = await startService('api-gateway', { env });
    await eventually(async () => {
      const { rows } = await database.query('select erased_at from users where id = $1', [id]);
      expect(rows).toEqual([{ erased_at: expect.any(Date) }]);
    });
    expect(await countLeft()).toBe(0);
    const { rows } = await database.query(
      `select count(*)::integer as told, count(distinct envelope->'data'->>'slug')::integer as media
       from outbox where envelope->>'type' = 'media.deleted' and envelope->'data'->>'slug' like 'h%'`,
    );
    expect(rows).toEqual([{ told: 6000, media: 6000 }]);
    expect(await heir.stop()).toBe(0);
  });
});
