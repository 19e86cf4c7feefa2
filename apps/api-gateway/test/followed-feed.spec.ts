import { usePosts } from './use-posts';

describe('the feed of followed people and tags over HTTP', () => {
  const posts = usePosts();
  const ask = (method: 'GET' | 'POST' | 'DELETE' | 'PUT', path: string) =>
    posts.gateway.ask(method, path, { token: posts.stranger.session });
  const feed = async (query = '') => {
    const { body } = await ask('GET', `/me/feed${query}`);
    const { data, meta } = body as { data: { slug: string }[]; meta: { total: number } };
    return { slugs: data.map(({ slug }) => slug), total: meta.total };
  };

  // Promise [community]: The feed of a member has the posts of the people and tags that the member follows.
  it('has the posts of followed people and of followed tags, until they are unfollowed or muted', async () => {
    const [first, tagged] = [await posts.make(), await posts.make(1, { tags: ['harbour'] })];
    for (const { slug, media } of [first, tagged]) {
      await posts.database.query(`update media set moderation_status = 'approved' where id = $1`, [
        media[0]!.id,
      ]);
      await posts.database.query(
        `update posts set listing = 'safe', moderation_status = 'approved' where slug = $1`,
        [slug],
      );
      await posts.database.query(
        `insert into post_ranks (id, user_id, listing, age, score)
         select id, user_id, 'safe', 0, 0 from posts where slug = $1 on conflict do nothing`,
        [slug],
      );
    }
    await posts.database.query(`update post_tags set listing = 'safe'`);
    expect(await feed()).toEqual({ slugs: [], total: 0 });

    for (let i = 0; i < 2; i++) expect((await ask('POST', '/tags/HARBOUR/follow')).status).toBe(200);
    expect(await feed()).toEqual({ slugs: [tagged.slug], total: 1 });
    expect((await ask('GET', '/me/followed-tags')).body).toMatchObject({
      data: [{ name: 'harbour', followed_at: expect.stringMatching(/Z$/) }],
      meta: { total: 1 },
    });
    expect((await ask('GET', '/tags/Harbour')).body['data']).toMatchObject({
      name: 'harbour',
      post_count: 1,
      isFollowedByUser: true,
    });
    expect((await posts.gateway.ask('GET', '/tags/harbour')).body['data']).toMatchObject({
      isFollowedByUser: false,
    });

    await ask('POST', `/users/${posts.owner.username}/follow`);
    expect(await feed('?limit=1')).toEqual({ slugs: [tagged.slug], total: 2 });
    expect((await feed('?sort=top&period=day')).slugs).toEqual([tagged.slug, first.slug]);
    await ask('PUT', `/users/${posts.owner.username}/mute`);
    expect((await feed()).slugs).toEqual([]);
    await ask('DELETE', `/users/${posts.owner.username}/mute`);
    await ask('DELETE', `/users/${posts.owner.username}/follow`);
    await ask('DELETE', '/tags/harbour/follow');
    expect(await feed()).toEqual({ slugs: [], total: 0 });
  });

  it('tells nobody of a tag of which all posts are private, until one is in the feeds', async () => {
    await posts.make(1, { tags: ['secret'], visibility: 'private' });
    const answers = async () => [
      (await ask('GET', '/tags/secret')).status,
      (await ask('POST', '/tags/secret/follow')).status,
      (await ask('DELETE', '/tags/secret/follow')).status,
    ];
    expect(await answers()).toEqual([404, 404, 404]);
    await posts.database.query(
      `update post_tags set listing = 'nsfw' where tag_id = (select id from tags where name = 'secret')`,
    );
    expect(await answers()).toEqual([200, 200, 200]);
  });

  it('refuses unknown and impossible tags, wrong orders, and more than 1,000 tags', async () => {
    for (const tag of ['nothing', 'a%00b', 'x'.repeat(5000), '%F0%9F%98%80', '%E2%80%AE']) {
      for (const method of ['POST', 'DELETE'] as const) {
        expect((await ask(method, `/tags/${tag}/follow`)).status).toBe(404);
      }
      expect((await ask('GET', `/tags/${tag}`)).status).toBe(404);
    }
    for (const bad of ['sort=random', 'sort=rising', 'period=hour', 'limit=251', 'page=0']) {
      expect((await ask('GET', `/me/feed?${bad}`)).status).toBe(422);
    }
    await posts.database.query(
      `with made as (insert into tags (name, post_count) select 'many-' || n, 1 from generate_series(1, 1001) n returning id, name)
       insert into tag_follows (user_id, tag_id) select $1, id from made where name <> 'many-1001'`,
      [posts.stranger.id],
    );
    expect(await ask('POST', '/tags/many-1001/follow')).toMatchObject({
      status: 422,
      body: { errors: { tag: [expect.any(String)] } },
    });
    expect((await ask('POST', '/tags/many-1000/follow')).status).toBe(200);
  });
});
