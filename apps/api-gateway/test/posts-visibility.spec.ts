import { Client } from 'pg';
import { type Answer, type Ask, type Gateway, startGateway } from './gateway';
import { createPerson, type Person } from './people';
import { storeMedia } from './stored';

type Visibility = 'public' | 'hidden' | 'private';

interface Made {
  readonly id: number;
  readonly slug: string;
  readonly access_key?: string;
  readonly mediaSlugs: readonly string[];
}

describe('visibility of posts', () => {
  let gateway: Gateway;
  let database: Client;
  let owner: Person;
  let stranger: Person;
  let moderator: Person;

  beforeAll(async () => {
    gateway = await startGateway({ LOG_LEVEL: 'debug' });
    database = new Client({ connectionString: gateway.database.url });
    await database.connect();
    owner = await createPerson(database);
    stranger = await createPerson(database);
    moderator = await createPerson(database, { role: 'moderator' });
  });
  afterAll(async () => {
    await database.end();
    await gateway.stop();
  });

  const make = async (
    fields: object = {},
    statuses: readonly ('approved' | 'pending' | 'nsfw' | 'rejected')[] = ['approved'],
    author = owner,
  ): Promise<Made> => {
    const media = [];
    for (const status of statuses) media.push(await storeMedia(database, author, { status }));
    const { status, body } = await gateway.ask('POST', '/posts', {
      token: author.session,
      body: { media_ids: media.map(({ id }) => id), ...fields },
    });
    expect(status).toBe(201);
    return { ...(body['post'] as Made), mediaSlugs: media.map(({ slug }) => slug) };
  };
  const rule = async ({ slug }: Made, status: 'approved' | 'nsfw' | 'rejected'): Promise<void> => {
    const answer = await gateway.ask('POST', `/moderation/posts/${slug}`, {
      token: moderator.session,
      body: { status, reason: 'other' },
    });
    expect(answer.status).toBe(200);
  };
  const get = (path: string, ask: Ask = {}): Promise<Answer> => gateway.ask('GET', path, ask);
  const dataOf = ({ body }: Answer) => body['data'] as Record<string, unknown>;
  const listOf = ({ body }: Answer) => body['data'] as Record<string, unknown>[];
  const as = (person: Person): Ask => ({ token: person.session });

  // Promise [visibility]: Each kind of post is found by exactly the callers who may see it, by slug and by
  // id.
  it.each<[string, Visibility, Parameters<typeof make>[1], readonly number[]]>([
    ['public and approved', 'public', ['approved'], [200, 200, 200, 200]],
    ['public and nsfw', 'public', ['nsfw'], [200, 200, 200, 200]],
    ['public and pending', 'public', ['pending'], [200, 200, 200, 200]],
    ['public and rejected', 'public', ['rejected'], [404, 404, 200, 200]],
    ['hidden', 'hidden', ['approved'], [200, 200, 200, 200]],
    ['hidden and rejected', 'hidden', ['rejected'], [404, 404, 200, 200]],
    ['private', 'private', ['approved'], [404, 404, 200, 200]],
  ])(
    '%s: by slug and by id, for callers without a token, other users, moderators and the owner',
    async (_, visibility, media, expected) => {
      const { slug, id } = await make({ visibility }, media);
      for (const reference of [slug, id]) {
        const answers = [];
        for (const ask of [{}, as(stranger), as(moderator), as(owner)]) {
          answers.push((await get(`/posts/${reference}`, ask)).status);
        }
        // Ids can be enumerated, so they open no hidden post.
        const byIdOfHidden = visibility === 'hidden' && reference === id;
        expect(answers).toEqual(byIdOfHidden ? [404, 404, 200, 200] : expected);
      }
    },
  );

  it.each<[boolean, Visibility, Parameters<typeof make>[1]]>([
    [true, 'public', ['approved']],
    [true, 'public', ['nsfw']],
    [false, 'public', ['pending']],
    [false, 'hidden', ['approved']],
    [false, 'private', ['approved']],
  ])('is listed in feeds (%s): %s, %j', async (listed, visibility, media) => {
    const { slug, access_key: key = '' } = await make({ visibility }, media);
    for (const ask of [{}, as(owner)]) {
      expect(dataOf(await get(`/posts/${slug}?key=${key}`, ask))).toMatchObject({ listed });
    }
  });

  // Promise [visibility]: A private post needs its `key`; its answers are not cached and send no referrer,
  // and its key is in no log.
  it('opens a private post with its key', async () => {
    const { slug, id, access_key: key = '' } = await make({ visibility: 'private' });
    expect(key).toMatch(/^[A-Za-z0-9]{32}$/);
    for (const reference of [slug, id]) {
      const opened = await get(`/posts/${reference}?key=${key}`);
      expect(opened.status).toBe(200);
      expect(opened.headers.get('Cache-Control')).toBe('no-store');
      expect(opened.headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(dataOf(opened)).not.toHaveProperty('access_key');
      expect(opened.body['links']).toMatchObject({ first: expect.stringContaining(`key=${key}`) });
    }
    const wrong = [
      '',
      `key=`,
      `key=${key.slice(1)}`,
      `key=${key}x`,
      `key=${key.toLowerCase()}`,
      `key=${key}&key=${key}`,
      'key[]=x',
      'key=%00',
      `Key=${key}`,
    ];
    for (const query of wrong)
      expect([query, (await get(`/posts/${slug}?${query}`)).status]).toEqual([query, 404]);
  });

  // Promise [visibility]: The key is discarded when a post is no longer private.
  it('discards the key when a post is no longer private', async () => {
    const { slug, access_key: key } = await make({ visibility: 'private' });
    const set = (visibility: Visibility) =>
      gateway.ask('PATCH', `/posts/${slug}`, { ...as(owner), body: { visibility } });
    await set('hidden');
    expect((await get(`/posts/${slug}`)).status).toBe(200);
    const again = (await set('private')).body['access_key'];
    expect((await get(`/posts/${slug}?key=${key}`)).status).toBe(404);
    expect((await get(`/posts/${slug}?key=${String(again)}`)).status).toBe(200);
  });

  it('gives byte-identical answers for a private, a rejected and a missing post', async () => {
    const closed = await make({ visibility: 'private' });
    const rejected = await make({}, ['rejected']);
    const ask = async (slug: string, init: RequestInit = {}) => {
      const response = await fetch(`${gateway.service.url}/api/v1/posts/${slug}`, init);
      const headers = Object.fromEntries(response.headers);
      for (const name of ['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
        delete headers[name];
      }
      return { status: response.status, headers, text: await response.text() };
    };
    const authorised = { Authorization: `Bearer ${stranger.session}`, 'Content-Type': 'application/json' };
    for (const [suffix, init] of [
      ['', {}],
      ['?key=wrong', {}],
      ['', { headers: authorised }],
      ['', { headers: authorised, method: 'PATCH', body: '{"title":"x"}' }],
      ['', { headers: authorised, method: 'DELETE' }],
      ['/upvote', { headers: authorised, method: 'POST' }],
      ['/comments', {}],
      ['/comments', { headers: authorised, method: 'POST', body: '{"content":"x"}' }],
      ['/media', { headers: authorised, method: 'POST', body: '{"media_ids":[1]}' }],
    ] as const) {
      const unknown = await ask(`nosuch1${suffix}`, init);
      expect(unknown.status).toBe(404);
      expect(await ask(`${closed.slug}${suffix}`, init)).toEqual(unknown);
      expect(await ask(`${rejected.slug}${suffix}`, init)).toEqual(unknown);
    }
  });

  it('treats a token without the scope read as anonymous', async () => {
    const { slug } = await make({ visibility: 'private' });
    const token = await owner.mintToken({ scopes: ['write'] });
    expect((await get(`/posts/${slug}`, { token })).status).toBe(404);
    const open = await make();
    expect(dataOf(await get(`/posts/${open.slug}`, { token }))).not.toHaveProperty('visibility');
  });

  // Promise [visibility]: Only the owner sees `visibility` and `access_key`.
  it('shows visibility and access key only to the owner, on the post and in lists', async () => {
    const author = await createPerson(database);
    const open = await make({}, ['approved'], author);
    const closed = await make({ visibility: 'private' }, ['approved'], author);
    const single = async ({ slug }: Made, ask: Ask) => {
      const { visibility, access_key } = dataOf(await get(`/posts/${slug}`, ask));
      return [visibility, access_key];
    };
    expect(await single(open, as(author))).toEqual(['public', null]);
    expect(await single(closed, as(author))).toEqual(['private', closed.access_key]);
    expect(await single(open, as(stranger))).toEqual([undefined, undefined]);
    expect(await single(closed, as(moderator))).toEqual([undefined, undefined]);
    const feed = (ask: Ask) => get(`/posts?username=${author.username}`, ask);
    expect(listOf(await feed(as(author)))).toMatchObject([
      { slug: open.slug, visibility: 'public', access_key: null },
    ]);
    expect(listOf(await feed({}))[0]).not.toHaveProperty('visibility');
    const profile = await get(`/users/${author.username}/posts`, as(author));
    expect(listOf(profile)).toMatchObject([
      { slug: closed.slug, visibility: 'private', access_key: closed.access_key },
      { slug: open.slug, visibility: 'public', access_key: null },
    ]);
  });

  // Promise [visibility]: Rejected media of a post are shown only to its owner and moderators.
  it('shows rejected media of a post only to its owner and moderators', async () => {
    const author = await createPerson(database);
    const { slug, mediaSlugs } = await make({}, ['rejected', 'approved', 'rejected', 'approved'], author);
    const [, second, , fourth] = mediaSlugs;
    const seen = async (ask: Ask) => {
      const answer = await get(`/posts/${slug}`, ask);
      const { media, media_count } = dataOf(answer);
      const [listed] = listOf(await get(`/posts?username=${author.username}`, ask));
      return {
        media: (media as { slug: string }[]).map((one) => one.slug),
        counts: [media_count, (answer.body['meta'] as { total: number }).total, listed?.['media_count']],
        first: (listed?.['first_media'] as { slug: string } | undefined)?.slug,
      };
    };
    const some = { media: [second, fourth], counts: [2, 2, 2], first: second };
    const all = { media: mediaSlugs, counts: [4, 4, 4], first: mediaSlugs[0] };
    expect(await seen({})).toEqual(some);
    expect(await seen(as(stranger))).toEqual(some);
    expect(await seen(as(moderator))).toEqual(all);
    expect(await seen(as(author))).toEqual(all);
    const page = await get(`/posts/${slug}?perPage=1&mediaPage=2`);
    expect(dataOf(page)['media']).toMatchObject([{ slug: fourth }]);
  });

  // Promise [visibility]: Feeds contain nsfw items only with `nsfw=1`, and pending and rejected items never.
  it('lists nsfw posts on request, and pending and rejected posts never', async () => {
    const author = await createPerson(database);
    const safe = await make({}, ['approved'], author);
    const nsfw = await make({}, ['nsfw'], author);
    await make({}, ['pending'], author);
    await make({}, ['rejected'], author);
    const ruled = await make({}, ['approved'], author);
    await rule(ruled, 'rejected');
    const slugs = async (query: string, ask: Ask = {}) => {
      const answer = await get(`/posts?username=${author.username}${query}`, ask);
      return [(answer.body['meta'] as { total: number }).total, ...listOf(answer).map((one) => one['slug'])];
    };
    for (const ask of [{}, as(stranger), as(moderator), as(author)]) {
      expect(await slugs('', ask)).toEqual([1, safe.slug]);
      expect(await slugs('&nsfw=0', ask)).toEqual([1, safe.slug]);
      expect(await slugs('&nsfw=1', ask)).toEqual([2, nsfw.slug, safe.slug]);
    }
    await rule(ruled, 'nsfw');
    expect(await slugs('&nsfw=1')).toEqual([3, ruled.slug, nsfw.slug, safe.slug]);
    await rule(ruled, 'approved');
    expect(await slugs('')).toEqual([2, ruled.slug, safe.slug]);
  });

  // Promise [visibility]: A post is in no list while any of its media is pending.
  it('omits a post from lists while any of its media is pending, whatever its owner sets', async () => {
    const author = await createPerson(database);
    const { slug } = await make({ is_nsfw: true }, ['approved', 'pending'], author);
    expect(dataOf(await get(`/posts/${slug}`))).toMatchObject({ moderation_status: 'nsfw' });
    expect(listOf(await get(`/posts?username=${author.username}&nsfw=1`))).toEqual([]);
  });

  // Promise [lists]: `GET /posts` has the same filters as `GET /media`.
  it('filters by tag, period, username and words, and keeps every parameter in the links', async () => {
    const author = await createPerson(database);
    const made: Made[] = [];
    for (const title of ['Harbour at dawn', 'Harbour at noon', 'Fog']) {
      made.push(await make({ title, tags: ['Quay', title.slice(0, 3)] }, ['approved'], author));
    }
    // Ids rise with time, so an older post must not be younger.
    await database.query(`update posts set created_at = now() - interval '3 days' where id <= $1`, [
      made[0]?.id,
    ]);
    const mine = `username=${author.username}`;
    const slugs = async (query: string) => listOf(await get(`/posts?${query}`)).map((one) => one['slug']);
    const [dawn, noon, fog] = made.map(({ slug }) => slug);
    expect(await slugs(mine)).toEqual([fog, noon, dawn]);
    expect(await slugs(`username=${author.username.toUpperCase()}`)).toEqual([fog, noon, dawn]);
    expect(await slugs(`${mine}&tag=QUAY`)).toEqual([fog, noon, dawn]);
    expect(await slugs(`${mine}&tag=har`)).toEqual([noon, dawn]);
    expect(await slugs(`${mine}&q=harbour+DAWN`)).toEqual([dawn]);
    expect(await slugs(`${mine}&q=fog`)).toEqual([fog]);
    expect(await slugs(`${mine}&period=day`)).toEqual([fog, noon]);
    expect(await slugs(`${mine}&period=week&limit=1&page=3`)).toEqual([dawn]);
    expect(await slugs(`${mine}&tag=&q=&sort=latest`)).toEqual([fog, noon, dawn]);
    for (const nothing of ['tag=no-such-tag', 'username=nobody_at_all', `${mine}&page=99`]) {
      const answer = await get(`/posts?${nothing}`);
      expect([answer.status, answer.body['data']]).toEqual([200, []]);
    }
    const { body } = await get(`/posts?${mine}&limit=2&visibility=public&theme=dark`);
    expect(body['meta']).toMatchObject({
      current_page: 1,
      from: 1,
      to: 2,
      per_page: 2,
      total: 3,
      last_page: 2,
    });
    const { next } = body['links'] as { next: string };
    for (const kept of [mine, 'limit=2', 'visibility=public', 'theme=dark', 'page=2']) {
      expect(next).toContain(kept);
    }
  });

  it.each([
    'limit=0',
    'limit=251',
    'limit=abc',
    'limit=',
    'page=0',
    'page=-1',
    'sort=best',
    'period=decade',
    'seed=abc',
  ])('refuses %s', async (query) => {
    const answer = await get(`/posts?${query}`);
    expect([answer.status, Object.keys(answer.body['errors'] ?? {})]).toEqual([422, [query.split('=')[0]]]);
  });

  it('shuffles with a seed that the links contain, and lists each post once', async () => {
    const author = await createPerson(database);
    const made = [];
    for (let count = 0; count < 7; count++) made.push((await make({}, ['approved'], author)).slug);
    const seen: unknown[] = [];
    let path: string | null = `/posts?username=${author.username}&sort=random&limit=3`;
    while (path !== null) {
      const answer: Answer = await get(path);
      seen.push(...listOf(answer).map((one) => one['slug']));
      const { next } = answer.body['links'] as { next: string | null };
      if (next !== null) expect(next).toMatch(/seed=\d+/);
      path = next && next.slice(next.indexOf('/posts'));
    }
    expect([...seen].sort()).toEqual([...made].sort());
  });

  describe('canaries', () => {
    const WORD = 'canaryxq';

    // Promise [visibility]: Hidden and private posts appear in no list.
    it('appear in no listing, for any caller', async () => {
      const author = await createPerson(database);
      const tag = `${WORD}tag`;
      const secrets: string[] = [];
      const canary = async (fields: object, media: Parameters<typeof make>[1] = ['approved']) => {
        const made = await make({ title: `${WORD} title`, tags: [tag], ...fields }, media, author);
        await gateway.ask('POST', `/posts/${made.slug}/comments`, {
          ...as(author),
          body: { content: `${WORD} comment` },
        });
        secrets.push(made.slug, ...made.mediaSlugs, ...(made.access_key ? [made.access_key] : []));
        return made;
      };
      await canary({ visibility: 'private' });
      await canary({ visibility: 'hidden' });
      await canary({}, ['rejected']);
      await rule(await canary({ visibility: 'hidden' }), 'rejected');
      const turned = await canary({});
      await gateway.ask('PATCH', `/posts/${turned.slug}`, { ...as(author), body: { visibility: 'private' } });
      const open = await make({ title: 'plain' }, ['approved'], author);

      const lists = [
        '/posts?limit=250',
        '/posts?limit=250&nsfw=1',
        '/posts?limit=250&sort=random&nsfw=1',
        '/posts?limit=250&period=day&nsfw=1',
        `/posts?tag=${tag}&nsfw=1`,
        `/posts?q=${WORD}&nsfw=1`,
        `/posts?username=${author.username}&nsfw=1`,
        '/media?limit=250&nsfw=1',
        '/media?limit=250&sort=random&nsfw=1',
        `/media?username=${author.username}&nsfw=1`,
        `/media?q=${WORD}&nsfw=1`,
        '/tags?limit=250',
        `/tags?q=${WORD}`,
        `/users/${author.username}`,
        `/users/${author.username}/posts?nsfw=1`,
        `/users/${author.username}/media?nsfw=1`,
        `/users/${author.username}/comments?nsfw=1`,
        `/posts/${open.slug}/comments`,
      ];
      for (const ask of [{}, as(stranger), as(moderator)]) {
        for (const list of lists) {
          const { status, body } = await get(list, ask);
          const text = JSON.stringify([body['data'], body['meta']]).toLowerCase();
          const heard = [WORD, ...secrets].filter((secret) => text.includes(secret.toLowerCase()));
          const own = list.includes(WORD) ? heard.filter((secret) => secret !== WORD) : heard;
          expect([list, status, own]).toEqual([list, 200, []]);
        }
      }
      const profile = await get(`/users/${author.username}/posts`, as(author));
      expect(listOf(profile)).toHaveLength(6);
    });

    it('do not log their keys', async () => {
      const { slug, access_key: key = 'none' } = await make({ visibility: 'private' });
      await get(`/posts/${slug}?key=${key}`);
      await get(`/posts/${slug}?key=${key}x`);
      expect(gateway.service.output()).not.toContain(key);
    });
  });
});
