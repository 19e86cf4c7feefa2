import type { Answer } from './gateway';
import { createPerson, type Person } from './people';
import { storeMedia } from './stored';
import { useSharedGateway } from './use-gateway';

describe('blocking and muting over HTTP', () => {
  const api = useSharedGateway();
  let ada: Person;
  let bob: Person;
  let eve: Person;
  let post: string;
  let media: string;

  const ask = (method: string, path: string, who: Person | null, body?: object): Promise<Answer> =>
    api.gateway.ask(method, path, { ...(who && { token: who.session }), ...(body && { body }) });
  const publish = async (owner: Person): Promise<string> => {
    const stored = await storeMedia(api.database, owner);
    media = stored.slug;
    const { body } = await ask('POST', '/posts', owner, { media_ids: [stored.id], tags: ['sky'] });
    return (body['post'] as { slug: string }).slug;
  };
  const comment = async (on: string, who: Person, parent?: number): Promise<number> => {
    const body = { content: 'What a light!', ...(parent !== undefined && { parent_id: parent }) };
    const answer = await ask('POST', `/posts/${on}/comments`, who, body);
    expect(answer.status).toBe(201);
    return (answer.body['comment'] as { id: number }).id;
  };
  const block = async (who: Person, whom: Person): Promise<void> => {
    expect((await ask('PUT', `/users/${whom.username}/block`, who)).status).toBe(200);
  };
  const listed = async (path: string, who: Person | null): Promise<unknown[]> => {
    const { status, body } = await ask('GET', path, who);
    expect(status).toBe(200);
    return body['data'] as unknown[];
  };

  beforeEach(async () => {
    [ada, bob, eve] = [
      await createPerson(api.database),
      await createPerson(api.database),
      await createPerson(api.database),
    ];
    post = await publish(ada);
  });

  // Promise [community]: A blocked account sees the blocker like an account that doesn’t exist.
  it('makes an account unknown to the account that it blocks, byte for byte', async () => {
    await block(ada, bob);
    for (const path of ['', '/posts', '/media', '/comments', '/followers', '/following']) {
      const blocked = await ask('GET', `/users/${ada.username}${path}`, bob);
      const unknown = await ask('GET', `/users/nobody_at_all${path}`, bob);
      expect([blocked.status, blocked.body]).toEqual([404, unknown.body]);
    }
    expect((await ask('POST', `/users/${ada.username}/follow`, bob)).status).toBe(404);
    expect((await ask('GET', `/users/${ada.username}`, null)).status).toBe(200);
  });

  // Promise [community]: A block hides posts and media in both directions, and refuses comments and votes.
  it('makes posts and media 404 in both directions, and refuses comments and votes', async () => {
    const theirs = await publish(bob);
    await block(ada, bob);
    for (const [who, slug] of [
      [bob, post],
      [ada, theirs],
    ] as const) {
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/comments'],
        ['POST', '/comments'],
        ['POST', '/upvote'],
        ['PUT', '/downvote'],
      ] as const) {
        const body = method === 'POST' ? { content: 'Hello' } : undefined;
        const { status } = await ask(method, `/posts/${slug}${path}`, who, body);
        expect([path, status]).toEqual([path, 404]);
      }
    }
    expect((await ask('GET', `/media/${media}`, ada)).status).toBe(404);
    expect(await listed(`/media?slugs=${media}`, ada)).toEqual([]);
    expect(await listed(`/media?slugs=${media}`, eve)).toHaveLength(1);
    expect((await ask('GET', `/posts/${post}`, eve)).status).toBe(200);
  });

  // Promise [community]: Lists leave out blocked accounts, with full pages and exact totals.
  it('leaves the other out of every list, with full pages and exact totals', async () => {
    const theirs = await publish(bob);
    const others = await publish(eve);
    await comment(others, bob);
    const own = await comment(others, ada);
    await ask('POST', `/users/${eve.username}/follow`, bob);
    await ask('POST', `/users/${eve.username}/follow`, ada);
    await block(ada, bob);
    for (const query of ['?limit=2', '?limit=2&tag=sky', '?limit=2&sort=random', '?limit=2&period=day']) {
      const { body } = await ask('GET', `/posts${query}`, ada);
      const slugs = (body['data'] as { slug: string }[]).map(({ slug }) => slug);
      expect(slugs).toHaveLength(2);
      expect(slugs).not.toContain(theirs);
    }
    for (const name of [bob.username, bob.username.toUpperCase()]) {
      expect(await listed(`/posts?username=${name}`, ada)).toEqual([]);
    }
    const comments = await ask('GET', `/posts/${others}/comments`, ada);
    expect(comments.body).toMatchObject({ data: [{ id: own }], meta: { total: 1 } });
    expect(await listed(`/posts/${others}/comments`, eve)).toHaveLength(2);
    expect(await listed(`/users/${eve.username}/followers`, ada)).toMatchObject([{ username: ada.username }]);
  });

  // Promise [community]: Blocked accounts can’t answer or vote on each other’s comments elsewhere.
  it('keeps both from answering and voting on each other’s comments elsewhere', async () => {
    const others = await publish(eve);
    const theirs = await comment(others, bob);
    await block(ada, bob);
    for (const [method, path, status] of [
      ['POST', `/posts/${others}/comments`, 422],
      ['POST', `/comments/${theirs}/upvote`, 404],
      ['GET', `/comments/${theirs}`, 404],
    ] as const) {
      const body = method === 'POST' ? { content: 'Hello', parent_id: theirs } : undefined;
      const answer = await ask(method, path, ada, body);
      expect([path, answer.status]).toEqual([path, status]);
    }
    expect((await ask('DELETE', `/comments/${theirs}`, bob)).status).toBe(200);
  });

  // Promise [community]: Blocks are listed, can be repeated, and can be ended.
  it('is listed, is repeatable, and ends', async () => {
    await block(ada, bob);
    await block(ada, bob);
    expect(await listed('/me/blocks', ada)).toEqual([
      { username: bob.username, avatar: null, since: expect.stringMatching(/Z$/) },
    ]);
    expect((await ask('GET', `/users/${bob.username}`, ada)).body).toMatchObject({
      data: { isBlockedByUser: true, isMutedByUser: false },
    });
    expect((await ask('POST', `/users/${bob.username}/follow`, ada)).status).toBe(403);
    for (let time = 0; time < 2; time++) {
      expect((await ask('DELETE', `/users/${bob.username}/block`, ada)).status).toBe(200);
    }
    expect((await ask('GET', `/posts/${post}`, bob)).status).toBe(200);
    expect((await ask('PUT', `/users/${ada.username}/block`, ada)).status).toBe(422);
    expect((await ask('PUT', '/users/nobody_at_all/block', ada)).status).toBe(404);
  });

  // Promise [community]: A mute hides an account only for the muter.
  it('mutes only for the muter, and not on the muted profile', async () => {
    await comment(post, bob);
    const theirs = await publish(bob);
    expect((await ask('PUT', `/users/${bob.username}/mute`, ada)).status).toBe(200);
    expect(await listed('/me/mutes', ada)).toMatchObject([{ username: bob.username }]);
    expect(await listed(`/posts/${post}/comments`, ada)).toEqual([]);
    expect(await listed('/posts?limit=250', ada)).not.toContainEqual(
      expect.objectContaining({ slug: theirs }),
    );
    expect(await listed(`/users/${bob.username}/posts`, ada)).toMatchObject([{ slug: theirs }]);
    expect((await ask('GET', `/posts/${theirs}`, ada)).status).toBe(200);
    expect(await listed('/posts?limit=250', bob)).toContainEqual(expect.objectContaining({ slug: post }));
    expect((await ask('GET', `/posts/${post}`, bob)).status).toBe(200);
  });

  // Promise [community]: A block hides nothing from staff.
  it('hides nothing from staff', async () => {
    const moderator = await createPerson(api.database, { role: 'moderator' });
    await block(ada, moderator);
    expect((await ask('GET', `/posts/${post}`, moderator)).status).toBe(200);
    expect(await listed('/posts?limit=250', moderator)).toContainEqual(
      expect.objectContaining({ slug: post }),
    );
    const ruling = { status: 'nsfw', reason: 'other' };
    expect((await ask('POST', `/moderation/posts/${post}`, moderator, ruling)).status).toBe(200);
  });
});
