import { Client } from 'pg';
import { type Answer, type Gateway, PASSWORD, startGateway } from './gateway';
import { createPerson, type Person } from './people';
import { storeMedia } from './stored';

const SITE_KEY = 'k'.repeat(40);

interface Ticket {
  readonly message: string;
  readonly ticket: string;
  readonly expires_at: string;
  readonly guest_token?: string;
}

describe('guests and upload tickets', () => {
  let gateway: Gateway;
  let database: Client;

  beforeAll(async () => {
    gateway = await startGateway({
      SITE_SERVICE_KEY: SITE_KEY,
      PUBLIC_UPLOAD_URL: 'https://upload.example.org/api/v1/media',
      RATE_LIMIT_PUBLIC_PER_MINUTE: '100',
      RATE_LIMIT_USER_PER_MINUTE: '100000',
      RATE_LIMIT_SITE_FACTOR: '1000',
    });
    database = new Client({ connectionString: gateway.database.url });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await gateway.stop();
  });

  const asSite = { 'X-Vitrine-Site-Key': SITE_KEY, 'X-Vitrine-Visitor': '192.0.2.1' };
  const ask = <Body = Record<string, unknown>>(
    method: string,
    path: string,
    token?: string,
    body?: object,
    headers: Readonly<Record<string, string>> = asSite,
  ): Promise<Answer<Body>> =>
    gateway.ask<Body>(method, path, { headers, ...(token && { token }), ...(body && { body }) });
  const statusOf = async (...request: Parameters<typeof ask>): Promise<number> =>
    (await ask(...request)).status;

  /** Creates a guest as the site does; returns its secrets and its row. */
  async function welcome(): Promise<{ token: string; person: Pick<Person, 'id'>; name: string }> {
    const { body } = await ask<Ticket>('POST', '/upload-tickets');
    const { rows } = await database.query<{ id: string; username: string }>(
      `select id, username from users where kind = 'guest' order by id desc limit 1`,
    );
    return {
      token: body.guest_token ?? '',
      person: { id: Number(rows[0]?.id) },
      name: rows[0]?.username ?? '',
    };
  }

  // Promise [access]: Guests are created only by the website.
  it('are created only for requests with the site key', async () => {
    const { status, headers, body } = await ask<Ticket>('POST', '/upload-tickets');
    expect([status, headers.get('Location')]).toEqual([201, 'https://upload.example.org/api/v1/media']);
    expect(body).toEqual({
      message: 'Ticket created.',
      ticket: expect.stringMatching(/^vtu_[0-9A-Za-z]{40}$/),
      expires_at: expect.any(String),
      storage: { bytes: 0, bytes_limit: null, files: 0, files_limit: null },
      guest_token: expect.stringMatching(/^vtg_[0-9A-Za-z]{40}$/),
    });
    expect(Math.abs(Date.parse(body.expires_at) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    const { rows } = await database.query<{ count: number }>('select count(*)::integer as count from users');
    for (const headers of [{}, { ...asSite, 'X-Vitrine-Site-Key': 'j'.repeat(40) }]) {
      expect(await statusOf('POST', '/upload-tickets', undefined, undefined, headers)).toBe(401);
    }
    expect((await database.query('select count(*)::integer as count from users')).rows).toEqual(rows);
  });

  // Promise [access]: Sessions and guests get upload tickets, API tokens don’t.
  it('issues tickets to guests and sessions for their own accounts, but not to API tokens', async () => {
    const { token } = await welcome();
    const member = await createPerson(database);
    for (const secret of [token, member.session]) {
      const { status, body } = await ask<Ticket>('POST', '/upload-tickets', secret);
      expect([status, body.guest_token]).toEqual([201, undefined]);
      expect(await statusOf('POST', '/upload-tickets', body.ticket)).toBe(403);
    }
    expect(await statusOf('POST', '/upload-tickets', member.session, undefined, {})).toBe(201);
    expect(await statusOf('POST', '/upload-tickets', await member.mintToken())).toBe(403);
  });

  it('returns the same secrets for a repeated request, and stores them encrypted', async () => {
    const headers = { ...asSite, 'Idempotency-Key': 'once' };
    const [first, again] = [
      await ask<Ticket>('POST', '/upload-tickets', undefined, undefined, headers),
      await ask<Ticket>('POST', '/upload-tickets', undefined, undefined, headers),
    ];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    const { rows } = await database.query<{ answer: Buffer }>('select answer from idempotency_keys');
    for (const { answer } of rows) expect(answer.toString('latin1')).not.toContain('vtg_');
  });

  // Promise [access]: Guests create, hide, change and delete their posts.
  it('lets a guest create, hide, change and delete posts', async () => {
    const { token, person } = await welcome();
    const media = await storeMedia(database, person, { status: 'pending' });
    const created = await ask<{ post: { slug: string } }>('POST', '/posts', token, {
      media_ids: [media.id],
      visibility: 'private',
    });
    expect(created.status).toBe(201);
    const path = `/posts/${created.body.post.slug}`;
    expect(await statusOf('GET', path)).toBe(404);
    const own = await ask<{ data: Record<string, unknown> }>('GET', path, token);
    expect(own.body.data).toMatchObject({
      user: null,
      visibility: 'private',
      access_key: expect.any(String),
      view_count: 0,
      media: [{ slug: media.slug, user: null }],
    });
    expect(await statusOf('PATCH', path, token, { visibility: 'public', title: 'By nobody' })).toBe(200);
    expect(await statusOf('PATCH', `/media/${media.slug}`, token, { title: 'By nobody' })).toBe(200);
    expect((await ask<{ data: object }>('GET', path)).body.data).toMatchObject({
      user: null,
      title: 'By nobody',
    });
    expect((await ask<{ data: object }>('GET', `/media/${media.slug}`)).body.data).toMatchObject({
      user: null,
    });

    for (const [list, slug] of [
      ['posts', created.body.post.slug],
      ['media', media.slug],
    ] as const) {
      const { body } = await ask<{ data: object[]; meta: object }>('GET', `/guest/${list}?limit=1`, token);
      expect(body).toMatchObject({
        data: [{ slug, user: null, moderation_status: 'pending' }],
        meta: { total: 1, per_page: 1, path: expect.stringMatching(new RegExp(`/api/v1/guest/${list}$`)) },
      });
      expect(await statusOf('GET', `/guest/${list}?limit=0`, token)).toBe(422);
    }
    expect(await statusOf('DELETE', path, token)).toBe(200);
    expect(await statusOf('DELETE', `/media/${media.slug}`, token)).toBe(200);
  });

  it('shows a guest all its own items, and refuses access to those of others', async () => {
    const [one, other] = [await welcome(), await welcome()];
    const theirs = await storeMedia(database, other.person);
    for (const status of ['approved', 'pending', 'nsfw', 'rejected'] as const) {
      await storeMedia(database, one.person, { status });
    }
    const listed = await ask<{ data: { moderation_status: string }[] }>('GET', '/guest/media', one.token);
    expect(listed.body.data.map((media) => media.moderation_status)).toEqual([
      'rejected',
      'nsfw',
      'pending',
      'approved',
    ]);
    const post = await ask<{ post: { slug: string } }>('POST', '/posts', other.token, {
      media_ids: [theirs.id],
    });
    const path = `/posts/${post.body.post.slug}`;
    expect(await statusOf('POST', '/posts', one.token, { media_ids: [theirs.id] })).toBe(422);
    expect(await statusOf('PATCH', path, one.token, { title: 'Mine' })).toBe(403);
    expect(await statusOf('DELETE', path, one.token)).toBe(403);
    expect(await statusOf('DELETE', `/media/${theirs.slug}`, one.token)).toBe(403);
    expect((await ask<{ data: unknown[] }>('GET', '/guest/posts', one.token)).body.data).toEqual([]);
  });

  // Promise [access]: Guests can’t be found, followed, reported or used to log in.
  it('can’t be found, followed, reported or used to log in', async () => {
    const { token, person, name } = await welcome();
    const media = await storeMedia(database, person);
    await ask('POST', '/posts', token, { media_ids: [media.id], is_nsfw: true });
    const member = await createPerson(database, { role: 'moderator' });
    const named = encodeURIComponent(name);
    for (const path of ['', '/posts', '/media', '/comments', '/followers', '/following']) {
      expect(await statusOf('GET', `/users/${named}${path}`, member.session)).toBe(404);
      expect(await statusOf('GET', `/users/${named}${path}`, token)).toBe(404);
    }
    for (const list of ['posts', 'media']) {
      const { body } = await ask<{ data: unknown[] }>('GET', `/${list}?nsfw=1&username=${named}`);
      expect(body.data).toEqual([]);
    }
    expect(await statusOf('POST', `/users/${named}/follow`, member.session)).toBe(404);
    expect(
      await statusOf('POST', '/reports', member.session, { type: 'user', target: name, reason: 'spam' }),
    ).toBe(422);
    expect(await statusOf('DELETE', `/moderation/reports/user/${named}`, member.session)).toBe(404);
    expect(await statusOf('POST', '/auth/login', undefined, { login: name, password: PASSWORD })).toBe(422);
    expect(await statusOf('POST', '/auth/register', undefined, { username: name, password: PASSWORD })).toBe(
      422,
    );
    const decisions = await ask('GET', '/moderation/decisions', member.session);
    expect(JSON.stringify(decisions.body)).not.toContain(name.slice(1));
    expect(JSON.stringify(decisions.body)).toContain('"owner"');
  });

  // Promise [access]: A guest can delete everything that they uploaded.
  it('is deleted with everything it uploaded, on its own request', async () => {
    const { token, person } = await welcome();
    const { body } = await ask<Ticket>('POST', '/upload-tickets', token);
    const media = await storeMedia(database, person);
    const post = await ask<{ post: { slug: string } }>('POST', '/posts', token, { media_ids: [media.id] });
    expect(await ask('DELETE', '/guest', token)).toMatchObject({
      status: 200,
      body: { message: 'Everything deleted.' },
    });
    for (const secret of [token, body.ticket]) expect(await statusOf('GET', '/tags', secret)).toBe(401);
    expect(await statusOf('GET', `/posts/${post.body.post.slug}`)).toBe(404);
    expect(await statusOf('GET', `/media/${media.slug}`)).toBe(404);
  });

  it('count for the address over all its guests, and members’ tickets count for the member', async () => {
    const from = (visitor: string) => ({ ...asSite, 'X-Vitrine-Visitor': visitor });
    const remaining = ({ headers }: Answer): [number, number] => [
      Number(headers.get('X-RateLimit-Limit')),
      Number(headers.get('X-RateLimit-Remaining')),
    ];
    const at = from('198.51.100.7');
    const first = await ask<Ticket>('POST', '/upload-tickets', undefined, undefined, at);
    const second = await ask<Ticket>('POST', '/upload-tickets', undefined, undefined, at);
    const third = await ask('GET', '/tags', first.body.guest_token, undefined, at);
    const fourth = await ask('GET', '/tags', second.body.guest_token, undefined, at);
    expect([third, fourth].map(remaining)).toEqual([
      [100_000, 99_997],
      [100_000, 99_996],
    ]);
    // Directly from a browser: it has its own address and the ordinary limits, because the request has no site key.
    const direct = await ask('GET', '/tags', first.body.ticket, undefined, {});
    const again = await ask('GET', '/tags', second.body.ticket, undefined, {});
    expect([remaining(direct)[0], remaining(direct)[1] - remaining(again)[1]]).toEqual([100, 1]);
    const member = await createPerson(database);
    const tickets = [await member.mintTicket(), await member.mintTicket()];
    const limits = [];
    for (const ticket of tickets) limits.push(remaining(await ask('GET', '/tags', ticket, undefined, {})));
    expect(limits).toEqual([
      [100_000, 99_999],
      [100_000, 99_998],
    ]);
  });

  it('ends tickets and other sessions after a password change, and keeps API tokens on request', async () => {
    const session = await gateway.register('changes_password');
    const { body } = await ask<Ticket>('POST', '/upload-tickets', session);
    const token = await gateway.mintToken(session);
    const password = { current_password: PASSWORD, password: 'another long password' };
    const change = { ...password, keep_tokens: true };
    expect(await statusOf('POST', '/me/password', session, change)).toBe(200);
    expect(await statusOf('GET', '/tags', body.ticket)).toBe(401);
    expect(await statusOf('GET', '/tags', token)).toBe(200);
  });

  it('lists neither guests’ tokens nor tickets as API tokens', async () => {
    const member = await createPerson(database);
    await member.mintTicket();
    const { body } = await ask<{ data: unknown[] }>('GET', '/tokens', member.session);
    expect(body.data).toEqual([]);
    const { rows } = await database.query<{ id: string }>(
      `select id from tokens where user_id = $1 and kind = 'ticket'`,
      [member.id],
    );
    expect(await statusOf('DELETE', `/tokens/${rows[0]?.id}`, member.session)).toBe(404);
  });

  // Promise [access]: A guest's uploads move to an account with the guest's token, once.
  it('give everything they made to an account, and end', async () => {
    const guest = await welcome();
    const media = await storeMedia(database, guest.person);
    const { body } = await ask<{ post: { slug: string } }>('POST', '/posts', guest.token, {
      media_ids: [media.id],
      title: 'Before',
    });
    const ada = await createPerson(database);
    const bob = await createPerson(database);
    const adopt = (token: string, guestToken: string) =>
      ask('POST', '/me/guest-uploads', token, { guest_token: guestToken });

    expect((await adopt(ada.session, bob.session)).status).toBe(422);
    const answers = await Promise.all([adopt(ada.session, guest.token), adopt(ada.session, guest.token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({ media: 1, posts: 1 });

    expect((await adopt(bob.session, guest.token)).status).toBe(422);
    expect(await statusOf('GET', '/guest/media', guest.token)).toBe(401);
    const post = await ask('GET', `/posts/${body.post.slug}`, ada.session);
    expect(post.body['data']).toMatchObject({
      title: 'Before',
      user: { username: ada.username },
      visibility: 'public',
    });
    const profile = await ask('GET', `/users/${ada.username}`);
    expect(profile.body['data']).toMatchObject({ post_count: 1, media_count: 1 });
    const { rows } = await database.query(
      `select (select count(*)::int from media_ranks m join media using (id) where m.user_id <> media.user_id) as media,
              (select count(*)::int from post_ranks p join posts using (id) where p.user_id <> posts.user_id) as posts`,
    );
    expect(rows).toEqual([{ media: 0, posts: 0 }]);
  });
});
