import type { Answer } from './gateway';
import { createPerson, type Person } from './people';
import { storeMedia } from './stored';
import { useSharedGateway } from './use-gateway';

const INVALID = {
  status: 422,
  body: {
    message: 'The selected target is invalid.',
    errors: { target: ['The selected target is invalid.'] },
  },
};

describe('POST /reports', () => {
  const api = useSharedGateway();
  let author: Person;
  let reporter: Person;

  beforeAll(async () => {
    author = await createPerson(api.database);
    reporter = await createPerson(api.database);
  });

  const report = (body: unknown, token: string | null = reporter.session, query = ''): Promise<Answer> =>
    api.gateway.ask('POST', `/reports${query}`, { body, ...(token !== null && { token }) });
  const count = async (): Promise<number> =>
    Number((await api.database.query<{ count: string }>('select count(*) from reports')).rows[0]?.count);

  /** Creates a post of the author with a comment through the API. */
  async function makePost(
    fields: object = {},
  ): Promise<{ slug: string; id: number; key: string; comment: number }> {
    const media = await storeMedia(api.database, author);
    const { body } = await api.gateway.ask('POST', '/posts', {
      token: author.session,
      body: { media_ids: [media.id], ...fields },
    });
    const {
      slug,
      id,
      access_key: key = '',
    } = body['post'] as { slug: string; id: number; access_key?: string };
    const written = await api.gateway.ask('POST', `/posts/${slug}/comments`, {
      token: author.session,
      body: { content: 'First' },
    });
    return { slug, id, key, comment: (written.body['comment'] as { id: number }).id };
  }

  // Promise [moderation]: Media, posts, comments and accounts can be reported.
  it('accepts media, posts, comments and accounts, by slug, id or username', async () => {
    const media = await storeMedia(api.database, author);
    const post = await makePost();
    const before = await count();
    for (const [type, target] of [
      ['media', media.slug],
      ['post', post.slug],
      ['comment', post.comment],
      ['comment', String((await makePost()).comment)],
      ['user', author.username.toUpperCase()],
    ]) {
      const answer = await report({ type, target, reason: 'spam', details: 'Two\nlines' });
      expect(answer).toMatchObject({ status: 201, body: { message: 'Report received.' } });
      expect(answer.headers.get('Location')).toMatch(/\/api\/v1\/reports\/\d+$/);
    }
    expect(await count()).toBe(before + 5);
  });

  it('returns a report at its Location to the account that made it', async () => {
    const [media, post] = [await storeMedia(api.database, author), await makePost()];
    for (const [type, target] of [
      ['media', media.slug],
      ['post', post.slug],
      ['comment', String(post.comment)],
      ['user', author.username],
    ] as const) {
      const made = await report({ type, target, reason: 'spam', details: 'Two\nlines' });
      const path = made.headers.get('Location')!.split('/api/v1')[1]!;
      expect(await api.gateway.ask('GET', path, { token: reporter.session })).toMatchObject({
        status: 200,
        body: {
          data: { id: Number(path.split('/')[2]), type, target, reason: 'spam', details: 'Two\nlines' },
        },
      });
      expect((await api.gateway.ask('GET', path, { token: author.session })).status).toBe(404);
    }
  });

  // Promise [moderation]: A repeated report gets the answer of the first one.
  it('answers a repeated report like the first one, and stores nothing', async () => {
    const post = await makePost();
    const first = await report({ type: 'post', target: post.slug, reason: 'spam' });
    const before = await count();
    const again = await Promise.all([
      report({ type: 'post', target: post.slug, reason: 'abuse', details: 'More' }),
      report({ type: 'post', target: post.id, reason: 'spam', details: null }),
    ]);
    for (const answer of again) {
      expect([answer.status, answer.body]).toEqual([first.status, first.body]);
      expect(answer.headers.get('Location')).toBe(first.headers.get('Location'));
    }
    expect(await count()).toBe(before);
  });

  it('gives the same answer for items that the reporter can’t see and items that don’t exist', async () => {
    const post = await makePost({ visibility: 'private' });
    const rejected = await storeMedia(api.database, author, { status: 'rejected' });
    const answers = [
      await report({ type: 'post', target: 'nothere', reason: 'spam' }),
      await report({ type: 'post', target: post.slug, reason: 'spam' }),
      await report({ type: 'post', target: post.id, reason: 'spam' }, reporter.session, '?key=wrong'),
      await report(
        { type: 'post', target: post.id, reason: 'spam' },
        reporter.session,
        `?key=${post.key}&key=x`,
      ),
      await report({ type: 'comment', target: post.comment, reason: 'spam' }),
      await report({ type: 'media', target: rejected.slug, reason: 'spam' }),
      await report({ type: 'media', target: rejected.id, reason: 'spam' }),
      await report({ type: 'user', target: 'nobody_here', reason: 'spam' }),
    ];
    for (const answer of answers) expect(answer).toMatchObject(INVALID);
    const opened = await report(
      { type: 'comment', target: post.comment, reason: 'spam' },
      reporter.session,
      `?key=${post.key}`,
    );
    expect(opened.status).toBe(201);
  });

  it('requires a token with the scope write', async () => {
    const body = { type: 'user', target: author.username, reason: 'other' };
    expect((await report(body, null)).status).toBe(401);
    expect((await report(body, await reporter.mintToken({ scopes: ['read', 'upload'] }))).status).toBe(403);
    expect((await report(body, await reporter.mintToken({ scopes: ['write'] }))).status).toBe(201);
  });

  it.each([
    [{}, ['type', 'target', 'reason']],
    [{ type: 'tag', target: 'x', reason: 'spam' }, ['type']],
    [{ type: 'user', target: 'x', reason: 'boring' }, ['reason']],
    [{ type: 'user', target: { a: 1 }, reason: 'spam' }, ['target']],
    [{ type: 'user', target: 'a\u0000b', reason: 'spam' }, ['target']],
    [{ type: 'user', target: 'x'.repeat(101), reason: 'spam' }, ['target']],
    [{ type: 'user', target: 'x', reason: 'spam', details: 'x'.repeat(1001) }, ['details']],
    [{ type: 'user', target: 'x', reason: 'spam', details: '\ud800' }, ['details']],
    [{ type: ['user'], target: 'x', reason: ['spam'] }, ['type', 'reason']],
  ])('refuses %j', async (body, fields) => {
    const answer = await report(body);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body['errors'] as object)).toEqual(fields);
  });

  it('accepts a thousand characters of details', async () => {
    const target = (await createPerson(api.database)).username;
    const answer = await report({ type: 'user', target, reason: 'other', details: '🌊'.repeat(1000) });
    expect(answer.status).toBe(201);
  });
});
