import { type Answer, type Ask } from './gateway';
import { createPerson, type Person } from './people';
import { type StoredMedia, storeMedia } from './stored';
import { useSharedGateway } from './use-gateway';

/**
 * The answers to a client that relies only on the API's contract: of each endpoint, with the documented types.
 * Additional fields are allowed, because such a client ignores them.
 */

const integer = { asymmetricMatch: Number.isInteger, toString: () => 'integer' };
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
const slug = expect.stringMatching(/^[A-Za-z0-9]{7}$/);
const nullOr = (type: { asymmetricMatch(value: unknown): boolean }) => ({
  asymmetricMatch: (value: unknown) => value === null || type.asymmetricMatch(value),
  toString: () => 'or null',
});
const string = expect.any(String);
const boolean = expect.any(Boolean);
const oneOf = (...words: string[]) => expect.stringMatching(new RegExp(`^(?:${words.join('|')})$`));

const USER = { username: string, avatar: nullOr(string) };
const STATUS = oneOf('approved', 'pending', 'nsfw', 'rejected');
const MEDIA = {
  id: integer,
  slug,
  filename: slug,
  title: nullOr(string),
  description: nullOr(string),
  type: expect.stringMatching(/^(?:image|video)\//),
  width: integer,
  height: integer,
  moderation_status: STATUS,
  processed: boolean,
  created_at: timestamp,
  urls: expect.objectContaining({ original: string }),
  user: nullOr(expect.objectContaining(USER)),
};
const POST = {
  id: integer,
  slug,
  title: nullOr(string),
  description: nullOr(string),
  score: integer,
  view_count: integer,
  media_count: integer,
  moderation_status: STATUS,
  isUpvotedByUser: boolean,
  isDownvotedByUser: boolean,
  created_at: timestamp,
  user: nullOr(expect.objectContaining(USER)),
};
const COMMENT = { id: integer, content: string, user_id: integer, post_id: integer };
const MESSAGE = { message: string };
const envelopeOf = (item: object) => ({
  data: expect.arrayContaining([expect.objectContaining(item)]),
  links: { first: string, last: string, prev: nullOr(string), next: nullOr(string) },
  meta: expect.objectContaining({
    current_page: integer,
    from: integer,
    to: integer,
    per_page: integer,
    total: integer,
    last_page: integer,
  }),
});

interface Page {
  readonly data: readonly { readonly slug: string }[];
  readonly links: { readonly first: string; readonly next: string | null };
}

describe('a client that relies only on the API’s contract', () => {
  const api = useSharedGateway();
  let ada: Person;
  let bob: Person;

  beforeEach(async () => {
    [ada, bob] = [await createPerson(api.database), await createPerson(api.database)];
  });

  const get = <Body = Answer['body']>(path: string, ask: Ask = {}): Promise<Answer<Body>> =>
    api.gateway.ask<Body>('GET', path, ask);
  const makePost = async (
    fields: object = {},
    media?: StoredMedia,
  ): Promise<{ id: number; slug: string; access_key?: string }> => {
    const { id } = media ?? (await storeMedia(api.database, ada));
    const body = { media_ids: [id], ...fields };
    const answer = await api.gateway.ask('POST', '/posts', { token: ada.session, body });
    return answer.body['post'] as { id: number; slug: string; access_key?: string };
  };
  const commentOn = async (post: string): Promise<number> => {
    const { body } = await api.gateway.ask('POST', `/posts/${post}/comments`, {
      token: bob.session,
      body: { content: 'Nice.' },
    });
    return (body['comment'] as { id: number }).id;
  };

  // Promise [requests]: Each endpoint gives each kind of caller the documented status and fields.
  it('gets the documented answer from each endpoint, for each kind of caller', async () => {
    const token = await ada.mintToken();
    const media = await storeMedia(api.database, ada);
    const post = await makePost({}, media);
    const other = await makePost();
    const comment = await commentOn(post.slug);
    const own = (
      await api.gateway.ask('POST', `/posts/${post.id}/comments`, { token, body: { content: 'x' } })
    ).body['comment'] as { id: number };
    await api.gateway.ask('POST', `/users/${ada.username}/follow`, { token: bob.session });
    const item = { id: integer, slug, title: nullOr(string), score: integer, moderation_status: STATUS };

    const rows: readonly (readonly ['Public' | 'Token', string, string, number, object, object?])[] = [
      ['Public', 'GET', '/media', 200, envelopeOf(MEDIA)],
      ['Public', 'GET', `/media/${media.slug}`, 200, { data: expect.objectContaining(MEDIA) }],
      ['Token', 'PATCH', `/media/${media.slug}`, 200, MESSAGE, { title: 'T', description: 'D' }],
      ['Public', 'GET', '/posts', 200, envelopeOf({ ...POST, first_media: expect.objectContaining(MEDIA) })],
      [
        'Public',
        'GET',
        `/posts/${post.slug}`,
        200,
        { data: expect.objectContaining({ ...POST, media: [expect.objectContaining(MEDIA)] }) },
      ],
      [
        'Token',
        'POST',
        '/posts',
        201,
        { message: string, post: expect.objectContaining({ id: integer, slug }) },
        { media_ids: [media.id] },
      ],
      [
        'Token',
        'PATCH',
        `/posts/${post.slug}`,
        200,
        { message: string, visibility: 'public' },
        { title: 'T' },
      ],
      [
        'Token',
        'PATCH',
        `/posts/${other.slug}`,
        200,
        { message: string, visibility: 'private', access_key: string },
        { visibility: 'private', is_nsfw: true, description: 'D' },
      ],
      [
        'Token',
        'POST',
        `/posts/${post.slug}/comments`,
        201,
        { success: true, comment: expect.objectContaining({ ...COMMENT, post_id: post.id }) },
        { content: 'A reply.', parent_id: comment },
      ],
      ['Token', 'POST', `/posts/${post.slug}/upvote`, 200, { message: string, score: 1 }],
      ['Token', 'POST', `/posts/${post.id}/downvote`, 200, { message: string, score: -1 }],
      ['Token', 'POST', `/comments/${comment}/upvote`, 200, { message: string, score: 1 }],
      ['Token', 'POST', `/comments/${comment}/downvote`, 200, { message: string, score: -1 }],
      [
        'Public',
        'GET',
        `/users/${ada.username}/posts`,
        200,
        {
          data: expect.arrayContaining([
            expect.objectContaining({ ...item, first_media: expect.anything() }),
          ]),
        },
      ],
      [
        'Public',
        'GET',
        `/users/${ada.username}/media`,
        200,
        envelopeOf({ slug, type: string, moderation_status: STATUS, urls: expect.anything() }),
      ],
      ['Public', 'GET', `/users/${ada.username}/comments`, 200, envelopeOf(COMMENT)],
      ['Public', 'GET', `/users/${ada.username}/followers`, 200, envelopeOf({ username: bob.username })],
      ['Public', 'GET', `/users/${bob.username}/following`, 200, envelopeOf({ username: ada.username })],
      ['Token', 'POST', `/users/${bob.username}/follow`, 200, MESSAGE],
      ['Token', 'DELETE', `/users/${bob.username}/follow`, 200, MESSAGE],
      ['Token', 'DELETE', `/comments/${own.id}`, 200, { success: true, message: string }],
      ['Token', 'DELETE', `/posts/${post.slug}`, 200, MESSAGE],
      ['Token', 'DELETE', `/media/${media.slug}`, 200, MESSAGE],
    ];
    for (const [auth, method, path, status, expected, body] of rows) {
      const ask = body === undefined ? {} : { body };
      const anonymous = await api.gateway.ask(method, path, ask);
      expect([method, path, anonymous.status]).toEqual([method, path, auth === 'Token' ? 401 : 200]);
      const answer = await api.gateway.ask(method, path, { ...ask, token });
      expect([method, path, answer.status]).toEqual([method, path, status]);
      expect(answer.body).toEqual(expect.objectContaining(expected));
    }
  });

  // Promise [content]: A media item is found by its slug and its numeric id.
  it('finds its media item by the slug and by the numeric id', async () => {
    const { id, slug: name } = await storeMedia(api.database, ada);
    const token = ada.session;
    expect((await get(`/media/${name}`)).status).toBe(200);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const ask = method === 'PATCH' ? { token, body: { title: 'T' } } : { token };
      expect((await api.gateway.ask(method, `/media/${id}`, ask)).status).toBe(200);
    }
    expect((await get(`/media/${name}`)).status).toBe(404);
  });

  it('sees visibility and access_key only of its own posts', async () => {
    const { slug: name, access_key: key } = await makePost({ visibility: 'private' });
    const own = (await get(`/posts/${name}`, { token: ada.session })).body['data'];
    expect(own).toMatchObject({ visibility: 'private', access_key: key });
    const foreign = (await get(`/posts/${name}?key=${key}`, { token: bob.session })).body['data'];
    expect(foreign).toEqual(expect.objectContaining(POST));
    for (const field of ['visibility', 'access_key']) expect(foreign).not.toHaveProperty(field);
  });

  // Promise [lists]: Following `links.next` works with every filter.
  it('sees every item once by following links.next, with every filter', async () => {
    const tag = 'Straße und Übung';
    const made = [];
    for (let index = 0; index < 5; index++) {
      const post = await makePost({ tags: [tag], title: `Nr ${index}` });
      made.push(post.slug);
    }
    const names = new URLSearchParams({ tag, username: ada.username.toUpperCase() }).toString();
    const queries = [
      names,
      `${names}&sort=random`,
      `${names}&sort=latest&period=week&nsfw=1&q=nr`,
      `visibility=public&${names}&_=1&x[]=a&x[]=b`,
    ];
    for (const query of queries) {
      const found: string[] = [];
      let next: string | null = `/posts?${query}&limit=2`;
      const asked = new URLSearchParams(query);
      while (next !== null) {
        const answer: Answer<Page> = await get<Page>(next.replace(`${api.gateway.url}/api/v1`, ''));
        expect(answer.status).toBe(200);
        const { data, links } = answer.body;
        found.push(...data.map((post) => post.slug));
        for (const [name, value] of asked) {
          expect(new URL(links.first).searchParams.getAll(name)).toContain(value);
        }
        next = links.next === null ? null : new URL(links.next).pathname + new URL(links.next).search;
        next = next?.replace('/api/v1', '') ?? null;
      }
      expect([...found].sort()).toEqual([...made].sort());
      if (!query.includes('random')) expect(found).toEqual([...made].reverse());
    }
  });

  // Promise [requests]: A client may send a JSON content type without a body, HEAD requests, and one slash at
  // the end of a path.
  it('may send a JSON content type without a body, may send HEAD, and may end a path with one slash', async () => {
    const media = await storeMedia(api.database, ada);
    const post = await makePost({}, media);
    const json = { headers: { 'Content-Type': 'application/json' } };
    const lists = ['posts', 'media', 'comments', 'followers', 'following'];
    for (const path of [
      '/posts',
      '/media',
      '/tags',
      `/posts/${post.slug}`,
      `/posts/${post.slug}/comments`,
      `/media/${media.slug}`,
      `/users/${ada.username}`,
      ...lists.map((list) => `/users/${ada.username}/${list}`),
    ]) {
      const plain = await get(path, json);
      const slashed = await get(`${path}/`);
      expect((await get(`${path}//`)).status).toBe(404);
      const head = await api.gateway.ask('HEAD', path);
      expect([path, plain.status, slashed.status, head.status]).toEqual([path, 200, 200, 200]);
      expect(head.body).toEqual({});
      for (const name of ['Content-Type', 'X-RateLimit-Limit', 'X-Request-Id']) {
        expect([name, head.headers.has(name)]).toEqual([name, true]);
      }
    }
    const token = ada.session;
    for (const path of [`/posts/${post.slug}/upvote`, `/users/${bob.username}/follow`]) {
      expect((await api.gateway.ask('POST', path, { token, ...json })).status).toBe(200);
    }
    for (const path of [`/users/${bob.username}/follow`, `/posts/${post.slug}`, `/media/${media.slug}`]) {
      expect((await api.gateway.ask('DELETE', path, { token, ...json })).status).toBe(200);
    }
  });

  // Promise [visibility]: No route distinguishes a private post from a missing one.
  it('can’t distinguish a private post from a missing one on any route', async () => {
    const media = await storeMedia(api.database, bob);
    const inPost = await storeMedia(api.database, ada);
    const post = await makePost({ visibility: 'private' }, inPost);
    const comment = await api.gateway.ask('POST', `/posts/${post.slug}/comments`, {
      token: ada.session,
      body: { content: 'Among us.' },
    });
    const { id: commentId } = comment.body['comment'] as { id: number };
    const routes = (named: string, id: number): readonly (readonly [string, string, Ask?])[] => [
      ['GET', `/posts/${named}`],
      ['GET', `/posts/${named}?key=guessed`],
      ['PATCH', `/posts/${named}`, { body: { title: 'Mine' } }],
      ['DELETE', `/posts/${named}`],
      ['POST', `/posts/${named}/media`, { body: { media_ids: [media.id] } }],
      ['DELETE', `/posts/${named}/media/${inPost.slug}`],
      ['GET', `/posts/${named}/comments`],
      ['POST', `/posts/${named}/comments`, { body: { content: 'Hello?' } }],
      ['POST', `/posts/${named}/upvote`],
      ['POST', `/posts/${named}/downvote`],
      ['POST', `/comments/${id}/upvote`],
      ['POST', `/comments/${id}/downvote`],
      ['DELETE', `/comments/${id}`],
      ['POST', '/reports', { body: { type: 'post', target: named, reason: 'spam' } }],
      ['POST', '/reports', { body: { type: 'comment', target: String(id), reason: 'spam' } }],
    ];
    const answers = async (named: string, id: number, token: string | undefined) => {
      const found = [];
      for (const [method, path, ask] of routes(named, id)) {
        const { status, body, headers } = await api.gateway.ask(method, path, {
          ...ask,
          ...(token && { token }),
        });
        found.push([method, status, body, headers.get('Cache-Control'), headers.get('Referrer-Policy')]);
      }
      return found;
    };
    for (const token of [undefined, bob.session]) {
      const none = await answers('AAAAAAA', 2_000_000_000, token);
      expect(await answers(post.slug, commentId, token)).toEqual(none);
      expect(await answers(String(post.id), commentId, token)).toEqual(none);
    }
  });
});
