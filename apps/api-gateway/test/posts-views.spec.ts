import { withinSeconds } from '@vitrine/testing';
import { Client } from 'pg';
import { type Gateway, startGateway } from './gateway';
import { createPerson, type Person } from './people';
import { storeMedia } from './stored';

describe('views of posts', () => {
  let gateway: Gateway;
  let database: Client;
  let owner: Person;

  beforeAll(async () => {
    gateway = await startGateway();
    database = new Client({ connectionString: gateway.database.url });
    await database.connect();
    owner = await createPerson(database);
  });
  afterAll(async () => {
    await database.end();
    await gateway.stop();
  });

  const make = async (fields: object = {}): Promise<{ slug: string; id: number; access_key?: string }> => {
    const { id } = await storeMedia(database, owner);
    const { body } = await gateway.ask('POST', '/posts', {
      token: owner.session,
      body: { media_ids: [id], ...fields },
    });
    return body['post'] as { slug: string; id: number; access_key?: string };
  };
  const viewsOf = async (id: number): Promise<number> => {
    const { rows } = await database.query<{ views: number }>(
      'select view_count::integer as views from posts where id = $1',
      [id],
    );
    return rows[0]?.views ?? -1;
  };

  // Promise [content]: Every GET of a post counts as a view, except the owner’s, and is shown within five
  // seconds.
  it('are counted for every GET except the owner’s, and shown within five seconds', async () => {
    const { slug, id } = await make();
    const secret = await make({ visibility: 'private' });
    const stranger = await createPerson(database);
    const moderator = await createPerson(database, { role: 'moderator' });
    for (const token of [owner.session, await owner.mintToken()]) {
      await gateway.ask('GET', `/posts/${slug}`, { token });
      await gateway.ask('GET', `/posts/${secret.slug}`, { token });
    }
    await gateway.ask('GET', `/posts/${slug}`);
    await gateway.ask('GET', `/posts/${id}?mediaPage=2`);
    await gateway.ask('GET', `/posts/${slug}`, { token: stranger.session });
    await gateway.ask('GET', `/posts/${slug}`, { token: moderator.session });
    // Refused requests and requests for missing posts count no view.
    await gateway.ask('GET', `/posts/${secret.slug}`);
    await gateway.ask('GET', `/posts/${secret.slug}?key=${secret.access_key}`);
    await gateway.ask('GET', '/posts/nosuch1');
    await gateway.ask('HEAD', `/posts/${slug}`);
    for (const headers of <Record<string, string>[]>[
      { 'Sec-Purpose': 'prefetch' },
      { 'Sec-Purpose': 'prefetch;prerender' },
      { Purpose: 'prefetch' },
    ]) {
      const ahead = await gateway.ask('GET', `/posts/${slug}`, { headers });
      expect(ahead.status).toBe(200);
    }
    await gateway.ask('GET', '/posts?limit=250');
    await withinSeconds(5, async () => {
      const { body } = await gateway.ask('GET', `/posts/${slug}`, { token: owner.session });
      expect(body['data']).toMatchObject({ view_count: 4 });
      expect(await viewsOf(secret.id)).toBe(1);
    });
  });

  // Promise [content]: A clean stop loses no views.
  it('are not lost on a clean stop, even for current requests', async () => {
    const { slug, id } = await make();
    const asked = Array.from({ length: 40 }, () => gateway.ask('GET', `/posts/${slug}`));
    await Promise.all(asked);
    expect(await gateway.service.stop()).toBe(0);
    expect(await viewsOf(id)).toBe(40);
  });
});
