import type { Ask } from './gateway';
import { createPerson } from './people';
import { storeMedia, type StoredMedia } from './stored';
import { dataOf, errorsOf, nameOf, slugsIn, usePosts } from './use-posts';

describe('posts over HTTP', () => {
  const posts = usePosts();
  const { media, patch, get, make } = posts;

  describe('PATCH /posts/<post>', () => {
    // Promise [content]: A change of a post leaves omitted fields, and clears `null` fields.
    it('leaves omitted fields unchanged and clears null fields; by slug or by id', async () => {
      const { id, slug } = await make(1, { title: 'One', description: 'Two', tags: ['sea'] });
      expect((await patch(slug, {})).status).toBe(200);
      expect((await patch(id, { title: null })).status).toBe(200);
      expect(dataOf(await get(slug))).toMatchObject({ title: null, description: 'Two', tags: ['sea'] });
      await patch(slug, { description: null, tags: null });
      expect(dataOf(await get(String(id)))).toMatchObject({ title: null, description: null, tags: [] });
    });

    // Promise [content]: A change returns the visibility, and the access key of a private post.
    it('returns the visibility, and the access key of a private post', async () => {
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

    // Promise [content]: `media_order` must be a permutation of the post’s media.
    it('reorders media if the order is a permutation', async () => {
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

    // Promise [moderation]: The owner sets and clears `is_nsfw` of a post, unless a moderator rejected the
    // post.
    it('lets the owner set and clear nsfw, except on a post that a moderator rejected', async () => {
      const { slug } = await make();
      const listed = async (query: string) => JSON.stringify((await get(query.slice(1))).body).includes(slug);
      const inFeed = async () => {
        const [safe, all] = await Promise.all(
          ['limit=250', 'limit=250&nsfw=1'].map((query) => posts.gateway.ask('GET', `/posts?${query}`)),
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

      const moderator = await createPerson(posts.database, { role: 'moderator' });
      const ruled = await posts.gateway.ask('POST', `/moderation/posts/${slug}`, {
        token: moderator.session,
        body: { status: 'rejected', reason: 'spam' },
      });
      expect(ruled.status).toBe(200);
      for (const is_nsfw of [true, false]) expect((await patch(slug, { is_nsfw })).status).toBe(403);
      expect((await patch(slug, { title: 'still mine' })).status).toBe(200);
      expect(dataOf(await get(slug, { token: posts.token }))).toMatchObject({
        title: 'still mine',
        moderation_status: 'rejected',
      });
      expect((await get(slug)).status).toBe(404);
      expect(await inFeed()).toEqual([false, false]);
    });
  });

  describe('GET /posts/<post>', () => {
    // Promise [content]: `mediaPage` and `perPage` page through the media of a post.
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

    it('shows a viewer’s vote to that viewer only', async () => {
      const { slug, id } = await make();
      const vote = (way: string) =>
        posts.gateway.ask('POST', `/posts/${id}/${way}`, { token: posts.stranger.session });
      const votesSeenBy = async (ask: Ask) => {
        const data = dataOf(await get(slug, ask));
        return [data['isUpvotedByUser'], data['isDownvotedByUser'], data['score']];
      };
      await vote('upvote');
      expect(await votesSeenBy({ token: posts.stranger.session })).toEqual([true, false, 1]);
      expect(await votesSeenBy({ token: posts.token })).toEqual([false, false, 1]);
      expect(await votesSeenBy({})).toEqual([false, false, 1]);
      await vote('downvote');
      expect(await votesSeenBy({ token: posts.stranger.session })).toEqual([false, true, -1]);
      const { body } = await posts.gateway.ask('GET', `/posts?username=${posts.owner.username}&limit=250`, {
        token: posts.stranger.session,
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
        for (const ask of [{}, { token: posts.token }]) {
          const answer = await get(reference, ask);
          expect([answer.status, answer.body]).toEqual([404, { message: 'Not found.' }]);
        }
        expect((await patch(reference, {})).status).toBe(404);
        expect(
          (await posts.gateway.ask('DELETE', `/posts/${reference}`, { token: posts.token })).status,
        ).toBe(404);
      },
    );
  });

  describe('the media of a post', () => {
    const add = (reference: string | number, media_ids: unknown, ask: Ask = { token: posts.token }) =>
      posts.gateway.ask('POST', `/posts/${reference}/media`, { ...ask, body: { media_ids } });
    const remove = (reference: string | number, slug: string, ask: Ask = { token: posts.token }) =>
      posts.gateway.ask('DELETE', `/posts/${reference}/media/${slug}`, ask);

    // Promise [content]: Media can be added to a post and removed from it.
    it('are appended and removed', async () => {
      const { slug, id, media: own } = await make(1);
      const [x, y] = (await media(2)) as [StoredMedia, StoredMedia];
      expect(await add(slug, [y.id, x.id])).toMatchObject({
        status: 200,
        body: { message: expect.any(String) },
      });
      expect(slugsIn(dataOf(await get(slug)))).toEqual([own[0]?.slug, y.slug, x.slug]);
      expect(await remove(id, y.slug)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
      expect(dataOf(await get(slug))).toMatchObject({ media_count: 2 });
      expect((await posts.gateway.ask('GET', `/media/${y.slug}`)).status).toBe(200);
      expect((await remove(slug, y.slug)).status).toBe(404);
      expect((await remove(slug, 'nosuch1')).status).toBe(404);
      expect((await remove(slug, '%00')).status).toBe(404);
    });

    // Promise [content]: A post has 1 to 50 media, all of its owner.
    it('are 1 to 50, each once, all of the owner', async () => {
      const { slug, media: own } = await make(49);
      const [x, y] = (await media(2)) as [StoredMedia, StoredMedia];
      const foreign = await storeMedia(posts.database, posts.stranger);
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

    // Promise [content]: Only the owner changes the media of a post.
    it('can be changed by the owner only', async () => {
      const { slug, media: own } = await make(2);
      const theirs = await storeMedia(posts.database, posts.stranger);
      const name = own[0]?.slug ?? '';
      expect((await add(slug, [theirs.id], {})).status).toBe(401);
      expect((await remove(slug, name, {})).status).toBe(401);
      expect((await add(slug, [theirs.id], { token: posts.stranger.session })).status).toBe(403);
      expect((await remove(slug, name, { token: posts.stranger.session })).status).toBe(403);
      const secret = await make(2, { visibility: 'private' });
      expect((await add(secret.slug, [theirs.id], { token: posts.stranger.session })).status).toBe(404);
    });
  });

  describe('DELETE /posts/<post>', () => {
    // Promise [content]: A deleted post loses comments and votes; its media stay.
    it('deletes the post with its comments and votes, keeps its media, and publishes an event', async () => {
      const { slug, id, media: own } = await make(1, { tags: ['gone'] });
      await posts.gateway.ask('POST', `/posts/${slug}/upvote`, { token: posts.stranger.session });
      await posts.gateway.ask('POST', `/posts/${slug}/comments`, {
        token: posts.stranger.session,
        body: { content: 'Nice' },
      });
      const remove = (ask: Ask) => posts.gateway.ask('DELETE', `/posts/${id}`, ask);
      expect((await remove({})).status).toBe(401);
      expect((await remove({ token: posts.stranger.session })).status).toBe(403);
      expect(
        await remove({ token: posts.token, headers: { 'Content-Type': 'application/json' } }),
      ).toMatchObject({
        status: 200,
        body: { message: expect.any(String) },
      });
      expect((await remove({ token: posts.token })).status).toBe(404);
      expect((await get(slug)).status).toBe(404);
      expect((await posts.gateway.ask('GET', `/media/${own[0]?.slug}`)).status).toBe(200);
      const { rows } = await posts.database.query<{ type: string }>(
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
