import { eventually } from '@vitrine/testing';
import type { Answer } from './gateway';
import { createPerson, type Person } from './people';
import { type MediaFields, storeMedia, type StoredMedia } from './stored';
import { useSharedGateway } from './use-gateway';

interface Page {
  readonly data: readonly { readonly slug: string }[];
  readonly links: { first: string; last: string; prev: string | null; next: string | null };
  readonly meta: Readonly<Record<string, unknown>>;
}

describe('the feed of media', () => {
  const api = useSharedGateway();
  let owner: Person;
  let others: Readonly<Record<'anonymous' | 'stranger' | 'owner' | 'moderator', string | undefined>>;

  beforeAll(async () => {
    owner = await createPerson(api.database);
    others = {
      anonymous: undefined,
      stranger: (await createPerson(api.database)).session,
      owner: owner.session,
      moderator: (await createPerson(api.database, { role: 'moderator' })).session,
    };
  });
  beforeEach(async () => {
    await api.database.query('delete from posts');
    await api.database.query('delete from media');
  });

  const store = (fields?: MediaFields, by: Person | null = owner): Promise<StoredMedia> =>
    storeMedia(api.database, by, fields);
  const ask = <Body = Answer['body']>(query: string, token?: string): Promise<Answer<Body>> =>
    api.gateway.ask<Body>('GET', `/media${query}`, { ...(token !== undefined && { token }) });
  const list = async (query = '', token?: string): Promise<Page> => {
    const { status, body } = await ask<Page>(query, token);
    expect(status).toBe(200);
    return body;
  };
  const slugs = async (query = '', token?: string): Promise<string[]> =>
    (await list(query, token)).data.map(({ slug }) => slug);
  const post = async (fields: object, ...media: StoredMedia[]): Promise<string> => {
    const { status, body } = await api.gateway.ask('POST', '/posts', {
      token: owner.session,
      body: { media_ids: media.map(({ id }) => id), ...fields },
    });
    expect(status).toBe(201);
    return (body['post'] as { slug: string }).slug;
  };
  const patchPost = async (slug: string, body: object): Promise<void> => {
    expect((await api.gateway.ask('PATCH', `/posts/${slug}`, { token: owner.session, body })).status).toBe(
      200,
    );
  };

  // Promise [lists]: `GET /media` lists media, newest first.
  it('lists media objects, newest first, in the envelope', async () => {
    const stored = [];
    for (let index = 0; index < 12; index++) stored.push(await store({ title: `No. ${index}` }));
    const page = await list('');
    expect(page.data.map(({ slug }) => slug)).toEqual(
      stored
        .slice(2)
        .reverse()
        .map(({ slug }) => slug),
    );
    const one = (await api.gateway.ask('GET', `/media/${stored[11]!.slug}`)).body['data'];
    expect({ ...page.data[0], post: null }).toEqual(one);
    expect(page.meta).toEqual({
      current_page: 1,
      from: 1,
      to: 10,
      per_page: 10,
      total: 12,
      last_page: 2,
      path: 'https://api.example.org/api/v1/media',
    });
    expect(page.links).toEqual({
      first: 'https://api.example.org/api/v1/media?page=1',
      last: 'https://api.example.org/api/v1/media?page=2',
      prev: null,
      next: 'https://api.example.org/api/v1/media?page=2',
    });
    expect(await slugs('?page=2')).toHaveLength(2);
    expect(await list('?page=99')).toMatchObject({
      data: [],
      meta: { from: null, to: null, total: 12, last_page: 2 },
    });
  });

  it('returns an empty list in the envelope', async () => {
    expect(await list()).toMatchObject({ data: [], meta: { total: 0, last_page: 1, from: null, to: null } });
  });

  it.each<[MediaFields['status'], boolean, boolean]>([
    ['approved', true, true],
    ['nsfw', false, true],
    ['pending', false, false],
    ['rejected', false, false],
  ])('has %s media without nsfw=1: %s, with it: %s; for every caller', async (status, without, withNsfw) => {
    const { slug } = await store({ status: status! });
    for (const token of Object.values(others)) {
      expect(await slugs('', token)).toEqual(without ? [slug] : []);
      expect(await slugs('?nsfw=0', token)).toEqual(without ? [slug] : []);
      expect(await slugs('?nsfw=1', token)).toEqual(withNsfw ? [slug] : []);
    }
  });

  // Promise [visibility]: A media item is listed unless all its posts are hidden or private.
  it('lists media unless all their posts are hidden or private', async () => {
    const [alone, shared, hidden] = [await store(), await store(), await store()];
    const all = [hidden.slug, shared.slug, alone.slug];
    expect(await slugs()).toEqual(all);
    const first = await post({ visibility: 'hidden' }, shared, hidden);
    for (const token of Object.values(others)) {
      expect(await slugs('?nsfw=1', token)).toEqual([alone.slug]);
      expect(await slugs(`?username=${owner.username}`, token)).toEqual([alone.slug]);
    }
    const second = await post({ visibility: 'public' }, shared);
    expect(await slugs()).toEqual([shared.slug, alone.slug]);
    await patchPost(second, { visibility: 'private' });
    expect(await slugs()).toEqual([alone.slug]);
    await patchPost(first, { visibility: 'private' });
    expect(await slugs()).toEqual([alone.slug]);
    await patchPost(first, { visibility: 'public' });
    expect(await slugs()).toEqual(all);
    await patchPost(first, { visibility: 'private' });
    await api.gateway.ask('DELETE', `/posts/${first}`, { token: owner.session });
    expect(await slugs()).toEqual([hidden.slug, alone.slug]);
    // Everyone can always read them by slug.
    expect((await api.gateway.ask('GET', `/media/${shared.slug}`)).status).toBe(200);
  });

  // Promise [lists]: Lists can be filtered by tag, username and period; unknown names give an empty page.
  it('is filtered by tag, ignoring case; an unknown tag gives an empty page', async () => {
    const [tagged, other] = [await store(), await store()];
    const tag = async (media: StoredMedia, tags: unknown): Promise<Answer> =>
      api.gateway.ask('PATCH', `/media/${media.slug}`, { token: owner.session, body: { tags } });
    expect((await tag(tagged, ['Sunset Glow', 'ALPS', 'alps'])).status).toBe(200);
    expect((await tag(other, ['snow'])).status).toBe(200);
    expect((await api.gateway.ask('GET', `/media/${tagged.slug}`)).body['data']).toMatchObject({
      tags: ['sunset glow', 'alps'],
    });
    expect(await slugs('?tag=alps')).toEqual([tagged.slug]);
    expect(await slugs('?tag=sUNSET%20glow')).toEqual([tagged.slug]);
    expect(await list('?tag=nothing')).toMatchObject({ data: [], meta: { total: 0 } });
    expect(await slugs('?tag=')).toHaveLength(2);

    // Omitted fields stay unchanged, null clears a field.
    await api.gateway.ask('PATCH', `/media/${tagged.slug}`, { token: owner.session, body: { title: 'T' } });
    expect(await slugs('?tag=alps')).toEqual([tagged.slug]);
    await tag(tagged, null);
    expect(await slugs('?tag=alps')).toEqual([]);
    expect((await api.gateway.ask('GET', `/media/${tagged.slug}`)).body['data']).toMatchObject({
      title: 'T',
      tags: [],
    });
  });

  // Promise [lists]: An item has at most 20 tags of 50 characters.
  it('accepts 20 tags of 50 characters, and names the errors of others', async () => {
    const { slug } = await store();
    const patch = (tags: unknown): Promise<Answer> =>
      api.gateway.ask('PATCH', `/media/${slug}`, { token: owner.session, body: { tags } });
    expect((await patch(Array.from({ length: 20 }, (_, n) => `${'x'.repeat(48)}${n}`))).status).toBe(200);
    expect((await patch(Array.from({ length: 21 }, (_, n) => `t${n}`))).body).toEqual({
      message: 'The tags field must not have more than 20 items.',
      errors: { tags: ['The tags field must not have more than 20 items.'] },
    });
    expect((await patch(['fine', 'x'.repeat(51)])).body).toMatchObject({
      errors: { 'tags.1': ['The tags.1 field must not be greater than 50 characters.'] },
    });
    for (const bad of ['a,b', '', 'nul\u0000', 'İ'.repeat(50), '\ud83d', { a: 1 }, ['x']]) {
      expect((await patch(['fine', bad])).status).toBe(422);
    }
    for (const bad of ['x', 7, { 0: 'x' }]) expect((await patch(bad)).status).toBe(422);
  });

  it('is filtered by username, ignoring case; an unknown or deleted one gives an empty page', async () => {
    const { slug } = await store();
    const guests = await store({}, null);
    expect(await slugs(`?username=${owner.username.toUpperCase()}`)).toEqual([slug]);
    for (const name of ['nobody_here', 'a%00b', '..', 'x'.repeat(255)]) {
      const { status, body } = await ask(`?username=${name}`);
      expect([200, 422]).toContain(status);
      if (status === 200) expect(body).toMatchObject({ data: [] });
    }
    expect(await slugs('?username=')).toEqual([guests.slug, slug]);
    const gone = await createPerson(api.database);
    await store({}, gone);
    await api.database.query('update users set deleted_at = now() where id = $1', [gone.id]);
    expect(await slugs(`?username=${gone.username}`)).toEqual([]);
  });

  it('is filtered by period', async () => {
    for (const age of ['400 days', '40 days', '10 days', '2 days', '1 hour'])
      await store({ age, title: age });
    const total = async (period: string): Promise<unknown> => (await list(`?period=${period}`)).meta['total'];
    expect(await total('day')).toBe(1);
    expect(await total('week')).toBe(2);
    expect(await total('month')).toBe(3);
    expect(await total('year')).toBe(4);
    expect(await total('all')).toBe(5);
  });

  // Promise [lists]: `q` finds items that contain all its words.
  it('finds all words of q in title, description and tags, ignoring case', async () => {
    const { slug } = await store({ title: 'Morning Light', description: 'over the Matterhorn' });
    await store({ title: 'Morning fog' });
    await api.gateway.ask('PATCH', `/media/${slug}`, { token: owner.session, body: { tags: ['zermatt'] } });
    for (const q of ['matterhorn', 'LIGHT morning', 'zermatt light', 'morning%20zermatt']) {
      expect(await slugs(`?q=${q}`)).toEqual([slug]);
    }
    expect(await slugs('?q=morning')).toHaveLength(2);
    expect(await slugs('?q=morning%20rain')).toEqual([]);
    expect(await slugs('?q=')).toHaveLength(2);
    expect(await slugs(`?q=morning&username=${owner.username}&tag=zermatt&period=day`)).toEqual([slug]);
    for (const q of ["'", ':*', '%', '!!', '(', '\\', '🙂'])
      expect((await ask(`?q=${encodeURIComponent(q)}`)).status).toBe(200);
  });

  // Promise [lists]: `sort=random` has one order on all pages, by the `seed` in every link.
  it('keeps one random order over all pages, with the seed in every link', async () => {
    const all = [];
    for (let index = 0; index < 25; index++) all.push((await store()).slug);
    const first = await list('?sort=random&limit=10&visibility=public');
    const seed = new URL(first.links.next!).searchParams.get('seed');
    expect(seed).toMatch(/^\d+$/);
    const seen = first.data.map(({ slug }) => slug);
    for (let next = first.links.next; next !== null;) {
      const { searchParams, search } = new URL(next);
      expect([searchParams.get('seed'), searchParams.get('visibility')]).toEqual([seed, 'public']);
      const page = await list(search);
      seen.push(...page.data.map(({ slug }) => slug));
      next = page.links.next;
    }
    expect([...seen].sort()).toEqual([...all].sort());
    expect(seen).not.toEqual([...all].reverse());
    expect(await slugs(`?sort=random&limit=25&seed=${seed}`)).toEqual(seen);
    expect(await slugs(`?sort=random&limit=25&seed=${Number(seed) + 1}`)).not.toEqual(seen);
    for (const odd of [-1, 0, Number.MAX_SAFE_INTEGER]) {
      expect(await slugs(`?sort=random&limit=25&seed=${odd}`)).toHaveLength(25);
    }
    // The default order needs no seed.
    expect((await list('?limit=10')).links.next).not.toContain('seed');
  });

  // Promise [lists]: `sort=top` lists the highest score first; a media item has the score of its best post.
  it('lists media by the score of their best post with sort=top, and posts by theirs, the newest first among equals', async () => {
    const stored = [];
    for (let index = 0; index < 5; index++) stored.push(await store({ title: `Heron ${index}` }));
    const [alone, low, high, tied, old] = stored as [
      StoredMedia,
      StoredMedia,
      StoredMedia,
      StoredMedia,
      StoredMedia,
    ];
    await api.database.query(`update media set created_at = now() - interval '40 days' where id = $1`, [
      alone.id,
    ]);
    const posts: string[] = [];
    for (const media of [[low], [high], [tied], [low, old]])
      posts.push(await post({ tags: ['birds'] }, ...media));
    const votes = async (index: number, direction: string, ...voters: (string | undefined)[]) => {
      for (const token of voters) {
        const path = `/posts/${posts[index]}/${direction}`;
        expect((await api.gateway.ask('POST', path, { ...(token !== undefined && { token }) })).status).toBe(
          200,
        );
      }
    };
    await votes(0, 'downvote', others.stranger);
    await votes(1, 'upvote', others.stranger, others.owner);
    await votes(2, 'upvote', others.stranger, others.moderator);
    await votes(3, 'downvote', others.stranger, others.owner);
    const order = [tied, high, alone, low, old].map(({ slug }) => slug);

    const top = async (path: string): Promise<unknown> => {
      const { body } = await api.gateway.ask<Page>('GET', path);
      return [body.meta['total'], body.data.map(({ slug }) => slug)];
    };
    await eventually(async () => expect(await slugs('?sort=top')).toEqual(order));
    expect([await slugs('?sort=top&limit=2&page=2'), await slugs('?sort=top&limit=2&page=3')]).toEqual([
      order.slice(2, 4),
      order.slice(4),
    ]);
    expect((await list('?sort=top&limit=2')).links.next).toMatch(/sort=top/);
    expect(await slugs(`?sort=top&username=${owner.username}&q=heron`)).toEqual(order);
    expect(await slugs('?sort=top&period=month')).toEqual(order.filter((slug) => slug !== alone.slug));
    const best = [posts[2], posts[1], posts[0], posts[3]];
    for (const filter of [
      '',
      '&tag=birds',
      `&username=${owner.username}`,
      '&period=day',
      '&tag=birds&period=week',
    ]) {
      await eventually(async () => expect(await top(`/posts?sort=top${filter}`)).toEqual([4, best]));
    }

    await patchPost(posts[2]!, { visibility: 'hidden' });
    expect(await top('/posts?sort=top')).toEqual([3, best.slice(1)]);
    await api.gateway.ask('DELETE', `/posts/${posts[1]}`, { token: owner.session });
    await eventually(async () =>
      expect(await slugs('?sort=top')).toEqual([high, alone, low, old].map(({ slug }) => slug)),
    );
  });

  // Promise [requests]: Unknown query keys are ignored; an invalid value of a known key gives 422, which
  // names the key; `limit` is at most 250.
  it('names invalid parameters, and ignores unknown ones', async () => {
    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['limit=251', 'limit'],
      ['limit=abc', 'limit'],
      ['limit=', 'limit'],
      ['limit=99999999999999999999', 'limit'],
      ['page=0', 'page'],
      ['page=1.5', 'page'],
      ['page=99999999999', 'page'],
      ['sort=best', 'sort'],
      ['period=decade', 'period'],
      ['nsfw=maybe', 'nsfw'],
      ['seed=abc', 'seed'],
      ['tag=a%00b', 'tag'],
      ['q=a%00b', 'q'],
      ['limit=1&limit=2', 'limit'],
    ] as const) {
      const { status, body } = await ask(`?${query}`);
      expect([query, status]).toEqual([query, 422]);
      expect(Object.keys(body['errors'] as object)).toEqual([field]);
    }
    expect((await ask('?limit=250&page=2147483647&visibility=public&__proto__=1')).status).toBe(200);
  });

  it('has an exact total immediately after every change of a media item', async () => {
    const totals = async (): Promise<unknown[]> => [
      (await list()).meta['total'],
      (await list(`?username=${owner.username}`)).meta['total'],
      (await list('?nsfw=1')).meta['total'],
    ];
    const [kept, gone] = [await store(), await store({ status: 'nsfw' })];
    expect(await totals()).toEqual([1, 1, 2]);
    await api.gateway.ask('DELETE', `/media/${gone.slug}`, { token: owner.session });
    expect(await totals()).toEqual([1, 1, 1]);
    await api.gateway.ask('DELETE', `/media/${kept.slug}`, { token: owner.session });
    expect(await totals()).toEqual([0, 0, 0]);
  });

  // Promise [content]: Posts lose a deleted media item.
  it('removes a deleted media item from its posts', async () => {
    const [kept, gone] = [await store(), await store()];
    const [both, only] = [await post({}, kept, gone), await post({}, gone)];
    expect((await api.gateway.ask('DELETE', `/media/${gone.slug}`, { token: owner.session })).status).toBe(
      200,
    );
    const shown = async (slug: string, token?: string): Promise<unknown> =>
      (await api.gateway.ask('GET', `/posts/${slug}`, { ...(token !== undefined && { token }) })).body[
        'data'
      ];
    expect(await shown(both)).toMatchObject({ media_count: 1, media: [{ slug: kept.slug }] });
    expect(await shown(only, owner.session)).toMatchObject({ media_count: 0, media: [] });
    const listed = (await api.gateway.ask('GET', '/posts')).body['data'] as { slug: string }[];
    expect(listed.map(({ slug }) => slug)).toEqual([both]);
  });
});
