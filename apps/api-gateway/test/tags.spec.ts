import type { Answer } from './gateway';
import { createPerson, type Person } from './people';
import { storeMedia } from './stored';
import { useSharedGateway } from './use-gateway';

describe('tags over HTTP', () => {
  const api = useSharedGateway();
  let owner: Person;

  beforeAll(async () => {
    owner = await createPerson(api.database);
  });
  beforeEach(async () => {
    await api.database.query('delete from posts');
    await api.database.query('delete from media');
  });

  const change = async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await api.gateway.ask(method, path, { token: owner.session, ...(body && { body }) });
    expect(answer.status).toBeLessThan(300);
    return answer;
  };
  const media = async (status: 'approved' | 'nsfw' | 'pending', ...tags: string[]) => {
    const stored = await storeMedia(api.database, owner, { status });
    await change('PATCH', `/media/${stored.slug}`, { tags });
    return stored;
  };
  const list = async (query = '', token?: string): Promise<unknown> =>
    (await api.gateway.ask('GET', `/tags${query}`, { ...(token !== undefined && { token }) })).body['data'];

  // Promise [lists]: `GET /tags` lists tags with the numbers of their public items, most used first.
  it('are counted by public items, immediately, most used first', async () => {
    expect(await list()).toEqual([]);
    const [first, second] = [await media('approved', 'Alps', 'snow'), await media('nsfw', 'snow')];
    await media('pending', 'snow', 'later');
    expect(await list()).toEqual([
      { name: 'alps', post_count: 0, media_count: 1 },
      { name: 'snow', post_count: 0, media_count: 1 },
    ]);
    expect(await list('?nsfw=1')).toEqual([
      { name: 'snow', post_count: 0, media_count: 2 },
      { name: 'alps', post_count: 0, media_count: 1 },
    ]);

    const made = await change('POST', '/posts', { media_ids: [first.id], tags: ['Alps', 'hut'] });
    const { slug } = made.body['post'] as { slug: string };
    expect(await list()).toEqual([
      { name: 'alps', post_count: 1, media_count: 1 },
      { name: 'hut', post_count: 1, media_count: 0 },
      { name: 'snow', post_count: 0, media_count: 1 },
    ]);

    // The tags of the post disappear with it, and those of its media item, which is in no other post.
    const unlisted = [{ name: 'snow', post_count: 0, media_count: 1 }];
    expect(await list('?nsfw=1&q=hut')).toHaveLength(1);
    for (const visibility of ['hidden', 'private']) {
      await change('PATCH', `/posts/${slug}`, { visibility });
      expect(await list('?nsfw=1')).toEqual(unlisted);
      expect(await list('?nsfw=1', owner.session)).toEqual(unlisted);
    }
    await change('PATCH', `/posts/${slug}`, { visibility: 'public', tags: ['peak'] });
    expect(await list('?q=p')).toEqual([{ name: 'peak', post_count: 1, media_count: 0 }]);
    expect(await list('?q=hut')).toEqual([]);
    await change('DELETE', `/posts/${slug}`);
    await change('DELETE', `/media/${first.slug}`);
    await change('DELETE', `/media/${second.slug}`);
    expect(await list()).toEqual([]);
  });

  // Promise [lists]: Tags are found by the beginning of their name.
  it('are found by prefix, in the envelope', async () => {
    await media('approved', 'mountain', 'mountain hut', 'moon', 'MOSS', 'over 50_percent');
    const { body } = await api.gateway.ask('GET', '/tags?q=Mo&limit=2&page=2&extra=1');
    expect(body).toMatchObject({
      data: [{ name: 'mountain' }, { name: 'mountain hut' }],
      meta: { total: 4, current_page: 2, per_page: 2, last_page: 2, from: 3, to: 4 },
      links: { next: null, prev: expect.stringMatching(/\/api\/v1\/tags\?q=Mo&limit=2&page=1&extra=1$/) },
    });
    expect(await list('?q=mountain%20h')).toEqual([{ name: 'mountain hut', post_count: 0, media_count: 1 }]);
    expect(await list('?q=over%2050_')).toHaveLength(1);
    for (const q of ['%25', '_', '%5C', "'", 'ountain']) expect(await list(`?q=${q}`)).toEqual([]);
    expect(await list('?q=')).toHaveLength(5);
  });

  it('names invalid parameters', async () => {
    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['page=x', 'page'],
      [`q=${'x'.repeat(51)}`, 'q'],
      ['q=%00', 'q'],
    ]) {
      const { status, body } = await api.gateway.ask('GET', `/tags?${query}`);
      expect(status).toBe(422);
      expect(Object.keys(body['errors'] as object)).toEqual([field]);
    }
  });
});
