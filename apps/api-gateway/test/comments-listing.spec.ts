import { createPerson, type Person } from './people';
import { as, ids, KEY, type Page, type Post, useComments } from './use-comments';

describe('lists of comments over HTTP', () => {
  const setup = useComments();
  const { createPost, write, comment, list } = setup;

  // Promise [community]: Comments are listed oldest first, latest first or by score, in pages, with the
  // viewer’s votes.
  it('lists comments and replies in each order, in pages, with the viewer’s votes', async () => {
    const post = await createPost();
    const [a, b, c] = [
      await comment(post, setup.ada),
      await comment(post, setup.ada),
      await comment(post, setup.bob),
    ];
    const reply = await comment(post, setup.bob, a);
    await setup.gateway.ask('POST', `/comments/${b}/upvote`, as(setup.bob));
    await setup.gateway.ask('POST', `/comments/${c}/downvote`, as(setup.bob));
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
    expect((await list(post, '', setup.bob)).data).toMatchObject([
      { isUpvotedByUser: false, isDownvotedByUser: false },
      { isUpvotedByUser: true, isDownvotedByUser: false, score: 1 },
      { isUpvotedByUser: false, isDownvotedByUser: true, score: -1 },
      { id: reply },
    ]);
    expect((await list(post)).data[1]).toMatchObject({ isUpvotedByUser: false, score: 1 });
    const blind = await setup.bob.mintToken({ scopes: ['write'] });
    const unread = await setup.gateway.ask('GET', `/posts/${post.slug}/comments`, { token: blind });
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
      expect((await setup.gateway.ask('GET', `/posts/${post.slug}/comments?${bad}`)).status).toBe(422);
    }
  });

  it('shows comments to those who can see the post', async () => {
    const [hidden, secret, rejected] = [
      await createPost({ visibility: 'hidden' }),
      await createPost({ visibility: 'private' }),
      await createPost({ status: 'rejected' }),
    ];
    const reading = async (post: Post | string, person?: Person, query = '') =>
      (
        await setup.gateway.ask(
          'GET',
          `/posts/${typeof post === 'string' ? post : post.slug}/comments${query}`,
          as(person),
        )
      ).status;
    expect(await reading(hidden)).toBe(200);
    expect((await write(hidden.slug, setup.ada)).status).toBe(201);

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
      expect(await reading(secret, setup.ada, query)).toBe(404);
      expect((await write(secret.slug, setup.ada, undefined, query)).status).toBe(404);
      expect((await write(secret.id, setup.ada, undefined, query)).status).toBe(404);
    }
    for (const person of [setup.owner, setup.moderator]) expect(await reading(secret, person)).toBe(200);
    expect(await reading(secret, undefined, `?key=${KEY}`)).toBe(200);
    expect((await write(secret.slug, setup.owner)).status).toBe(201);
    expect((await write(secret.slug, setup.moderator)).status).toBe(403);
    expect((await write(secret.slug, setup.ada, undefined, `?key=${KEY}`)).status).toBe(201);
    const page = await list(secret, `?key=${KEY}&limit=1`);
    expect(page.links['next']).toContain(`key=${KEY}`);

    expect(await reading(rejected)).toBe(404);
    expect(await reading(rejected, setup.ada)).toBe(404);
    expect((await write(rejected.slug, setup.ada)).status).toBe(404);
    for (const person of [setup.owner, setup.moderator]) expect(await reading(rejected, person)).toBe(200);
    for (const unknown of ['nosuch1', '999999999', '0', '%00', 'x'.repeat(3000)]) {
      expect(await reading(unknown)).toBe(404);
      expect((await write(unknown, setup.ada)).status).toBe(404);
    }
    expect(setup.gateway.service.output()).not.toContain(KEY);
  });

  // Promise [visibility]: Comments on posts that the viewer can’t find are not in a user’s list.
  it('omits comments on posts that the viewer can’t find from a user’s list', async () => {
    const writer = await createPerson(setup.database);
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
    await setup.database.query(`update posts set moderation_status = 'rejected' where id = $1`, [
      posts.rejected.id,
    ]);
    const found = async (person?: Person, query = '') => {
      const name = writer.username.toUpperCase();
      const { status, body } = await setup.gateway.ask<Page>(
        'GET',
        `/users/${name}/comments${query}`,
        as(person),
      );
      expect(status).toBe(200);
      const { data, meta } = body;
      expect(meta['total']).toBe(data.length);
      return data.map(({ post }) => post?.slug);
    };
    for (const person of [undefined, setup.ada, setup.moderator]) {
      expect(await found(person)).toEqual([posts.approved.slug]);
      expect(await found(person, '?nsfw=1&sort=latest&period=all')).toEqual([
        posts.nsfw.slug,
        posts.approved.slug,
      ]);
    }
    const all = ['rejected', 'private', 'hidden', 'nsfw', 'approved'] as const;
    expect(await found(writer)).toEqual(all.map((name) => posts[name].slug));
    const own = await setup.gateway.ask<Page>('GET', `/users/${writer.username}/comments`, as(writer));
    expect(own.body.data.map(({ post }) => post?.title)).toEqual([
      ...[null, null],
      ...['A title', 'A title', 'A title'],
    ]);
    const blind = await writer.mintToken({ scopes: ['write'] });
    const { body } = await setup.gateway.ask('GET', `/users/${writer.username}/comments`, { token: blind });
    expect(body['data']).toMatchObject([
      { content: 'Nice.', post: { slug: posts.approved.slug, title: 'A title' } },
    ]);
    await setup.database.query(
      `update comments set created_at = now() - interval '2 days' where post_id = $1`,
      [posts.approved.id],
    );
    expect(await found(undefined, '?period=day')).toEqual([]);
    expect(await found(undefined, '?period=week')).toEqual([posts.approved.slug]);
    for (const bad of ['sort=top', 'period=hour', 'nsfw=2', 'limit=251']) {
      expect((await setup.gateway.ask('GET', `/users/${writer.username}/comments?${bad}`)).status).toBe(422);
    }
    for (const name of ['nobody_here', '%00', 'x'.repeat(3000)]) {
      expect((await setup.gateway.ask('GET', `/users/${name}/comments`)).status).toBe(404);
    }
  });
});
