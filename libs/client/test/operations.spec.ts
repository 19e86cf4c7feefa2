import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { VitrineClient } from '../src/index';
import { ScriptedServer } from './scripted-server';

interface ApiDocument {
  readonly paths: Record<string, Record<string, { readonly operationId: string }>>;
}

const document = JSON.parse(
  readFileSync(resolve(__dirname, '../../../docs/openapi.json'), 'utf8'),
) as ApiDocument;

/** Every operation of the document: its name, and what its requests look like. */
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({
    operationId,
    requests: new RegExp(
      `^${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`,
    ),
  })),
);

/** One call of each method that a client has. */
const calls: ReadonlyArray<(client: VitrineClient) => Promise<unknown>> = [
  (c) => c.openApi(),
  (c) => c.auth.register({ username: 'ada', password: 'correct horse' }),
  (c) => c.auth.login({ login: 'ada', password: 'correct horse' }),
  (c) => c.auth.logout(),
  (c) => c.me.get(),
  (c) => c.me.update({ bio: null }),
  (c) => c.me.changePassword({ current_password: 'a', password: 'b' }),
  (c) => c.me.delete({ password: 'a' }),
  (c) => c.sessions.list(),
  (c) => c.sessions.end(1),
  (c) => c.sessions.endOthers(),
  (c) => c.tokens.list(),
  (c) => c.tokens.create({ name: 'x', current_password: 'secret' }),
  (c) => c.tokens.get(1),
  (c) => c.tokens.revoke(1),
  (c) => c.uploadTickets.create(),
  (c) => c.guest.posts.list(),
  (c) => c.guest.media.list(),
  (c) => c.guest.delete(),
  (c) => c.media.upload(new Blob(['x'])),
  (c) => c.media.list(),
  (c) => c.media.get('aB3dE5f'),
  (c) => c.media.update('aB3dE5f', {}),
  (c) => c.media.delete('aB3dE5f'),
  (c) => c.posts.list(),
  (c) => c.posts.get('aB3dE5f'),
  (c) => c.posts.create({ media_ids: [1] }),
  (c) => c.posts.update('aB3dE5f', {}),
  (c) => c.posts.delete('aB3dE5f'),
  (c) => c.posts.addMedia('aB3dE5f', [1]),
  (c) => c.posts.removeMedia('aB3dE5f', 'aB3dE5g'),
  (c) => c.posts.upvote('aB3dE5f'),
  (c) => c.posts.downvote('aB3dE5f'),
  (c) => c.comments.on('aB3dE5f').list(),
  (c) => c.comments.create('aB3dE5f', { content: 'x' }),
  (c) => c.comments.get(1),
  (c) => c.comments.delete(1),
  (c) => c.comments.upvote(1),
  (c) => c.comments.downvote(1),
  (c) => c.users.get('ada'),
  (c) => c.users.posts('ada').list(),
  (c) => c.users.media('ada').list(),
  (c) => c.users.comments('ada').list(),
  (c) => c.users.followers('ada').list(),
  (c) => c.users.following('ada').list(),
  (c) => c.users.follow('ada'),
  (c) => c.users.unfollow('ada'),
  (c) => c.tags.list(),
  (c) => c.reports.create({ type: 'user', target: 'ada', reason: 'spam' }),
  (c) => c.reports.get(1),
  (c) => c.moderation.queue.list(),
  (c) => c.moderation.decisions.list(),
  (c) => c.moderation.ruleOnMedia('aB3dE5f', { status: 'approved', reason: 'x' }),
  (c) => c.moderation.ruleOnPost('aB3dE5f', { status: 'approved', reason: 'x' }),
  (c) => c.moderation.dismissReports('user', 'ada'),
  (c) => c.moderation.hashes.list(),
  (c) => c.moderation.hashes.get(1),
  (c) => c.moderation.hashes.ban({ hash: 'ab', reason: 'x' }),
  (c) => c.moderation.hashes.unban(1),
];

describe('what the client can ask for', () => {
  let server: ScriptedServer;
  let client: VitrineClient;
  beforeAll(async () => {
    server = await ScriptedServer.start();
    client = new VitrineClient({ baseUrl: `${server.url}/api/v1`, uploadUrl: `${server.url}/api/v1/media` });
  });
  afterAll(() => server.stop());

  it('is every operation of docs/openapi.json, each by one method', async () => {
    server.play(() => ({ body: { data: [], links: { next: null } } }));
    for (const call of calls) await call(client);
    const asked = server.received.map(({ method, url }) => {
      const request = `${method} ${url.replace('/api/v1', '')}`;
      // A fixed path goes before one with a parameter.
      const fitting = operations.filter(({ requests }) => requests.test(request));
      return fitting.map(({ operationId }) => operationId).join('|') || request;
    });
    expect(asked.sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  });

  it('walks through a list by the parameters of links.next, on its own host alone', async () => {
    server.play(({ url }) => {
      const page = Number(new URL(url, server.url).searchParams.get('page') ?? 1);
      const next = `http://elsewhere.example/api/v1/posts?tag=a+b&nsfw=1&seed=7&page=${page + 1}`;
      return {
        body: {
          data: [{ slug: `p${page}a` }, { slug: `p${page}b` }],
          links: { next: page < 3 ? next : null },
          meta: { current_page: page, last_page: 3 },
        },
      };
    });
    const slugs: string[] = [];
    for await (const post of client.posts.iterate({ tag: 'a b', nsfw: true })) slugs.push(post.slug);

    expect(slugs).toEqual(['p1a', 'p1b', 'p2a', 'p2b', 'p3a', 'p3b']);
    expect(server.received.map(({ url }) => url)).toEqual([
      '/api/v1/posts?tag=a+b&nsfw=1',
      '/api/v1/posts?tag=a+b&nsfw=1&seed=7&page=2',
      '/api/v1/posts?tag=a+b&nsfw=1&seed=7&page=3',
    ]);
  });

  it('asks for no page that nobody wants', async () => {
    server.play(() => ({ body: { data: [{ slug: 'a' }, { slug: 'b' }], links: { next: '/x?page=2' } } }));
    for await (const { data } of client.users.posts('ada').pages({ limit: 2 })) {
      expect(data).toHaveLength(2);
      break;
    }
    expect(server.received.map(({ url }) => url)).toEqual(['/api/v1/users/ada/posts?limit=2']);
  });

  it('walks through the media of a post', async () => {
    server.play((_, count) => ({
      body: {
        data: { media: [{ slug: `m${count}` }] },
        links: { next: count < 1 ? '?key=k&mediaPage=2' : null },
      },
    }));
    const slugs: string[] = [];
    for await (const media of client.posts.iterateMedia(12, { key: 'k' })) slugs.push(media.slug);
    expect(slugs).toEqual(['m0', 'm1']);
    expect(server.received.map(({ url }) => url)).toEqual([
      '/api/v1/posts/12?key=k',
      '/api/v1/posts/12?key=k&mediaPage=2',
    ]);
  });

  it('is asked as somebody else by withToken', async () => {
    server.play(() => ({ body: { data: {} } }));
    await client.withToken('vts_y').me.get();
    await client.me.get();
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer vts_y', undefined]);
  });
});
