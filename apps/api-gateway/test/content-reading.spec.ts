import type { Answer, Ask } from './gateway';
import { createPerson, type Person } from './people';
import { storeMedia } from './stored';
import { useSharedGateway } from './use-gateway';

interface Made {
  readonly id: number;
  readonly slug: string;
  readonly access_key?: string;
  readonly media: readonly { readonly id: number; readonly slug: string }[];
}

describe('reading content', () => {
  const api = useSharedGateway();
  let owner: Person;
  let stranger: Person;
  let moderator: Person;

  beforeAll(async () => {
    moderator = await createPerson(api.database, { role: 'moderator' });
  });
  beforeEach(async () => {
    owner = await createPerson(api.database);
    stranger = await createPerson(api.database);
  });

  type Status = 'approved' | 'pending' | 'nsfw' | 'rejected';
  const make = async (fields: object = {}, statuses: readonly Status[] = ['approved']): Promise<Made> => {
    const media = [];
    for (const status of statuses) media.push(await storeMedia(api.database, owner, { status }));
    const { status, body } = await api.gateway.ask('POST', '/posts', {
      token: owner.session,
      body: { media_ids: media.map(({ id }) => id), ...fields },
    });
    expect(status).toBe(201);
    return { ...(body['post'] as Omit<Made, 'media'>), media };
  };
  const get = (path: string, ask: Ask = {}): Promise<Answer> => api.gateway.ask('GET', path, ask);
  const as = (person: Person, body?: unknown): Ask => ({
    token: person.session,
    ...(body !== undefined && { body }),
  });
  const dataOf = ({ body }: Answer) => body['data'] as Record<string, unknown>;
  const slugsOf = ({ body }: Answer) => (body['data'] as { slug: string }[]).map(({ slug }) => slug);
  const comment = async (post: Made, person: Person): Promise<{ id: number; location: string }> => {
    const query = post.access_key === undefined ? '' : `?key=${post.access_key}`;
    const answer = await api.gateway.ask(
      'POST',
      `/posts/${post.slug}/comments${query}`,
      as(person, { content: 'Hello' }),
    );
    expect(answer.status).toBe(201);
    const { id } = answer.body['comment'] as { id: number };
    return { id, location: answer.headers.get('Location') ?? '' };
  };
  /** The answers to an anonymous caller, another account, the owner and a moderator. */
  const statuses = async (method: string, path: string, body?: unknown): Promise<number[]> => {
    const answers = [];
    const fields = body === undefined ? {} : { body };
    for (const person of [null, stranger, owner, moderator]) {
      const ask = { ...(person && { token: person.session }), ...fields };
      answers.push((await api.gateway.ask(method, path, ask)).status);
    }
    return answers;
  };

  describe('a hidden post by its numeric id', () => {
    // Promise [visibility]: A hidden post is found by numeric id only by its owner and moderators.
    it('is found by its owner and moderators only, on every route that takes a post', async () => {
      const { id, slug, media } = await make({ visibility: 'hidden' }, ['approved', 'approved']);
      expect(await statuses('GET', `/posts/${slug}`)).toEqual([200, 200, 200, 200]);
      expect(await statuses('GET', `/posts/${id}`)).toEqual([404, 404, 200, 200]);
      expect(await statuses('GET', `/posts/${id}/comments`)).toEqual([404, 404, 200, 200]);
      expect(await statuses('POST', `/posts/${id}/comments`, { content: 'Hi' })).toEqual([
        401, 404, 201, 201,
      ]);
      for (const vote of ['upvote', 'downvote']) {
        expect(await statuses('POST', `/posts/${id}/${vote}`)).toEqual([401, 404, 200, 200]);
      }
      const report = { type: 'post', target: String(id), reason: 'spam' };
      expect(await statuses('POST', '/reports', report)).toEqual([401, 422, 201, 201]);
      const extra = await storeMedia(api.database, owner);
      const added = { media_ids: [extra.id] };
      expect(await statuses('POST', `/posts/${id}/media`, added)).toEqual([401, 404, 200, 403]);
      const path = `/posts/${id}/media/${media[1]?.slug}`;
      expect(await statuses('DELETE', path)).toEqual([401, 404, 200, 403]);
      expect(await statuses('PATCH', `/posts/${id}`, { title: 'x' })).toEqual([401, 404, 200, 403]);
      // Everyone still finds it by its slug.
      expect(await statuses('POST', `/posts/${slug}/comments`, { content: 'Hi' })).toEqual([
        401, 201, 201, 201,
      ]);
      expect(await statuses('PATCH', `/posts/${slug}`, { title: 'x' })).toEqual([401, 403, 200, 403]);
      expect(await statuses('DELETE', `/posts/${id}`)).toEqual([401, 404, 200, 404]);
    });

    it('gets the same answer as an unknown id', async () => {
      const { id } = await make({ visibility: 'hidden' });
      const [hidden, unknown] = [await get(`/posts/${id}`), await get('/posts/999999999')];
      expect(hidden.body).toEqual(unknown.body);
    });
  });

  describe('a post that has lost all its media', () => {
    it('is found by its owner and moderators only', async () => {
      const post = await make({ title: 'Left' });
      const { id: commentId } = await comment(post, owner);
      await api.gateway.ask('DELETE', `/media/${post.media[0]?.slug}`, as(owner));
      for (const reference of [post.slug, post.id]) {
        expect(await statuses('GET', `/posts/${reference}`)).toEqual([404, 404, 200, 200]);
        expect(await statuses('GET', `/posts/${reference}/comments`)).toEqual([404, 404, 200, 200]);
        expect(await statuses('POST', `/posts/${reference}/upvote`)).toEqual([401, 404, 200, 200]);
      }
      expect(await statuses('GET', `/comments/${commentId}`)).toEqual([404, 404, 200, 200]);
      const comments = await get(`/users/${owner.username}/comments`);
      expect(comments.body['data']).toEqual([]);
    });

    // Promise [visibility]: A post without visible media is found only by its owner and moderators.
    it('is not found by others if only rejected media are left, even after a ruling of approved', async () => {
      const post = await make({}, ['rejected']);
      const ruling = { status: 'approved', reason: 'fine', revision: 1 };
      expect(
        (await api.gateway.ask('POST', `/moderation/posts/${post.slug}`, as(moderator, ruling))).status,
      ).toBe(200);
      expect(await statuses('GET', `/posts/${post.slug}`)).toEqual([404, 404, 200, 200]);
    });

    it('is found by everyone again once it has new media', async () => {
      const post = await make();
      await api.gateway.ask('DELETE', `/media/${post.media[0]?.slug}`, as(owner));
      const { id } = await storeMedia(api.database, owner);
      await api.gateway.ask('POST', `/posts/${post.slug}/media`, as(owner, { media_ids: [id] }));
      expect(await statuses('GET', `/posts/${post.slug}`)).toEqual([200, 200, 200, 200]);
    });
  });

  describe('one comment', () => {
    // Promise [content]: A new item can be read at its `Location`.
    it('is at the Location that its creation returned, for any post', async () => {
      for (const visibility of ['public', 'hidden', 'private']) {
        const post = await make({ visibility });
        const { id, location } = await comment(post, stranger);
        expect(location).toMatch(new RegExp(`/comments/${id}$`));
        const found = await get(`/comments/${id}`, as(stranger));
        expect(dataOf(found)).toMatchObject({ id, content: 'Hello', post_id: post.id });
      }
    });

    // Promise [visibility]: A comment can be read by those who can read its post.
    it('can be read by those who can read its post: public, hidden, private with and without key, rejected', async () => {
      const post = await make();
      const { id } = await comment(post, owner);
      expect(await statuses('GET', `/comments/${id}`)).toEqual([200, 200, 200, 200]);
      const hidden = await comment(await make({ visibility: 'hidden' }), owner);
      expect(await statuses('GET', `/comments/${hidden.id}`)).toEqual([404, 404, 200, 200]);
      const closed = await make({ visibility: 'private' });
      const secret = await comment(closed, owner);
      expect(await statuses('GET', `/comments/${secret.id}`)).toEqual([404, 404, 200, 200]);
      const query = `?key=${closed.access_key}`;
      expect(await statuses('GET', `/comments/${secret.id}${query}`)).toEqual([200, 200, 200, 200]);
      const ruling = { status: 'rejected', reason: 'no' };
      await api.gateway.ask('POST', `/moderation/posts/${post.slug}`, as(moderator, ruling));
      expect(await statuses('GET', `/comments/${id}`)).toEqual([404, 404, 200, 200]);
    });

    it('is 404 after its deletion, also as a tombstone', async () => {
      const post = await make();
      const { id } = await comment(post, stranger);
      const reply = { content: 'Reply', parent_id: id };
      await api.gateway.ask('POST', `/posts/${post.slug}/comments`, as(owner, reply));
      await api.gateway.ask('DELETE', `/comments/${id}`, as(stranger));
      expect(await statuses('GET', `/comments/${id}`)).toEqual([404, 404, 404, 404]);
      for (const path of ['0', '-1', 'x', '99999999999999999999']) {
        expect((await get(`/comments/${path}`)).status).toBe(404);
      }
    });
  });

  it('an API token is at the Location that its creation returned, for its owner’s session only', async () => {
    const session = await api.gateway.register(`r_${owner.id}`);
    // Inserted directly: reading a token needs only its row.
    const { rows } = await api.database.query<{ id: string }>('select id from users where username = $1', [
      `r_${owner.id}`,
    ]);
    const { rows: tokens } = await api.database.query<{ id: string }>(
      `insert into tokens (user_id, kind, name, secret_sha256, scopes)
       values ($1, 'api', 'mine', sha256($2::bytea), '{read}') returning id`,
      [Number(rows[0]?.id), `secret ${owner.id}`],
    );
    const path = `/tokens/${tokens[0]?.id}`;
    expect(dataOf(await get(path, { token: session }))).toMatchObject({ name: 'mine', scopes: ['read'] });
    expect((await get(path, as(owner))).status).toBe(404);
    expect((await get(path, as(moderator))).status).toBe(404);
    expect((await get(path)).status).toBe(401);
    expect((await get(path, { token: await owner.mintToken() })).status).toBe(403);
    expect(JSON.stringify((await get(path, { token: session })).body)).not.toContain('secret');
  });

  describe('GET /media?slugs=', () => {
    // Promise [content]: `GET /media?slugs=` returns the named media in their order.
    it('returns these media in this order, each once, without those that the caller may not see', async () => {
      const [one, two, adult, rejected] = [
        await storeMedia(api.database, owner),
        await storeMedia(api.database, owner),
        await storeMedia(api.database, owner, { status: 'nsfw' }),
        await storeMedia(api.database, owner, { status: 'rejected' }),
      ];
      const slugs = [two, rejected, one, adult, two].map(({ slug }) => slug);
      const path = `/media?slugs=${['nothere', ...slugs, '', 'not a slug', '%F0%9F%98%80'].join(',')}`;
      const found = await get(path);
      expect(slugsOf(found)).toEqual([two.slug, one.slug, adult.slug]);
      expect(found.body['meta']).toMatchObject({
        current_page: 1,
        last_page: 1,
        total: 3,
        from: 1,
        to: 3,
        per_page: 100,
      });
      expect(found.body['links']).toMatchObject({ prev: null, next: null });
      expect(slugsOf(await get(path, as(owner)))).toEqual([two.slug, rejected.slug, one.slug, adult.slug]);
      expect(slugsOf(await get(`${path}&limit=1&page=7&tag=none&q=none`))).toHaveLength(3);
    });

    it('accepts at most 100 slugs; an empty list returns no items', async () => {
      const { slug } = await storeMedia(api.database, owner);
      const many = (count: number) => Array.from({ length: count }, () => slug).join(',');
      expect(slugsOf(await get(`/media?slugs=${many(100)}`))).toEqual([slug]);
      const refused = await get(`/media?slugs=${many(101)}`);
      expect(refused.status).toBe(422);
      expect(refused.body['errors']).toEqual({
        slugs: ['The slugs field must not have more than 100 items.'],
      });
      expect((await get(`/media?slugs=${'x'.repeat(8_000)}`)).status).toBe(422);
      expect((await get('/media?slugs=a&slugs=b')).status).toBe(422);
      expect(slugsOf(await get('/media?slugs='))).toEqual([]);
      expect(slugsOf(await get('/media?slugs=,,'))).toEqual([]);
    });
  });
});
