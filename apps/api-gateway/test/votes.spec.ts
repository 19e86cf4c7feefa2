import { randomSlug } from '@vitrine/domain';
import type { Answer } from './gateway';
import { createPerson, type Person } from './people';
import { useSharedGateway } from './use-gateway';

const KEY = 'Sesame0123456789Sesame0123456789';
type Way = 'upvote' | 'downvote';

describe('votes over HTTP', () => {
  const api = useSharedGateway();
  let owner: Person;
  let ada: Person;
  let bob: Person;
  let moderator: Person;

  beforeAll(async () => {
    [owner, ada, bob] = [
      await createPerson(api.database),
      await createPerson(api.database),
      await createPerson(api.database),
    ];
    moderator = await createPerson(api.database, { role: 'moderator' });
  });

  const createPost = async (
    fields: { visibility?: string; status?: string } = {},
  ): Promise<{ id: number; slug: string; path: string }> => {
    const slug = randomSlug();
    const { visibility = 'public', status = 'approved' } = fields;
    const { rows } = await api.database.query<{ id: string }>(
      `insert into posts (slug, user_id, visibility, moderation_status, access_key)
       values ($1, $2, $3, $4, $5) returning id`,
      [slug, owner.id, visibility, status, visibility === 'private' ? KEY : null],
    );
    return { id: Number(rows[0]?.id), slug, path: `/posts/${slug}` };
  };
  const createComment = async (post: { id: number }): Promise<string> => {
    const { rows } = await api.database.query<{ id: string }>(
      `insert into comments (post_id, user_id, content) values ($1, $2, 'x') returning id`,
      [post.id, owner.id],
    );
    await api.database.query('update posts set comment_count = comment_count + 1 where id = $1', [post.id]);
    return `/comments/${rows[0]?.id}`;
  };
  const vote = (path: string, way: Way, person?: Person, query = ''): Promise<Answer> =>
    api.gateway.ask('POST', `${path}/${way}${query}`, person ? { token: person.session } : {});
  const scoreAfter = async (path: string, way: Way, person: Person): Promise<unknown> => {
    const { status, body } = await vote(path, way, person);
    expect([status, body]).toEqual([
      200,
      {
        message: expect.any(String),
        score: expect.any(Number),
        isUpvotedByUser: expect.any(Boolean),
        isDownvotedByUser: expect.any(Boolean),
      },
    ]);
    return body['score'];
  };

  // Promise [community]: A second equal vote removes the vote; the opposite vote switches it in one request.
  it.each(['post', 'comment'])('on a %s toggle, and switch in one request', async (target) => {
    const post = await createPost();
    const path = target === 'post' ? post.path : await createComment(post);
    expect(await scoreAfter(path, 'upvote', ada)).toBe(1);
    expect(await scoreAfter(path, 'upvote', bob)).toBe(2);
    expect(await scoreAfter(path, 'downvote', ada)).toBe(0);
    expect(await scoreAfter(path, 'upvote', ada)).toBe(2);
    expect(await scoreAfter(path, 'upvote', ada)).toBe(1);
    expect(await scoreAfter(path, 'upvote', bob)).toBe(0);
    expect(await scoreAfter(path, 'downvote', bob)).toBe(-1);
    expect(await scoreAfter(path, 'downvote', bob)).toBe(0);
    // Users may vote on their own items.
    expect(await scoreAfter(path, 'upvote', owner)).toBe(1);
  });

  // Promise [community]: `PUT` and `DELETE` set and remove votes idempotently.
  it.each(['post', 'comment'])('on a %s can be set and removed, any number of times', async (target) => {
    const post = await createPost();
    const path = target === 'post' ? post.path : await createComment(post);
    const send = async (method: 'PUT' | 'DELETE', way: Way): Promise<object> =>
      (await api.gateway.ask(method, `${path}/${way}`, { token: ada.session })).body;
    const up = { message: 'Upvoted.', score: 1, isUpvotedByUser: true, isDownvotedByUser: false };
    const down = { message: 'Downvoted.', score: -1, isUpvotedByUser: false, isDownvotedByUser: true };
    const none = { message: 'Vote removed.', score: 0, isUpvotedByUser: false, isDownvotedByUser: false };
    expect(await send('DELETE', 'upvote')).toEqual(none);
    expect(await send('PUT', 'upvote')).toEqual(up);
    expect(await send('PUT', 'upvote')).toEqual(up);
    expect(await send('DELETE', 'downvote')).toEqual({ ...up, message: none.message });
    expect(await send('PUT', 'downvote')).toEqual(down);
    expect(await send('DELETE', 'downvote')).toEqual(none);
  });

  it('and reports on a comment of a hidden post name only the comment; reading it takes the slug of the post', async () => {
    const hidden = await createPost({ visibility: 'hidden' });
    const other = await createPost();
    const path = await createComment(hidden);
    const ask = (method: string, query: string) =>
      api.gateway.ask(method, `${path}${query}`, { token: ada.session });
    for (const query of ['', `?post=${hidden.id}`, `?post=${other.slug}`, '?post=nosuch1']) {
      expect((await ask('GET', query)).status).toBe(404);
      expect((await ask('DELETE', query)).status).toBe(404);
    }
    for (const query of [`?post=${other.slug}`, '?post=nosuch1'])
      expect((await vote(path, 'upvote', ada, query)).status).toBe(404);
    const { status, body } = await vote(path, 'upvote', ada);
    expect(status).toBe(200);
    expect(body).toEqual({
      message: expect.any(String),
      score: 1,
      isUpvotedByUser: true,
      isDownvotedByUser: false,
    });
    expect((await vote(path, 'upvote', ada, `?post=${hidden.slug}`)).status).toBe(200);
    const report = { type: 'comment', target: path.split('/').pop(), reason: 'spam' };
    const reported = await api.gateway.ask('POST', '/reports', { token: ada.session, body: report });
    expect(reported.status).toBe(201);
    expect((await ask('GET', `?post=${hidden.slug}`)).status).toBe(200);
  });

  // Promise [community]: `isUpvotedByUser` and `isDownvotedByUser` show the viewer’s own vote.
  it('on a post are shown with it, to each voter their own', async () => {
    const { id, path } = await createPost();
    await vote(`/posts/${id}`, 'downvote', ada);
    const shown = async (person?: Person) =>
      (await api.gateway.ask('GET', path, person ? { token: person.session } : {})).body['data'];
    expect(await shown()).toMatchObject({ score: -1, isUpvotedByUser: false, isDownvotedByUser: false });
    expect(await shown(ada)).toMatchObject({ score: -1, isUpvotedByUser: false, isDownvotedByUser: true });
    await vote(path, 'upvote', ada);
    expect(await shown(ada)).toMatchObject({ score: 1, isUpvotedByUser: true, isDownvotedByUser: false });
  });

  it('require a token with the scope write', async () => {
    const post = await createPost();
    const token = await ada.mintToken({ scopes: ['read', 'upload'] });
    for (const path of [post.path, await createComment(post)]) {
      for (const way of ['upvote', 'downvote'] as const) {
        expect((await vote(path, way)).status).toBe(401);
        expect((await api.gateway.ask('POST', `${path}/${way}`, { token })).status).toBe(403);
      }
    }
  });

  // Promise [visibility]: Votes require access to the post.
  it('require access to the post; a private one needs its key or its owner', async () => {
    const [hidden, secret, rejected] = [
      await createPost({ visibility: 'hidden' }),
      await createPost({ visibility: 'private' }),
      await createPost({ status: 'rejected' }),
    ];
    expect((await vote(hidden.path, 'upvote', ada)).status).toBe(200);
    for (const path of [secret.path, `/posts/${secret.id}`, await createComment(secret)]) {
      for (const query of ['', '?key=', '?key=wrong', `?key=${KEY}&key=${KEY}`]) {
        expect((await vote(path, 'upvote', ada, query)).status).toBe(404);
      }
      expect((await vote(path, 'upvote', moderator)).status).toBe(403);
      expect((await vote(path, 'upvote', moderator, `?key=${KEY}`)).status).toBe(200);
      expect((await vote(path, 'upvote', owner)).status).toBe(200);
      expect((await vote(path, 'upvote', ada, `?key=${KEY}`)).status).toBe(200);
    }
    for (const path of [rejected.path, await createComment(rejected)]) {
      expect((await vote(path, 'downvote', ada)).status).toBe(404);
      expect((await vote(path, 'downvote', owner)).status).toBe(200);
      expect((await vote(path, 'downvote', moderator)).status).toBe(200);
    }
  });

  it('on missing or invalid ids are answered 404', async () => {
    for (const wrong of [
      'nosuch1',
      '999999999',
      '0',
      '-1',
      '%00',
      '1e3',
      '99999999999999999999999',
      'x'.repeat(3000),
    ]) {
      expect((await vote(`/posts/${wrong}`, 'upvote', ada)).status).toBe(404);
      expect((await vote(`/comments/${wrong}`, 'upvote', ada)).status).toBe(404);
    }
  });

  it('publish an event with the new score', async () => {
    const { id, path } = await createPost();
    await vote(path, 'upvote', ada);
    await vote(path, 'downvote', ada);
    await vote(path, 'downvote', ada);
    const { rows } = await api.database.query<{ envelope: { type: string; data: object } }>(
      `select envelope from outbox where envelope -> 'data' ->> 'target_id' = $1
         and envelope -> 'data' ->> 'target' = 'post' order by id`,
      [String(id)],
    );
    const told = { target: 'post', target_id: id, user_id: ada.id };
    expect(rows.map(({ envelope: { type, data } }) => [type, data])).toEqual([
      ['vote.changed', { ...told, from: 0, to: 1, score: 1 }],
      ['vote.changed', { ...told, from: 1, to: -1, score: -1 }],
      ['vote.changed', { ...told, from: -1, to: 0, score: 0 }],
    ]);
  });
});
