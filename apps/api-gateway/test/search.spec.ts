import { createPerson } from './people';
import { usePosts } from './use-posts';

describe('search over HTTP', () => {
  const posts = usePosts();
  const get = (path: string, params: Record<string, string>, token?: string) =>
    posts.gateway.ask('GET', `${path}?${new URLSearchParams(params).toString()}`, token ? { token } : {});
  const namesOf = ({ body }: { body: Record<string, unknown> }, field: string) =>
    (body['data'] as Record<string, string>[]).map((item) => item[field]);

  const list = async (title: string, tags: string[] = [], listing = 'safe') => {
    const { slug } = await posts.make(1, { title, tags });
    await posts.database.query('update posts set listing = $2, moderation_status = $3 where slug = $1', [
      slug,
      listing,
      listing === 'nsfw' ? 'nsfw' : 'approved',
    ]);
    return slug;
  };

  // Promise [content]: Search finds similar words, other English endings, and parts of words without spaces.
  it('finds posts by similar words, endings and parts, apart from those with the words themselves', async () => {
    const ferry = await list('Last ferry', ['crossings']);
    const lamps = await list('中文标题 夜市的灯');
    const fractal = await list('Zoom into the Mandelbrot set');
    const polish = await list('Zażółć gęślą jaźń');
    const adult = await list('Mandelbrot at night', [], 'nsfw');
    const find = async (q: string, more = {}) =>
      namesOf(await get('/posts', { q, similar: '1', limit: '250', ...more }), 'slug');
    for (const [q, slug] of [
      ['ferries', ferry],
      ['FERYY', ferry],
      ['crossing', ferry],
      ['灯', lamps],
      ['标题', lamps],
      ['市的灯', lamps],
      ['mandelbrt', fractal],
      ['mandelbr', fractal],
      ['zazolc', polish],
      ['GĘSLA', polish],
    ] as const) {
      expect([q, await find(q)]).toEqual([q, [slug]]);
    }
    expect(await find('ferry')).toEqual([]);
    expect(await find('lato')).toEqual([]); // Shares two letters with `Last`.
    expect(await find('题标')).toEqual([]);
    expect(await find('mandelbrt', { nsfw: '1' })).toEqual([adult, fractal]);
    expect(namesOf(await get('/posts', { q: 'mandelbrt' }), 'slug')).toEqual([]);
    expect((await get('/posts', { q: 'mandelbrt', similar: '1', page: '2' })).body['meta']).toMatchObject({
      total: 1,
    });
    await posts.gateway.ask('PUT', `/users/${posts.owner.username}/block`, { token: posts.stranger.session });
    expect(
      (await get('/posts', { q: 'ferries', similar: '1' }, posts.stranger.session)).body['data'],
    ).toEqual([]);
    await posts.gateway.ask('DELETE', `/users/${posts.owner.username}/block`, {
      token: posts.stranger.session,
    });
  });

  // Promise [accounts]: Search doesn't find deleted and suspended accounts, nor those with a block between them and the viewer.
  it('finds people by a part of their names, but not those who can’t be seen', async () => {
    const [tobi, viewer] = [await createPerson(posts.database), await createPerson(posts.database)];
    const rename = (id: number, name: string) =>
      posts.database.query('update users set username = $2 where id = $1', [id, name]);
    await rename(tobi.id, 'loop_de_tobias');
    const find = async (q: string, token?: string) => namesOf(await get('/users', { q }, token), 'username');
    for (const q of ['loop', '@Loop_de', 'tobias', 'obia', 'tobais', 'loop_de_tobias']) {
      expect([q, await find(q)]).toEqual([q, ['loop_de_tobias']]);
    }
    expect(await find('tobias', viewer.session)).toEqual(['loop_de_tobias']);
    await posts.gateway.ask('PUT', '/users/loop_de_tobias/block', { token: viewer.session });
    expect(await find('tobias', viewer.session)).toEqual([]);
    await posts.database.query(
      `insert into account_restrictions (user_id, state, reason) values ($1, 'suspended', 'Spam.')`,
      [tobi.id],
    );
    expect(await find('tobias')).toEqual([]);
    await posts.database.query('delete from account_restrictions where user_id = $1', [tobi.id]);
    await posts.database.query('update users set deleted_at = now() where id = $1', [tobi.id]);
    expect(await find('tobias')).toEqual([]);
  });

  it('finds tags by a part of their names, and suggests people, tags and safe titles', async () => {
    await list('Kingfisher at the weir', ['kingfishers', 'blue-kingfisher']);
    await list('A late kingfisher');
    await list('Kingfisher, private matters', ['kingsize'], 'nsfw');
    await posts.database.query(
      `update tags set post_count = 1, safe_post_count = case when name = 'kingsize' then 0 else 1 end where name like '%king%'`,
    );
    const tags = async (q: string) => namesOf(await get('/tags', { q, similar: '1' }), 'name');
    expect(await tags('fisher')).toEqual(['blue-kingfisher', 'kingfishers']);
    expect((await tags('kingfsher')).sort()).toEqual(['blue-kingfisher', 'kingfishers']);
    const person = await createPerson(posts.database);
    await posts.database.query(`update users set username = 'kingfisher_fan' where id = $1`, [person.id]);
    await list('１００％ Käse');
    const titles = async (q: string) =>
      ((await get('/search/suggest', { q })).body['data'] as { readonly titles: readonly string[] }).titles;
    expect([await titles('100% kä'), await titles('kase')]).toEqual([['１００％ Käse'], ['１００％ Käse']]);
    expect(await titles('％_％')).toEqual([]);
    expect((await get('/search/suggest', { q: 'KINGFISH' })).body['data']).toEqual({
      users: [{ username: 'kingfisher_fan', avatar: null }],
      tags: [expect.objectContaining({ name: 'kingfishers' })],
      titles: ['Kingfisher at the weir', 'A late kingfisher'],
    });
  });

  it('answers hostile texts quickly, and refuses impossible ones', async () => {
    const texts = [
      ...String.raw`% _ \ %%% ___ a____ \\\ '); "a"<->!b|( a'b\c:*&|! 😀😀😀 مرحبا &&& !!!`.split(' '),
      ...['\u202Eabc', 'a'.repeat(100), 'ab '.repeat(33), '灯'.repeat(100), '﷽'.repeat(100)],
    ];
    for (const q of texts) {
      for (const [path, more] of [
        ['/posts', { similar: '1' }],
        ['/users', {}],
        ['/search/suggest', {}],
      ] as const) {
        expect([path, q, (await get(path, { q, ...more })).status]).toEqual([path, q, 200]);
      }
      expect((await get('/tags', { q: q.slice(0, 50), similar: '1' })).status).toBe(200);
    }
    for (const q of ['a'.repeat(10_000), 'a\0b', 'a\nb']) {
      for (const path of ['/posts', '/users', '/search/suggest']) {
        expect((await get(path, { q, similar: '1' })).status).toBe(422);
      }
    }
    expect((await posts.gateway.ask('GET', '/users')).status).toBe(422);
  });
});
