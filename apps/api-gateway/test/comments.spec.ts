import { randomSlug } from '@vitrine/domain';
import { Client } from 'pg';
import { type Answer, type Gateway, startGateway } from './gateway';
import { createPerson, type Person } from './people';

const KEY = 'Sesame0123456789Sesame0123456789';

interface Shown {
  readonly id: number;
  readonly content: string;
  readonly post?: { readonly slug: string; readonly title: string | null };
}
interface Page {
  readonly data: Shown[];
  readonly links: Record<string, string | null>;
  readonly meta: Record<string, unknown>;
}
interface Post {
  readonly id: number;
  readonly slug: string;
}

describe('comments over HTTP', () => {
  let gateway: Gateway;
  let database: Client;
  let owner: Person;
  let ada: Person;
  let bob: Person;
  let moderator: Person;

  beforeAll(async () => {
    gateway = await startGateway({ PUBLIC_API_URL: 'https://example.org/api/v1' });
    database = new Client({ connectionString: gateway.database.url });
    await database.connect();
    [owner, ada, bob] = [
      await createPerson(database),
      await createPerson(database),
      await createPerson(database),
    ];
    moderator = await createPerson(database, { role: 'moderator' });
  });
  afterAll(async () => {
    await database.end();
    await gateway.stop();
  });

  const createPost = async (fields: { visibility?: string; status?: string } = {}): Promise<Post> => {
    const slug = randomSlug();
    const { visibility = 'public', status = 'approved' } = fields;
    const { rows } = await database.query<{ id: string }>(
      `insert into posts (slug, user_id, title, visibility, moderation_status, access_key)
       values ($1, $2, 'A title', $3, $4, $5) returning id`,
      [slug, owner.id, visibility, status, visibility === 'private' ? KEY : null],
    );
    return { id: Number(rows[0]?.id), slug };
  };
  const as = (person: Person | undefined) => (person ? { token: person.session } : {});
  const write = (
    post: string | number,
    person: Person | undefined,
    body: object = { content: 'Nice.' },
    query = '',
  ): Promise<Answer> => gateway.ask('POST', `/posts/${post}/comments${query}`, { ...as(person), body });
  const comment = async (post: Post, person: Person, parentId?: number): Promise<number> => {
    const { status, body } = await write(post.slug, person, {
      content: `By ${person.username}`,
      ...(parentId !== undefined && { parent_id: parentId }),
    });
    expect(status).toBe(201);
    return (body['comment'] as Shown).id;
  };
  const remove = (id: number | string, person: Person | undefined, query = ''): Promise<Answer> =>
    gateway.ask('DELETE', `/comments/${id}${query}`, as(person));
  const list = async (post: Post, query = '', person?: Person): Promise<Page> =>
    (await gateway.ask<Page>('GET', `/posts/${post.slug}/comments${query}`, as(person))).body;
  const ids = ({ data }: Page): number[] => data.map(({ id }) => id);

  it('answers as the specification has it, by slug and by id', async () => {
    const post = await createPost();
    const first = await write(post.slug, ada, { content: 'What a light!' });
    expect(first).toMatchObject({
      status: 201,
      body: {
        success: true,
        comment: {
          id: expect.any(Number),
          content: 'What a light!',
          user_id: ada.id,
          post_id: post.id,
          parent_id: null,
          score: 0,
          isUpvotedByUser: false,
          isDownvotedByUser: false,
          replies_count: 0,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          user: { username: ada.username, avatar: null },
        },
      },
    });
    const { id } = first.body['comment'] as Shown;
    expect(first.headers.get('Location')).toBe(`https://example.org/api/v1/comments/${id}`);
    const reply = await write(post.id, bob, { content: 'Indeed.', parent_id: id });
    expect(reply.body).toMatchObject({ comment: { parent_id: id, user_id: bob.id, post_id: post.id } });
    expect((await list(post)).data).toMatchObject([
      { id, replies_count: 1, user: { username: ada.username } },
      { parent_id: id, replies_count: 0 },
    ]);
    expect(await remove(id, ada)).toMatchObject({
      status: 200,
      body: { success: true, message: expect.any(String) },
    });
  });

  it('takes 1 to 500 characters as people count them, and no other fields', async () => {
    const post = await createPost();
    const contentOf = async (content: unknown) => write(post.slug, ada, { content });
    expect((await contentOf('😀'.repeat(500))).status).toBe(201);
    expect((await contentOf('two\nlines\tand a tab')).status).toBe(201);
    expect(await contentOf('x'.repeat(501))).toMatchObject({
      status: 422,
      body: {
        message: 'The content field must not be greater than 500 characters.',
        errors: { content: ['The content field must not be greater than 500 characters.'] },
      },
    });
    for (const blank of [undefined, null, '', '   ', '\n']) {
      expect(await contentOf(blank)).toMatchObject({
        status: 422,
        body: { message: 'The content field is required.', errors: { content: [expect.any(String)] } },
      });
    }
    for (const bad of [7, true, ['x'], { x: 1 }, 'nul\0', '\ud800']) {
      expect(await contentOf(bad)).toMatchObject({
        status: 422,
        body: { errors: { content: [expect.any(String)] } },
      });
    }
    const sneaky = await write(post.slug, ada, {
      content: 'x',
      score: 99,
      user_id: bob.id,
      post_id: 1,
      replies_count: 5,
      deleted_at: 'now',
    });
    expect(sneaky.body).toMatchObject({
      comment: { score: 0, user_id: ada.id, post_id: post.id, replies_count: 0 },
    });
  });

  it('refuses a parent_id that is no comment of the post, or a tombstone', async () => {
    const [post, other] = [await createPost(), await createPost()];
    const elsewhere = await comment(other, ada);
    const buried = await comment(post, ada);
    await comment(post, bob, buried);
    await remove(buried, ada);
    for (const parentId of [elsewhere, buried, 999_999_999, 0, -1, 9_007_199_254_740_991]) {
      expect(await write(post.slug, ada, { content: 'x', parent_id: parentId })).toMatchObject({
        status: 422,
        body: {
          message: 'The selected parent_id is invalid.',
          errors: { parent_id: ['The selected parent_id is invalid.'] },
        },
      });
    }
    for (const bad of ['x', 1.5, 1e300, true, [1], {}]) {
      expect((await write(post.slug, ada, { content: 'x', parent_id: bad })).status).toBe(422);
    }
    expect((await write(post.slug, ada, { content: 'x', parent_id: null })).status).toBe(201);
  });

  it('needs a token that may write', async () => {
    const post = await createPost();
    const id = await comment(post, ada);
    const token = await ada.mintToken({ scopes: ['read', 'upload'] });
    const body = { content: 'x' };
    expect((await write(post.slug, undefined)).status).toBe(401);
    expect((await gateway.ask('POST', `/posts/${post.slug}/comments`, { token, body })).status).toBe(403);
    expect((await remove(id, undefined)).status).toBe(401);
    expect((await gateway.ask('DELETE', `/comments/${id}`, { token })).status).toBe(403);
    const writer = await ada.mintToken({ scopes: ['write'] });
    expect((await gateway.ask('POST', `/posts/${post.slug}/comments`, { token: writer, body })).status).toBe(
      201,
    );
    expect((await gateway.ask('DELETE', `/comments/${id}`, { token: writer })).status).toBe(200);
  });

  it('lets author, owner of the post and moderators delete; others 403, and 404 where they can’t see it', async () => {
    const [post, secret] = [await createPost(), await createPost({ visibility: 'private' })];
    const id = await comment(post, ada);
    expect((await remove(id, bob)).status).toBe(403);
    expect((await remove(id, ada)).status).toBe(200);
    expect((await remove(id, ada)).status).toBe(404);
    expect((await remove(await comment(post, ada), owner)).status).toBe(200);
    expect((await remove(await comment(post, ada), moderator)).status).toBe(200);
    const { body } = await write(secret.slug, ada, { content: 'Psst.' }, `?key=${KEY}`);
    const inside = (body['comment'] as Shown).id;
    expect((await remove(inside, bob)).status).toBe(404);
    expect((await remove(inside, bob, `?key=${KEY}`)).status).toBe(403);
    expect((await remove(inside, ada)).status).toBe(200);
    for (const wrong of ['0', '-1', 'x', '1.5', '1e3', '99999999999999999999', '%00', '']) {
      expect((await remove(wrong, ada)).status).toBe(404);
    }
  });

  it('leaves a tombstone where there are replies, which goes with the last of them', async () => {
    const post = await createPost();
    const top = await comment(post, ada);
    const middle = await comment(post, bob, top);
    const leaf = await comment(post, ada, middle);
    await remove(top, ada);
    await remove(middle, bob);
    const [first] = (await list(post)).data;
    expect(first).toMatchObject({
      id: top,
      content: '[deleted]',
      user: null,
      user_id: null,
      post_id: post.id,
      replies_count: 1,
    });
    expect((await list(post)).meta).toMatchObject({ total: 3 });
    const { rows } = await database.query('select comment_count from posts where id = $1', [post.id]);
    expect(rows).toEqual([{ comment_count: 1 }]);
    const traces = await database.query(
      'select 1 from comments where id = $1 and (content <> $2 or user_id > 0)',
      [top, '[deleted]'],
    );
    expect(traces.rowCount).toBe(0);
    for (const way of ['upvote', 'downvote']) {
      expect((await gateway.ask('POST', `/comments/${top}/${way}`, as(bob))).status).toBe(404);
    }
    expect((await remove(top, moderator)).status).toBe(404);
    await remove(leaf, ada);
    expect((await list(post)).data).toEqual([]);
  });

  it('lists in each order, one comment’s replies, page by page, with the viewer’s votes', async () => {
    const post = await createPost();
    const [a, b, c] = [await comment(post, ada), await comment(post, ada), await comment(post, bob)];
    const reply = await comment(post, bob, a);
    await gateway.ask('POST', `/comments/${b}/upvote`, as(bob));
    await gateway.ask('POST', `/comments/${c}/downvote`, as(bob));
    expect(ids(await list(post))).toEqual([a, b, c, reply]);
    expect(ids(await list(post, '?sort=oldest'))).toEqual([a, b, c, reply]);
    expect(ids(await list(post, '?sort=latest'))).toEqual([reply, c, b, a]);
    expect(ids(await list(post, '?sort=top'))).toEqual([b, a, reply, c]);
    expect(ids(await list(post, `?parent_id=${a}`))).toEqual([reply]);
    expect((await list(post, `?parent_id=${b}`)).meta).toMatchObject({
      total: 0,
      from: null,
      to: null,
      last_page: 1,
    });
    expect((await list(post, '', bob)).data).toMatchObject([
      { isUpvotedByUser: false, isDownvotedByUser: false },
      { isUpvotedByUser: true, isDownvotedByUser: false, score: 1 },
      { isUpvotedByUser: false, isDownvotedByUser: true, score: -1 },
      { id: reply },
    ]);
    expect((await list(post)).data[1]).toMatchObject({ isUpvotedByUser: false, score: 1 });
    const blind = await bob.mintToken({ scopes: ['write'] });
    const unread = await gateway.ask('GET', `/posts/${post.slug}/comments`, { token: blind });
    expect((unread.body['data'] as object[])[1]).toMatchObject({ isUpvotedByUser: false });

    const seen: number[] = [];
    let query: string | null = '?sort=latest&limit=3&theme=dark';
    while (query !== null) {
      const page: Page = await list(post, query);
      expect(page.meta).toMatchObject({ total: 4, per_page: 3, last_page: 2 });
      seen.push(...ids(page));
      query = page.links['next'] ? new URL(page.links['next']).search : null;
    }
    expect(seen).toEqual([reply, c, b, a]);
    expect((await list(post, '?page=9&theme=dark')).links['first']).toBe(
      `https://example.org/api/v1/posts/${post.slug}/comments?page=1&theme=dark`,
    );
    for (const bad of [
      'limit=0',
      'limit=251',
      'limit=',
      'page=x',
      'page=0',
      'sort=best',
      'parent_id=x',
      'parent_id=0',
    ]) {
      expect((await gateway.ask('GET', `/posts/${post.slug}/comments?${bad}`)).status).toBe(422);
    }
  });

  it('follows the post’s visibility', async () => {
    const [hidden, secret, rejected] = [
      await createPost({ visibility: 'hidden' }),
      await createPost({ visibility: 'private' }),
      await createPost({ status: 'rejected' }),
    ];
    const reading = async (post: Post | string, person?: Person, query = '') =>
      (
        await gateway.ask(
          'GET',
          `/posts/${typeof post === 'string' ? post : post.slug}/comments${query}`,
          as(person),
        )
      ).status;
    expect(await reading(hidden)).toBe(200);
    expect((await write(hidden.slug, ada)).status).toBe(201);

    for (const query of [
      '',
      '?key=',
      '?key=wrong',
      `?key=${KEY}x`,
      `?key=${KEY}&key=${KEY}`,
      '?key=%00',
      '?key[]=x',
    ]) {
      expect(await reading(secret, undefined, query)).toBe(404);
      expect(await reading(secret, ada, query)).toBe(404);
      expect((await write(secret.slug, ada, undefined, query)).status).toBe(404);
      expect((await write(secret.id, ada, undefined, query)).status).toBe(404);
    }
    for (const person of [owner, moderator]) expect(await reading(secret, person)).toBe(200);
    expect(await reading(secret, undefined, `?key=${KEY}`)).toBe(200);
    expect((await write(secret.slug, owner)).status).toBe(201);
    expect((await write(secret.slug, moderator)).status).toBe(403);
    expect((await write(secret.slug, ada, undefined, `?key=${KEY}`)).status).toBe(201);
    const page = await list(secret, `?key=${KEY}&limit=1`);
    expect(page.links['next']).toContain(`key=${KEY}`);

    expect(await reading(rejected)).toBe(404);
    expect(await reading(rejected, ada)).toBe(404);
    expect((await write(rejected.slug, ada)).status).toBe(404);
    for (const person of [owner, moderator]) expect(await reading(rejected, person)).toBe(200);
    for (const unknown of ['nosuch1', '999999999', '0', '%00', 'x'.repeat(3000)]) {
      expect(await reading(unknown)).toBe(404);
      expect((await write(unknown, ada)).status).toBe(404);
    }
    expect(gateway.service.output()).not.toContain(KEY);
  });

  it('leaves what others couldn’t find out of somebody’s list', async () => {
    const writer = await createPerson(database);
    const posts = {
      approved: await createPost(),
      nsfw: await createPost({ status: 'nsfw' }),
      hidden: await createPost({ visibility: 'hidden' }),
      private: await createPost({ visibility: 'private' }),
      rejected: await createPost(),
    };
    for (const post of Object.values(posts)) {
      expect((await write(post.slug, writer, undefined, `?key=${KEY}`)).status).toBe(201);
    }
    await database.query(`update posts set moderation_status = 'rejected' where id = $1`, [
      posts.rejected.id,
    ]);
    const found = async (person?: Person, query = '') => {
      const name = writer.username.toUpperCase();
      const { status, body } = await gateway.ask<Page>('GET', `/users/${name}/comments${query}`, as(person));
      expect(status).toBe(200);
      const { data, meta } = body;
      expect(meta['total']).toBe(data.length);
      return data.map(({ post }) => post?.slug);
    };
    for (const person of [undefined, ada, moderator]) {
      expect(await found(person)).toEqual([posts.approved.slug]);
      expect(await found(person, '?nsfw=1&sort=latest&period=all')).toEqual([
        posts.nsfw.slug,
        posts.approved.slug,
      ]);
    }
    const all = ['rejected', 'private', 'hidden', 'nsfw', 'approved'] as const;
    expect(await found(writer)).toEqual(all.map((name) => posts[name].slug));
    const own = await gateway.ask<Page>('GET', `/users/${writer.username}/comments`, as(writer));
    expect(own.body.data.map(({ post }) => post?.title)).toEqual([
      ...[null, null],
      ...['A title', 'A title', 'A title'],
    ]);
    const blind = await writer.mintToken({ scopes: ['write'] });
    const { body } = await gateway.ask('GET', `/users/${writer.username}/comments`, { token: blind });
    expect(body['data']).toMatchObject([
      { content: 'Nice.', post: { slug: posts.approved.slug, title: 'A title' } },
    ]);
    await database.query(`update comments set created_at = now() - interval '2 days' where post_id = $1`, [
      posts.approved.id,
    ]);
    expect(await found(undefined, '?period=day')).toEqual([]);
    expect(await found(undefined, '?period=week')).toEqual([posts.approved.slug]);
    for (const bad of ['sort=top', 'period=hour', 'nsfw=2', 'limit=251']) {
      expect((await gateway.ask('GET', `/users/${writer.username}/comments?${bad}`)).status).toBe(422);
    }
    for (const name of ['nobody_here', '%00', 'x'.repeat(3000)]) {
      expect((await gateway.ask('GET', `/users/${name}/comments`)).status).toBe(404);
    }
  });

  it('tells the bus with the change', async () => {
    const post = await createPost();
    const id = await comment(post, ada);
    await comment(post, bob, id);
    await remove(id, ada);
    const { rows } = await database.query<{ envelope: { type: string; data: Record<string, unknown> } }>(
      `select envelope from outbox where envelope -> 'data' ->> 'comment_id' = $1 order by id`,
      [String(id)],
    );
    expect(rows.map(({ envelope: { type, data } }) => [type, data])).toEqual([
      ['comment.created', { comment_id: id, post_id: post.id, parent_id: null, user_id: ada.id }],
      ['comment.deleted', { comment_id: id, post_id: post.id, user_id: ada.id, tombstone: true }],
    ]);
  });
});
