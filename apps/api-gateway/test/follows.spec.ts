import type { Answer } from './gateway';
import { createPerson, type Person } from './people';
import { useSharedGateway } from './use-gateway';

describe('follows over HTTP', () => {
  const api = useSharedGateway();
  let ada: Person;
  let bob: Person;

  beforeEach(async () => {
    [ada, bob] = [await createPerson(api.database), await createPerson(api.database)];
  });

  const follow = (method: 'POST' | 'DELETE', username: string, token?: string): Promise<Answer> =>
    api.gateway.ask(method, `/users/${username}/follow`, { ...(token !== undefined && { token }) });
  const list = async (side: 'followers' | 'following', username: string, query = '') =>
    (await api.gateway.ask('GET', `/users/${username}/${side}${query}`)).body as {
      data: { username: string; avatar: string | null; followed_at: string }[];
      links: Record<string, string | null>;
      meta: Record<string, unknown>;
    };

  // Promise [community]: Following and unfollowing are idempotent.
  it('follows and unfollows idempotently', async () => {
    for (let i = 0; i < 2; i++) {
      expect(await follow('POST', ada.username.toUpperCase(), bob.session)).toMatchObject({
        status: 200,
        body: { message: expect.any(String) },
      });
    }
    const { data, meta } = await list('followers', ada.username.toUpperCase());
    expect(data).toEqual([
      { username: bob.username, avatar: null, followed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) },
    ]);
    expect(meta).toMatchObject({ total: 1, from: 1, to: 1, last_page: 1 });
    expect((await list('following', bob.username)).data).toMatchObject([{ username: ada.username }]);
    expect((await list('following', ada.username)).meta).toMatchObject({
      total: 0,
      from: null,
      last_page: 1,
    });
    for (let i = 0; i < 2; i++) {
      expect(await follow('DELETE', ada.username, bob.session)).toMatchObject({
        status: 200,
        body: { message: expect.any(String) },
      });
    }
    expect((await list('followers', ada.username)).data).toEqual([]);
  });

  // Promise [community]: Nobody can follow themselves.
  it('refuses following yourself with an error on `username`', async () => {
    for (const method of ['POST', 'DELETE'] as const) {
      const answer = await follow(method, ada.username.toUpperCase(), ada.session);
      expect(answer).toMatchObject({
        status: 422,
        body: { message: expect.any(String), errors: { username: [expect.any(String)] } },
      });
    }
  });

  it('requires a token with the scope write', async () => {
    const reader = await bob.mintToken({ scopes: ['read', 'upload'] });
    for (const method of ['POST', 'DELETE'] as const) {
      expect((await follow(method, ada.username)).status).toBe(401);
      expect((await follow(method, ada.username, reader)).status).toBe(403);
    }
    expect((await list('followers', ada.username)).data).toEqual([]);
  });

  it('answers 404 for a deleted, unknown or invalid username', async () => {
    const gone = await createPerson(api.database);
    await api.database.query('update users set deleted_at = now() where id = $1', [gone.id]);
    for (const name of [
      gone.username,
      'nobody_here',
      'a%00b',
      '%F0%9F%98%80',
      'x'.repeat(5000),
      "'%22%3B--",
    ]) {
      expect((await follow('POST', name, bob.session)).status).toBe(404);
      expect((await follow('DELETE', name, bob.session)).status).toBe(404);
      for (const side of ['followers', 'following']) {
        expect((await api.gateway.ask('GET', `/users/${name}/${side}`)).status).toBe(404);
      }
    }
  });

  // Promise [community]: Followers and followed accounts are listed newest first.
  it('lists in pages, newest first, and keeps the parameters in the links', async () => {
    const fans: string[] = [];
    for (let i = 0; i < 5; i++) {
      const fan = await createPerson(api.database);
      await follow('POST', ada.username, fan.session);
      fans.unshift(fan.username);
    }
    const seen: string[] = [];
    let query: string | null = '?limit=2&sort=latest&period=all&nsfw=1&theme=dark';
    while (query !== null) {
      const { data, links, meta } = await list('followers', ada.username, query);
      expect(meta).toMatchObject({
        total: 5,
        per_page: 2,
        last_page: 3,
        path: `https://api.example.org/api/v1/users/${ada.username}/followers`,
      });
      seen.push(...data.map((item) => item.username));
      expect(links['first']).toContain('theme=dark');
      query = links['next'] ? new URL(links['next']).search : null;
    }
    expect(seen).toEqual(fans);
    await api.database.query(
      `update follows set created_at = now() - interval '2 days'
       where follower_id = (select id from users where username = $1)`,
      [fans[4]],
    );
    const today = await list('followers', ada.username, '?period=day&limit=250');
    expect(today.data.map((item) => item.username)).toEqual(fans.slice(0, 4));
    expect(today.meta).toMatchObject({ total: 4 });
    expect((await list('followers', ada.username, '?page=99')).meta).toMatchObject({ total: 5, from: null });
    for (const bad of ['limit=0', 'limit=251', 'limit=x', 'page=0', 'sort=random', 'period=hour', 'limit=']) {
      expect((await api.gateway.ask('GET', `/users/${ada.username}/followers?${bad}`)).status).toBe(422);
    }
  });
});
