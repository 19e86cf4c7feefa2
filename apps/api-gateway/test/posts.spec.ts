import { Client } from 'pg';
import { type Answer, type Ask, type Gateway, startGateway } from './gateway';
import { createPerson, type Person } from './people';
import { storeMedia, type StoredMedia } from './stored';

/** Short enough for a test’s name. */
const nameOf = (value: unknown): string => JSON.stringify(value).slice(0, 70);

describe('posts over HTTP', () => {
  let gateway: Gateway;
  let database: Client;
  let owner: Person;
  let stranger: Person;
  let token: string;

  beforeAll(async () => {
    gateway = await startGateway({
      PUBLIC_API_URL: 'https://api.example.org/api/v1',
      PUBLIC_CDN_URL: 'https://cdn.example.org',
      PUBLIC_SITE_URL: 'https://example.org',
    });
    database = new Client({ connectionString: gateway.database.url });
    await database.connect();
    owner = await createPerson(database);
    stranger = await createPerson(database);
    token = await owner.mintToken();
  });
  afterAll(async () => {
    await database.end();
    await gateway.stop();
  });

  const media = async (count: number): Promise<StoredMedia[]> => {
    const stored: StoredMedia[] = [];
    while (stored.length < count) stored.push(await storeMedia(database, owner));
    return stored;
  };
  const post = (body: unknown, ask: Ask = { token }) => gateway.ask('POST', '/posts', { ...ask, body });
  const patch = (reference: string | number, body: unknown, ask: Ask = { token }) =>
    gateway.ask('PATCH', `/posts/${reference}`, { ...ask, body });
  const get = (path: string, ask: Ask = {}) => gateway.ask('GET', `/posts/${path}`, ask);
  const dataOf = (answer: Answer) => answer.body['data'] as Record<string, unknown>;
  const errorsOf = (answer: Answer) => [answer.status, answer.body['errors']];
  const slugsIn = (data: Record<string, unknown>) =>
    (data['media'] as { slug: string }[]).map(({ slug }) => slug);

  /** A post of `count` media of the owner’s. */
  const make = async (count = 1, fields: object = {}) => {
    const own = await media(count);
    const answer = await post({ media_ids: own.map(({ id }) => id), ...fields });
    expect(answer.status).toBe(201);
    const made = answer.body['post'] as { id: number; slug: string; access_key?: string };
    return { ...made, media: own };
  };

  describe('POST /posts', () => {
    it('makes a post of media alone, as the specification’s flow has it, which is then live', async () => {
      const [first, second] = (await media(2)) as [StoredMedia, StoredMedia];
      const { status, headers, body } = await post({ media_ids: [second.id, first.id] });
      expect(status).toBe(201);
      expect(body).toEqual({
        message: expect.any(String),
        post: {
          id: expect.any(Number),
          slug: expect.stringMatching(/^(?=.*[A-Za-z])[A-Za-z0-9]{7}$/),
          visibility: 'public',
          page_url: expect.any(String),
        },
      });
      const { id, slug, page_url } = body['post'] as { id: number; slug: string; page_url: string };
      expect(headers.get('Location')).toBe(`https://api.example.org/api/v1/posts/${slug}`);
      expect(page_url).toBe(`https://example.org/p/${slug}`);
      expect((await patch(slug, { title: 'Harbour', description: 'At\ndawn' })).body).toEqual({
        message: expect.any(String),
        visibility: 'public',
      });
      const shown = await get(slug);
      expect(shown.status).toBe(200);
      expect(dataOf(shown)).toEqual({
        id,
        slug,
        title: 'Harbour',
        description: 'At\ndawn',
        score: 0,
        view_count: 0,
        media_count: 2,
        comment_count: 0,
        moderation_status: 'approved',
        listed: true,
        isUpvotedByUser: false,
        isDownvotedByUser: false,
        tags: [],
        page_url,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        user: { username: owner.username, avatar: null },
        media: [second, first].map((one) =>
          expect.objectContaining({
            id: one.id,
            slug: one.slug,
            moderation_status: 'approved',
            created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
            urls: expect.objectContaining({ original: `https://cdn.example.org/f/${one.slug}.jpg` }),
            user: { username: owner.username, avatar: null },
          }),
        ),
      });
    });

    it('takes every field at once', async () => {
      const made = await make(1, {
        title: 'Naïve 🙂',
        description: null,
        visibility: 'private',
        tags: ['Sea', 'sea', 'fog bank'],
        is_nsfw: true,
      });
      expect(made.access_key).toMatch(/^[A-Za-z0-9]{32}$/);
      expect(dataOf(await get(made.slug, { token }))).toMatchObject({
        title: 'Naïve 🙂',
        description: null,
        visibility: 'private',
        access_key: made.access_key,
        tags: ['sea', 'fog bank'],
        moderation_status: 'nsfw',
      });
    });

    it('lets the same media be in several posts', async () => {
      const [one] = (await media(1)) as [StoredMedia];
      for (let times = 0; times < 2; times++) {
        expect((await post({ media_ids: [one.id] })).status).toBe(201);
      }
    });

    it('wants a token that may write', async () => {
      const [one] = (await media(1)) as [StoredMedia];
      expect((await post({ media_ids: [one.id] }, {})).status).toBe(401);
      const readOnly = await owner.mintToken({ scopes: ['read', 'upload'] });
      expect((await post({ media_ids: [one.id] }, { token: readOnly })).status).toBe(403);
    });

    const badPosts: [unknown, Record<string, string>][] = [
      [{}, { media_ids: 'The media_ids field is required.' }],
      [{ media_ids: null }, { media_ids: 'The media_ids field is required.' }],
      [{ media_ids: [] }, { media_ids: 'The media_ids field must have at least 1 items.' }],
      [{ media_ids: 7 }, { media_ids: 'The media_ids field must be an array.' }],
      [{ media_ids: { 0: 1 } }, { media_ids: 'The media_ids field must be an array.' }],
      [
        { media_ids: Array.from({ length: 51 }, (_, place) => place + 1) },
        { media_ids: 'The media_ids field must not have more than 50 items.' },
      ],
      [{ media_ids: [5, 6, 5] }, { 'media_ids.2': 'The media_ids.2 field has a duplicate value.' }],
      [{ media_ids: ['cat'] }, { 'media_ids.0': 'The media_ids.0 field must be an integer.' }],
      [{ media_ids: [1.5] }, { 'media_ids.0': 'The media_ids.0 field must be an integer.' }],
      [{ media_ids: [1e300] }, { 'media_ids.0': 'The media_ids.0 field must be an integer.' }],
      [{ media_ids: [[1]] }, { 'media_ids.0': 'The media_ids.0 field must be an integer.' }],
      [
        { media_ids: [Number.MAX_SAFE_INTEGER, -3] },
        {
          'media_ids.0': 'The selected media_ids.0 is invalid.',
          'media_ids.1': 'The selected media_ids.1 is invalid.',
        },
      ],
      [
        { media_ids: [1], title: 'x'.repeat(256) },
        { title: 'The title field must not be greater than 255 characters.' },
      ],
      [
        { media_ids: [1], title: 'a\u0000b' },
        { title: 'The title field must not contain control characters.' },
      ],
      [{ media_ids: [1], visibility: 'secret' }, { visibility: 'The selected visibility is invalid.' }],
      [{ media_ids: [1], is_nsfw: 'maybe' }, { is_nsfw: 'The is_nsfw field must be true or false.' }],
      [
        { media_ids: [1], tags: ['a/b'] },
        {
          'tags.0': 'The tags.0 field must only contain letters, numbers, dashes, underscores and spaces.',
        },
      ],
    ];
    it.each(badPosts.map((row) => [nameOf(row[0]), ...row] as const))(
      'refuses %s',
      async (_, body, errors) => {
        const listed = Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]]));
        expect(errorsOf(await post(body))).toEqual([422, listed]);
      },
    );

    it('tells foreign media from unknown ones in nothing', async () => {
      const foreign = await storeMedia(database, stranger);
      const guests = await storeMedia(database, null);
      const [own] = (await media(1)) as [StoredMedia];
      const answer = await post({ media_ids: [foreign.id, own.id, 987_654, guests.id] });
      expect(answer.status).toBe(422);
      expect(answer.body).toEqual({
        message: 'The selected media_ids.0 is invalid. (and 2 more errors)',
        errors: {
          'media_ids.0': ['The selected media_ids.0 is invalid.'],
          'media_ids.2': ['The selected media_ids.2 is invalid.'],
          'media_ids.3': ['The selected media_ids.3 is invalid.'],
        },
      });
    });

    it('leaves out whatever is not for the caller to set', async () => {
      const made = await make(1, {
        id: 1,
        slug: 'chosen1',
        score: 99,
        view_count: 99,
        comment_count: 99,
        media_count: 99,
        user_id: stranger.id,
        moderation_status: 'rejected',
        moderator_status: 'approved',
        listing: 'nsfw',
        access_key: 'a'.repeat(32),
        created_at: '2001-01-01T00:00:00Z',
        constructor: { prototype: { isAdmin: true } },
      });
      expect(made.slug).not.toBe('chosen1');
      expect(dataOf(await get(made.slug, { token }))).toMatchObject({
        score: 0,
        view_count: 0,
        comment_count: 0,
        media_count: 1,
        moderation_status: 'approved',
        user: { username: owner.username },
        access_key: null,
      });
    });

    it('answers the same idempotency key with the same post', async () => {
      const [one] = (await media(1)) as [StoredMedia];
      const ask = { token, headers: { 'Idempotency-Key': `make-${one.slug}` } };
      const first = await post({ media_ids: [one.id] }, ask);
      const second = await post({ media_ids: [one.id] }, ask);
      expect(second.body).toEqual(first.body);
      expect(second.headers.get('Location')).toBe(first.headers.get('Location'));
    });
  });

  describe('PATCH /posts/<post>', () => {
    it('keeps what is absent and clears what is null; by slug or by id', async () => {
      const { id, slug } = await make(1, { title: 'One', description: 'Two', tags: ['sea'] });
      expect((await patch(slug, {})).status).toBe(200);
      expect((await patch(id, { title: null })).status).toBe(200);
      expect(dataOf(await get(slug))).toMatchObject({ title: null, description: 'Two', tags: ['sea'] });
      await patch(slug, { description: null, tags: null });
      expect(dataOf(await get(String(id)))).toMatchObject({ title: null, description: null, tags: [] });
    });

    it('answers with the visibility, and with the access key where that is private', async () => {
      const { slug } = await make();
      expect((await patch(slug, { title: 'x' })).body).toEqual({
        message: expect.any(String),
        visibility: 'public',
      });
      const { body } = await patch(slug, { visibility: 'private' });
      expect(body).toEqual({
        message: expect.any(String),
        visibility: 'private',
        access_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      });
      expect((await patch(slug, { visibility: 'private' })).body).toEqual(body);
      expect((await patch(slug, { title: 'y' })).body).toEqual(body);
      expect((await patch(slug, { visibility: 'hidden' })).body).toEqual({
        message: expect.any(String),
        visibility: 'hidden',
      });
      expect((await patch(slug, { visibility: 'private' })).body['access_key']).not.toBe(body['access_key']);
    });

    const badChanges: [unknown, string][] = [
      [{ visibility: null }, 'visibility'],
      [{ visibility: 'Private' }, 'visibility'],
      [{ is_nsfw: null }, 'is_nsfw'],
      [{ title: 7 }, 'title'],
      [{ title: 'x'.repeat(256) }, 'title'],
      [{ title: 'two\nlines' }, 'title'],
      [{ description: 'x'.repeat(5001) }, 'description'],
      [{ description: '\ud800' }, 'description'],
      [{ tags: 'sea' }, 'tags'],
      [{ tags: Array.from({ length: 21 }, (_, place) => `tag ${place}`) }, 'tags'],
      [{ media_order: null }, 'media_order'],
      [{ media_order: 'aaaaaaa' }, 'media_order'],
      [{ media_order: [] }, 'media_order'],
      [{ media_order: ['nosuch1'] }, 'media_order'],
      [{ media_order: [{}] }, 'media_order.0'],
    ];
    it.each(badChanges.map((row) => [nameOf(row[0]), ...row] as const))(
      'refuses %s',
      async (_, body, field) => {
        const { slug } = await make();
        const answer = await patch(slug, body);
        expect([answer.status, Object.keys(answer.body['errors'] ?? {})]).toEqual([422, [field]]);
      },
    );

    it('puts media into the order asked for, if it is a permutation', async () => {
      const { slug, media: own } = await make(3);
      const [a, b, c] = own.map((one) => one.slug) as [string, string, string];
      expect((await patch(slug, { media_order: [b, c, a] })).status).toBe(200);
      expect(slugsIn(dataOf(await get(slug)))).toEqual([b, c, a]);
      for (const order of [
        [a, b],
        [a, b, c, 'nosuch1'],
        [a, b, 'nosuch1'],
      ]) {
        expect(errorsOf(await patch(slug, { media_order: order }))).toEqual([
          422,
          { media_order: [expect.any(String)] },
        ]);
      }
      expect(errorsOf(await patch(slug, { media_order: [a, a, b] }))[0]).toBe(422);
      expect(slugsIn(dataOf(await get(slug)))).toEqual([b, c, a]);
    });

    it('lets the owner raise to nsfw and take that back, and never over a moderator’s rejection', async () => {
      const { slug } = await make();
      const listed = async (query: string) => JSON.stringify((await get(query.slice(1))).body).includes(slug);
      const inFeed = async () => {
        const [safe, all] = await Promise.all(
          ['limit=250', 'limit=250&nsfw=1'].map((query) => gateway.ask('GET', `/posts?${query}`)),
        );
        return [safe, all].map((answer) => JSON.stringify(answer?.body).includes(slug));
      };
      expect(await listed(`/${slug}`)).toBe(true);
      expect(await inFeed()).toEqual([true, true]);
      expect((await patch(slug, { is_nsfw: true })).status).toBe(200);
      expect(dataOf(await get(slug))).toMatchObject({ moderation_status: 'nsfw' });
      expect(await inFeed()).toEqual([false, true]);
      await patch(slug, { is_nsfw: false });
      expect(dataOf(await get(slug))).toMatchObject({ moderation_status: 'approved' });
      expect(await inFeed()).toEqual([true, true]);

      const moderator = await createPerson(database, { role: 'moderator' });
      const ruled = await gateway.ask('POST', `/moderation/posts/${slug}`, {
        token: moderator.session,
        body: { status: 'rejected', reason: 'spam' },
      });
      expect(ruled.status).toBe(200);
      for (const is_nsfw of [true, false]) expect((await patch(slug, { is_nsfw })).status).toBe(403);
      expect((await patch(slug, { title: 'still mine' })).status).toBe(200);
      expect(dataOf(await get(slug, { token }))).toMatchObject({
        title: 'still mine',
        moderation_status: 'rejected',
      });
      expect((await get(slug)).status).toBe(404);
      expect(await inFeed()).toEqual([false, false]);
    });
  });

  describe('GET /posts/<post>', () => {
    it('pages through the media of the post', async () => {
      const { slug, media: own } = await make(12);
      const slugs = own.map((one) => one.slug);
      const first = await get(slug);
      expect(slugsIn(dataOf(first))).toEqual(slugs.slice(0, 10));
      const address = `https://api.example.org/api/v1/posts/${slug}`;
      expect(first.body['links']).toEqual({
        first: `${address}?perPage=10&mediaPage=1`,
        last: `${address}?perPage=10&mediaPage=2`,
        prev: null,
        next: `${address}?perPage=10&mediaPage=2`,
      });
      expect(first.body['meta']).toEqual({
        current_page: 1,
        from: 1,
        to: 10,
        per_page: 10,
        total: 12,
        last_page: 2,
        path: address,
      });
      const third = await get(`${slug}?mediaPage=3&perPage=5&theme=dark`);
      expect(slugsIn(dataOf(third))).toEqual(slugs.slice(10));
      expect(third.body['links']).toMatchObject({
        prev: `${address}?mediaPage=2&perPage=5&theme=dark`,
        next: null,
      });
      expect(third.body['meta']).toMatchObject({ from: 11, to: 12, last_page: 3 });
      const beyond = await get(`${slug}?mediaPage=9`);
      expect(beyond.status).toBe(200);
      expect(dataOf(beyond)).toMatchObject({ media: [], media_count: 12 });
      expect(beyond.body['meta']).toMatchObject({ from: null, to: null, total: 12, last_page: 2 });
      const far = await get(`${slug}?mediaPage=2147483647&perPage=250`);
      expect([far.status, dataOf(far)['media']]).toEqual([200, []]);
    });

    it.each(['mediaPage=0', 'mediaPage=x', 'mediaPage=', 'perPage=0', 'perPage=251', 'perPage=1.5'])(
      'refuses %s',
      async (query) => {
        const { slug } = await make();
        const answer = await get(`${slug}?${query}`);
        expect([answer.status, Object.keys(answer.body['errors'] ?? {})]).toEqual([
          422,
          [query.split('=')[0]],
        ]);
      },
    );

    it('tells the viewer how they voted, and nobody else', async () => {
      const { slug, id } = await make();
      const vote = (way: string) => gateway.ask('POST', `/posts/${id}/${way}`, { token: stranger.session });
      const votesSeenBy = async (ask: Ask) => {
        const data = dataOf(await get(slug, ask));
        return [data['isUpvotedByUser'], data['isDownvotedByUser'], data['score']];
      };
      await vote('upvote');
      expect(await votesSeenBy({ token: stranger.session })).toEqual([true, false, 1]);
      expect(await votesSeenBy({ token })).toEqual([false, false, 1]);
      expect(await votesSeenBy({})).toEqual([false, false, 1]);
      await vote('downvote');
      expect(await votesSeenBy({ token: stranger.session })).toEqual([false, true, -1]);
      const { body } = await gateway.ask('GET', `/posts?username=${owner.username}&limit=250`, {
        token: stranger.session,
      });
      expect((body['data'] as { id: number }[]).find((one) => one.id === id)).toMatchObject({
        isDownvotedByUser: true,
        score: -1,
      });
    });

    const strangeReferences = [
      'nosuch1',
      '0',
      '-1',
      '1234567890',
      '99999999999999999999999',
      '1e3',
      '01',
      '%00',
      'a%00bcdef',
      '..%2F..%2Fetc',
      '%ED%A0%80',
      '%F0%9F%99%82',
      'a'.repeat(3000),
      "1'--",
    ];
    it.each(strangeReferences.map((row) => [nameOf(row), row] as const))(
      'finds nothing under %s',
      async (_, reference) => {
        for (const ask of [{}, { token }]) {
          const answer = await get(reference, ask);
          expect([answer.status, answer.body]).toEqual([404, { message: 'Not found.' }]);
        }
        expect((await patch(reference, {})).status).toBe(404);
        expect((await gateway.ask('DELETE', `/posts/${reference}`, { token })).status).toBe(404);
      },
    );
  });

  describe('the media of a post', () => {
    const add = (reference: string | number, media_ids: unknown, ask: Ask = { token }) =>
      gateway.ask('POST', `/posts/${reference}/media`, { ...ask, body: { media_ids } });
    const remove = (reference: string | number, slug: string, ask: Ask = { token }) =>
      gateway.ask('DELETE', `/posts/${reference}/media/${slug}`, ask);

    it('are added at the end and taken out', async () => {
      const { slug, id, media: own } = await make(1);
      const [x, y] = (await media(2)) as [StoredMedia, StoredMedia];
      expect(await add(slug, [y.id, x.id])).toMatchObject({
        status: 200,
        body: { message: expect.any(String) },
      });
      expect(slugsIn(dataOf(await get(slug)))).toEqual([own[0]?.slug, y.slug, x.slug]);
      expect(await remove(id, y.slug)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
      expect(dataOf(await get(slug))).toMatchObject({ media_count: 2 });
      expect((await gateway.ask('GET', `/media/${y.slug}`)).status).toBe(200);
      expect((await remove(slug, y.slug)).status).toBe(404);
      expect((await remove(slug, 'nosuch1')).status).toBe(404);
      expect((await remove(slug, '%00')).status).toBe(404);
    });

    it('stay at least one and at most fifty, each once, all the owner’s', async () => {
      const { slug, media: own } = await make(49);
      const [x, y] = (await media(2)) as [StoredMedia, StoredMedia];
      const foreign = await storeMedia(database, stranger);
      expect(errorsOf(await add(slug, [x.id, foreign.id]))).toEqual([
        422,
        { 'media_ids.1': ['The selected media_ids.1 is invalid.'] },
      ]);
      expect(errorsOf(await add(slug, [x.id, own[7]?.id]))).toEqual([
        422,
        { 'media_ids.1': ['The media_ids.1 field has a duplicate value.'] },
      ]);
      expect(errorsOf(await add(slug, [x.id, y.id]))).toEqual([422, { media_ids: [expect.any(String)] }]);
      expect((await add(slug, [x.id])).status).toBe(200);
      const { slug: lonely, media: only } = await make(1);
      expect(errorsOf(await remove(lonely, only[0]?.slug ?? ''))).toEqual([
        422,
        { media: [expect.any(String)] },
      ]);
    });

    it('are the owner’s business alone', async () => {
      const { slug, media: own } = await make(2);
      const theirs = await storeMedia(database, stranger);
      const name = own[0]?.slug ?? '';
      expect((await add(slug, [theirs.id], {})).status).toBe(401);
      expect((await remove(slug, name, {})).status).toBe(401);
      expect((await add(slug, [theirs.id], { token: stranger.session })).status).toBe(403);
      expect((await remove(slug, name, { token: stranger.session })).status).toBe(403);
      const secret = await make(2, { visibility: 'private' });
      expect((await add(secret.slug, [theirs.id], { token: stranger.session })).status).toBe(404);
    });
  });

  describe('DELETE /posts/<post>', () => {
    it('takes the post with its comments and votes, leaves its media, and tells the bus', async () => {
      const { slug, id, media: own } = await make(1, { tags: ['gone'] });
      await gateway.ask('POST', `/posts/${slug}/upvote`, { token: stranger.session });
      await gateway.ask('POST', `/posts/${slug}/comments`, {
        token: stranger.session,
        body: { content: 'Nice' },
      });
      const remove = (ask: Ask) => gateway.ask('DELETE', `/posts/${id}`, ask);
      expect((await remove({})).status).toBe(401);
      expect((await remove({ token: stranger.session })).status).toBe(403);
      expect(await remove({ token, headers: { 'Content-Type': 'application/json' } })).toMatchObject({
        status: 200,
        body: { message: expect.any(String) },
      });
      expect((await remove({ token })).status).toBe(404);
      expect((await get(slug)).status).toBe(404);
      expect((await gateway.ask('GET', `/media/${own[0]?.slug}`)).status).toBe(200);
      const { rows } = await database.query<{ type: string }>(
        `select envelope->>'type' as type from outbox where envelope->'data'->>'post_id' = $1 order by id`,
        [String(id)],
      );
      expect(rows.map(({ type }) => type).filter((type) => type.startsWith('post.'))).toEqual([
        'post.created',
        'post.deleted',
      ]);
    });
  });
});
