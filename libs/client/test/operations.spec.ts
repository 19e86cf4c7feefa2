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

/** Every operation of the document: its name, and a pattern for its requests. */
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({
    operationId,
    requests: new RegExp(
      `^${method.toUpperCase()} ${path
        .replace('{id}', '\\d+')
        .replace(/\{\w+\}/g, '[^/]+')
        .replaceAll('.', '\\.')}$`,
    ),
  })),
);

const PASSKEY = {
  passkey_id: 'a',
  passkey_client_data: 'a',
  passkey_authenticator_data: 'a',
  passkey_signature: 'a',
};

/** One call of each method that a client has, except `posts.upload`, which is another form of `media.upload`. */
const calls: ReadonlyArray<(client: VitrineClient) => Promise<unknown>> = [
  (c) => c.openApi(),
  (c) => c.site(),
  (c) => c.admin.auditLog.list(),
  (c) => c.admin.people.list(),
  (c) => c.admin.work(),
  (c) => c.admin.storage(),
  (c) => c.admin.settings(),
  (c) => c.admin.replayDeadLetters({ queue: 'x' }),
  (c) => c.admin.getPerson('ada'),
  (c) => c.admin.changeRole('ada', { role: 'moderator' }),
  (c) => c.admin.deletePerson('ada', { username: 'ada', reason: 'x' }),
  (c) => c.admin.createResetLink('ada', {}),
  (c) => c.admin.removeSecondFactorsOf('ada', {}),
  (c) => c.admin.sessionsOf('ada'),
  (c) => c.admin.endSessionOf('ada', 1),
  (c) => c.admin.endSessionsOf('ada'),
  (c) => c.admin.tokensOf('ada'),
  (c) => c.admin.revokeTokenOf('ada', 1),
  (c) => c.invites.list(),
  (c) => c.invites.get(1),
  (c) => c.invites.create({ uses: 3 }),
  (c) => c.invites.revoke(1),
  (c) => c.auth.register({ username: 'ada', password: 'correct horse' }),
  (c) => c.auth.apply({ username: 'ada', password: 'correct horse', application: 'x' }),
  (c) => c.auth.login({ login: 'ada', password: 'correct horse' }),
  (c) => c.auth.completeLogin({ pending_login: 'x', code: '123456' }),
  (c) => c.auth.secondFactorOptions({ pending_login: 'x' }),
  (c) => c.auth.passkeyOptions(),
  (c) => c.auth.loginWithPasskey(PASSKEY),
  (c) => c.auth.requestPasswordReset({ login: 'ada' }),
  (c) => c.auth.completePasswordReset({ code: 'x', password: 'correct horse' }),
  (c) => c.auth.verifyEmail({ code: 'x' }),
  (c) => c.auth.startProviderLogin('example'),
  (c) => c.auth.finishProviderLogin('example', { transaction: 'x', parameters: 'x' }),
  (c) => c.auth.registerWithProvider('example', { registration: 'x', username: 'ada' }),
  (c) => c.auth.endSessionsByProvider('example', { logout_token: 'x' }),
  (c) => c.auth.logout(),
  (c) => c.security.get(),
  (c) => c.security.logins(),
  (c) => c.security.beginApp({ current_password: 'a' }),
  (c) => c.security.confirmApp({ code: '123456' }),
  (c) => c.security.removeApp({ code: '123456' }),
  (c) => c.security.beginPasskey({ current_password: 'a' }),
  (c) =>
    c.security.addPasskey({
      name: 'Phone',
      passkey_id: 'a',
      passkey_client_data: 'a',
      passkey_attestation: 'a',
    }),
  (c) => c.security.renamePasskey(1, { name: 'Key' }),
  (c) => c.security.removePasskey(1, { current_password: 'a' }),
  (c) => c.security.replaceRecoveryCodes({ current_password: 'a' }),
  (c) => c.me.get(),
  (c) => c.me.identities(),
  (c) => c.me.linkProvider({ provider: 'example' }),
  (c) => c.me.unlinkProvider(1, {}),
  (c) => c.me.sendEmailVerification(),
  (c) => c.me.update({ bio: null }),
  (c) => c.me.changePassword({ current_password: 'a', password: 'b' }),
  (c) => c.me.delete({ password: 'a' }),
  (c) => c.me.blocks.list(),
  (c) => c.me.mutes.list(),
  (c) => c.me.notifications.list(),
  (c) => c.me.readNotifications(),
  (c) => c.me.readNotification(7),
  (c) => c.me.notificationSettings(),
  (c) => c.me.updateNotificationSettings({ follow: false }),
  (c) => c.me.feed.list(),
  (c) => c.me.followedTags.list(),
  (c) => c.me.media.list(),
  (c) => c.me.changeMedia({ media: ['aB3dE5f'], delete: true }),
  (c) => c.me.adoptGuest('vtg_x'),
  (c) => c.collections.list({ post: 'aB3dE5f' }),
  (c) => c.collections.get('saved'),
  (c) => c.collections.create({ name: 'Fog' }),
  (c) => c.collections.update('aB3dE5f', { visibility: 'hidden' }),
  (c) => c.collections.delete('aB3dE5f'),
  (c) => c.collections.posts('saved').list(),
  (c) => c.collections.add('saved', 'aB3dE5f'),
  (c) => c.collections.remove('saved', 'aB3dE5f'),
  (c) => c.suggest('fog'),
  (c) => c.tags.get('fog'),
  (c) => c.tags.follow('fog'),
  (c) => c.tags.unfollow('fog'),
  (c) => c.users.search('ada').list(),
  (c) => c.posts.neighbours('aB3dE5f'),
  (c) => c.posts.statistics('aB3dE5f'),
  (c) => c.media.uploadFromUrl('https://example.org/fog.jpg'),
  (c) => c.users.block('ada'),
  (c) => c.users.unblock('ada'),
  (c) => c.users.mute('ada'),
  (c) => c.users.unmute('ada'),
  (c) => c.sessions.list(),
  (c) => c.sessions.end(1),
  (c) => c.sessions.endOthers({}),
  (c) => c.tokens.list(),
  (c) => c.tokens.create({ name: 'x', current_password: 'secret' }),
  (c) => c.tokens.get(1),
  (c) => c.tokens.revoke(1),
  (c) => c.tokens.revokeCurrent(),
  (c) => c.webhooks.list(),
  (c) => c.webhooks.get(1),
  (c) => c.webhooks.create({ url: 'https://hooks.test/', events: ['post.created'] }),
  (c) => c.webhooks.update(1, { active: false }),
  (c) => c.webhooks.delete(1),
  (c) => c.webhooks.rotateSecret(1),
  (c) => c.webhooks.deliveries(1).list(),
  (c) => c.webhooks.getDelivery(1, 1),
  (c) => c.webhooks.test(1),
  (c) => c.webhooks.repeat(1, 1),
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
  (c) => c.posts.vote('aB3dE5f', 'up'),
  (c) => c.posts.vote('aB3dE5f', 'down'),
  (c) => c.posts.removeVote('aB3dE5f', 'up'),
  (c) => c.posts.removeVote('aB3dE5f', 'down'),
  (c) => c.comments.on('aB3dE5f').list(),
  (c) => c.comments.create('aB3dE5f', { content: 'x' }),
  (c) => c.comments.get(1),
  (c) => c.comments.update(1, { content: 'y' }),
  (c) => c.comments.delete(1),
  (c) => c.comments.upvote(1),
  (c) => c.comments.downvote(1),
  (c) => c.comments.vote(1, 'up'),
  (c) => c.comments.vote(1, 'down'),
  (c) => c.comments.removeVote(1, 'up'),
  (c) => c.comments.removeVote(1, 'down'),
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
  (c) => c.moderation.getUser('ada'),
  (c) => c.moderation.ruleOnUser('ada', { state: 'limited', reason: 'x' }),
  (c) => c.moderation.applications.list(),
  (c) => c.moderation.decideApplication('ada', { decision: 'accept' }),
  (c) => c.moderation.dismissReports('user', 'ada'),
  (c) => c.admin.changeQuota('ada', { files: 9 }),
  (c) => c.auth.proofOfWork('register'),
  (c) => c.moderation.hashes.list(),
  (c) => c.moderation.hashes.get(1),
  (c) => c.moderation.hashes.ban({ hash: 'ab', reason: 'x' }),
  (c) => c.moderation.hashes.unban(1),
];

