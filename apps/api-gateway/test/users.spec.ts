import type { Answer } from './gateway';
import { createPerson, type Person } from './people';
import { storeMedia, type StoredMedia } from './stored';
import { useSharedGateway } from './use-gateway';

type Status = 'approved' | 'nsfw' | 'pending' | 'rejected';

describe('public profiles over HTTP', () => {
  const api = useSharedGateway();
  let owner: Person;
  let stranger: Person;
  let moderator: Person;

  beforeAll(async () => {
    stranger = await createPerson(api.database);
    moderator = await createPerson(api.database, { role: 'moderator' });
  });
  beforeEach(async () => {
    owner = await createPerson(api.database);
  });

  const get = (path: string, token?: string): Promise<Answer> =>
    api.gateway.ask('GET', path, { ...(token !== undefined && { token }) });
  const profile = async (token?: string): Promise<unknown> => {
    const { status, body } = await get(`/users/${owner.username}`, token);
    expect(status).toBe(200);
    return body['data'];
  };
  const post = async (fields: object, ...media: StoredMedia[]): Promise<string> => {
    const { status, body } = await api.gateway.ask('POST', '/posts', {
      token: owner.session,
      body: { media_ids: media.map(({ id }) => id), ...fields },
    });
    expect(status).toBe(201);
    return (body['post'] as { slug: string }).slug;
  };
  const slugsOf = async (path: string, token?: string): Promise<string[]> => {
    const { status, body } = await get(path, token);
    expect(status).toBe(200);
    return (body['data'] as { slug: string }[]).map(({ slug }) => slug);
  };

  // Promise [community]: A profile shows only public fields, and is found ignoring case.
  it('shows only public fields of an account, ignoring the case of its name', async () => {
    const picture = await storeMedia(api.database, owner);
    const body = { bio: 'two\nlines', avatar: picture.slug };
    await api.database.query('update users set email = $1 where id = $2', ['private@example.org', owner.id]);
    expect((await api.gateway.ask('PATCH', '/me', { token: owner.session, body })).status).toBe(200);
    for (const name of [owner.username, owner.username.toUpperCase()]) {
      expect((await get(`/users/${name}`)).body).toEqual({
        data: {
          username: owner.username,
          avatar: `https://cdn.example.org/f/${picture.slug}_xs.jpg`,
          bio: 'two\nlines',
          created_at: expect.any(String),
          post_count: 0,
          media_count: 1,
          follower_count: 0,
          following_count: 0,
          isFollowedByUser: false,
          isBlockedByUser: false,
          isMutedByUser: false,
        },
      });
    }
  });

  it('shows whether the caller follows the account, and the number of followers', async () => {
    const follow = (method: string): Promise<Answer> =>
      api.gateway.ask(method, `/users/${owner.username}/follow`, { token: stranger.session });
    await follow('POST');
    expect(await profile()).toMatchObject({ follower_count: 1, isFollowedByUser: false });
    expect(await profile(owner.session)).toMatchObject({ isFollowedByUser: false });
    expect(await profile(stranger.session)).toMatchObject({ follower_count: 1, isFollowedByUser: true });
    const blind = await stranger.mintToken({ scopes: ['upload'] });
    expect(await profile(blind)).toMatchObject({ isFollowedByUser: false });
    expect((await get('/me', owner.session)).body['data']).toMatchObject({
      follower_count: 1,
      following_count: 0,
    });
    await follow('DELETE');
    expect(await profile(stranger.session)).toMatchObject({ follower_count: 0, isFollowedByUser: false });
  });

  it('counts public items for others, and all items for the account itself', async () => {
    const media: Record<Status, StoredMedia> = {
      approved: await storeMedia(api.database, owner),
      nsfw: await storeMedia(api.database, owner, { status: 'nsfw' }),
      pending: await storeMedia(api.database, owner, { status: 'pending' }),
      rejected: await storeMedia(api.database, owner, { status: 'rejected' }),
    };
    expect(await profile(owner.session)).toMatchObject({ media_count: 2, post_count: 0 });
    await post({}, media.approved);
    await post({ is_nsfw: true }, media.approved);
    await post({}, media.pending);
    const hidden = await post({ visibility: 'hidden' }, media.nsfw);
    for (const token of [undefined, stranger.session, moderator.session, owner.session]) {
      expect(await profile(token)).toMatchObject({ media_count: 1, post_count: 2 });
    }
    const own = async (): Promise<unknown> => (await get('/me', owner.session)).body['data'];
    expect(await own()).toMatchObject({ media_count: 4, post_count: 4 });
    await api.gateway.ask('DELETE', `/posts/${hidden}`, { token: owner.session });
    await api.gateway.ask('DELETE', `/media/${media.rejected.slug}`, { token: owner.session });
    expect(await own()).toMatchObject({ media_count: 3, post_count: 3 });
    expect(await profile()).toMatchObject({ media_count: 2, post_count: 2 });
  });

  it('returns 404 for unknown, deleted and invalid usernames', async () => {
    const gone = await createPerson(api.database);
    await storeMedia(api.database, gone);
    await api.database.query('update users set deleted_at = now() where id = $1', [gone.id]);
    for (const name of [
      gone.username,
      'nobody_here',
      'a',
      '%00',
      '..%2f',
      'x'.repeat(300),
      '%F0%9F%99%82',
      'NULL',
      "'",
    ]) {
      for (const list of ['', '/posts', '/media']) {
        const { status, body } = await get(`/users/${name}${list}`, owner.session);
        expect([name, list, status, body]).toEqual([name, list, 404, { message: 'Not found.' }]);
      }
    }
  });

  describe.each(['posts', 'media'] as const)('the list of an account’s %s', (items) => {
    /** Creates one item of each kind, in the state of one row of the table of access rights. */
    const makeOne = async (status: Status, visibility = 'public'): Promise<string> => {
      const media = await storeMedia(api.database, owner, { status });
      if (items === 'media') {
        if (visibility !== 'public') await post({ visibility }, media);
        return media.slug;
      }
      return post({ visibility }, media);
    };

    // Promise [visibility]: Owners see everything in their own profile.
    it.each<[Status, string, boolean, boolean]>([
      ['approved', 'public', true, true],
      ['nsfw', 'public', false, true],
      ['pending', 'public', false, false],
      ['rejected', 'public', false, false],
      ['approved', 'hidden', false, false],
      ['approved', 'private', false, false],
      ['nsfw', 'private', false, false],
    ])(
      'shows %s, %s: to others %s, with nsfw=1 %s, to the owner always',
      async (status, visibility, plain, nsfw) => {
        const slug = await makeOne(status, visibility);
        const path = `/users/${owner.username.toUpperCase()}/${items}`;
        for (const token of [undefined, stranger.session, moderator.session]) {
          expect(await slugsOf(path, token)).toEqual(plain ? [slug] : []);
          expect(await slugsOf(`${path}?nsfw=1`, token)).toEqual(nsfw ? [slug] : []);
        }
        for (const query of ['', '?nsfw=0', '?nsfw=1']) {
          expect(await slugsOf(path + query, owner.session)).toEqual([slug]);
        }
        expect(await slugsOf(path, await owner.mintToken({ scopes: ['read'] }))).toEqual([slug]);
        expect(await slugsOf(path, await owner.mintToken({ scopes: ['write'] }))).toEqual(
          plain ? [slug] : [],
        );
      },
    );

    // Promise [community]: The posts and media of an account are listed newest first, within a period.
    it('is returned in the envelope, newest first, within a period', async () => {
      const slugs = [];
      for (let index = 0; index < 5; index++) slugs.push(await makeOne('approved'));
      await makeOne('pending');
      const path = `/users/${owner.username}/${items}`;
      const { body } = await get(`${path}?limit=2&page=2&sort=latest&x=y`);
      expect(body).toMatchObject({
        data: [{ slug: slugs[2] }, { slug: slugs[1] }],
        links: {
          first: `https://api.example.org/api/v1${path}?limit=2&page=1&sort=latest&x=y`,
          next: `https://api.example.org/api/v1${path}?limit=2&page=3&sort=latest&x=y`,
        },
        meta: { total: 5, current_page: 2, last_page: 3, from: 3, to: 4, per_page: 2 },
      });
      expect((await get(path, owner.session)).body).toMatchObject({ meta: { total: 6 } });
      // Ids rise with time, so earlier items must be at least as old.
      await api.database.query(
        `update ${items} set created_at = now() - interval '3 days'
         where id <= (select id from ${items} where slug = $1)`,
        [slugs[1]],
      );
      expect(await slugsOf(`${path}?period=day`)).toEqual(slugs.slice(2).reverse());
      expect((await get(`${path}?period=week`)).body).toMatchObject({ meta: { total: 5 } });
    });

    it('names invalid parameters', async () => {
      for (const [query, field] of [
        ['limit=251', 'limit'],
        ['page=0', 'page'],
        ['sort=random', 'sort'],
        ['period=decade', 'period'],
        ['nsfw=x', 'nsfw'],
      ]) {
        const { status, body } = await get(`/users/${owner.username}/${items}?${query}`);
        expect(status).toBe(422);
        expect(Object.keys(body['errors'] as object)).toEqual([field]);
      }
    });
  });

  // Promise [visibility]: Lists of an account contain secrets of posts only for the owner.
  it('lists posts with the documented fields, and their secrets only to the owner', async () => {
    const slug = await post({ title: 'Mine', visibility: 'private' }, await storeMedia(api.database, owner));
    const shared = await post({ title: 'Ours' }, await storeMedia(api.database, owner));
    const path = `/users/${owner.username}/posts`;
    const mine = (await get(path, owner.session)).body['data'] as Record<string, unknown>[];
    expect(mine[1]).toMatchObject({
      slug,
      title: 'Mine',
      visibility: 'private',
      access_key: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
    });
    const others = (await get(path, moderator.session)).body['data'] as Record<string, unknown>[];
    expect(others).toHaveLength(1);
    expect(others[0]).toMatchObject({
      id: expect.any(Number),
      slug: shared,
      title: 'Ours',
      score: 0,
      moderation_status: 'approved',
      first_media: { type: 'image/jpeg' },
    });
    expect(others[0]).not.toHaveProperty('access_key');
    expect(others[0]).not.toHaveProperty('visibility');
    expect(others[0]).not.toHaveProperty('media');
  });
});