describe('the operations of the client', () => {
  let server: ScriptedServer;
  let client: VitrineClient;
  beforeAll(async () => {
    server = await ScriptedServer.start();
    client = new VitrineClient({ baseUrl: `${server.url}/api/v1`, uploadUrl: `${server.url}/api/v1/media` });
  });
  afterAll(() => server.stop());

  it('cover docs/openapi.json, with one method for each operation', async () => {
    server.play(() => ({ body: { data: [], links: { next: null } } }));
    for (const call of calls) await call(client);
    const asked = server.received.map(({ method, url }) => {
      const request = `${method} ${url.replace('/api/v1', '').replace(/\?.*/, '')}`;
      // A fixed path takes precedence over one with a parameter.
      const fitting = operations.filter(({ requests }) => requests.test(request));
      return fitting.map(({ operationId }) => operationId).join('|') || request;
    });
    expect(asked.sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  });

  it('iterate a list by the parameters of links.next, on the configured host only', async () => {
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

  it('request no page that is not read', async () => {
    server.play(() => ({ body: { data: [{ slug: 'a' }, { slug: 'b' }], links: { next: '/x?page=2' } } }));
    for await (const { data } of client.users.posts('ada').pages({ limit: 2 })) {
      expect(data).toHaveLength(2);
      break;
    }
    expect(server.received.map(({ url }) => url)).toEqual(['/api/v1/users/ada/posts?limit=2']);
  });

  it('iterate the media of a post', async () => {
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

  it('use another token after withToken', async () => {
    server.play(() => ({ body: { data: {} } }));
    await client.withToken('vts_y').me.get();
    await client.me.get();
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer vts_y', undefined]);
  });
});
