import type { Answer } from './gateway';
import { createPerson, type Person } from './people';
import { storeMedia } from './stored';
import { useSharedGateway } from './use-gateway';

interface Notification {
  readonly id: number;
  readonly kind: string;
  readonly read: boolean;
  readonly user: { readonly username: string } | null;
}

describe('notifications over HTTP', () => {
  const api = useSharedGateway();
  let ada: Person;
  let bob: Person;
  let post: string;

  const ask = (method: string, path: string, who: Person, body?: object): Promise<Answer> =>
    api.gateway.ask(method, path, { token: who.session, ...(body && { body }) });
  const done = async (method: string, path: string, who: Person, body?: object): Promise<Answer['body']> => {
    const answer = await ask(method, path, who, body);
    expect([path, answer.status]).toEqual([path, answer.status < 300 ? answer.status : 200]);
    return answer.body;
  };
  const comment = async (on: string, who: Person, parent?: number): Promise<number> => {
    const body = { content: 'What a light!', ...(parent !== undefined && { parent_id: parent }) };
    return ((await done('POST', `/posts/${on}/comments`, who, body))['comment'] as { id: number }).id;
  };
  const list = async (who: Person, query = ''): Promise<readonly Notification[]> =>
    (await done('GET', `/me/notifications${query}`, who))['data'] as Notification[];
  const kinds = async (who: Person): Promise<readonly string[]> => (await list(who)).map(({ kind }) => kind);
  const unread = async (who: Person): Promise<unknown> =>
    (await done('GET', '/me', who))['unread_notifications'];

  beforeEach(async () => {
    [ada, bob] = [await createPerson(api.database), await createPerson(api.database)];
    const media = await storeMedia(api.database, ada);
    const made = await done('POST', '/posts', ada, { media_ids: [media.id], title: 'Dusk' });
    post = (made['post'] as { slug: string }).slug;
  });

  // Promise [community]: People are notified of comments, replies and follows of others.
  it('tell of comments, replies and follows of others, not of the receiver’s own', async () => {
    const first = await comment(post, bob);
    await comment(post, ada, first);
    await comment(post, ada);
    await done('POST', `/users/${ada.username}/follow`, bob);
    await done('POST', `/users/${ada.username}/follow`, bob);

    expect(await list(ada)).toEqual([
      expect.objectContaining({ kind: 'follow', user: { username: bob.username, avatar: null }, post: null }),
      {
        id: expect.any(Number),
        kind: 'comment',
        read: false,
        created_at: expect.stringMatching(/Z$/),
        user: { username: bob.username, avatar: null },
        post: { slug: post, title: 'Dusk' },
        media: null,
        comment: { id: first, content: 'What a light!' },
        moderation_status: null,
        message: null,
      },
    ]);
    expect(await kinds(bob)).toEqual(['reply']);
    expect([await unread(ada), await unread(bob)]).toEqual([2, 1]);
  });

  it('tell of mentions in comments and descriptions, once in each, and of none where they can’t be followed', async () => {
    const eve = await createPerson(api.database);
    const content = `@${eve.username} @${ada.username}, look!`;
    const { comment: made } = (await done('POST', `/posts/${post}/comments`, bob, { content })) as {
      comment: { id: number };
    };
    const change = (text: string) => done('PATCH', `/comments/${made.id}`, bob, { content: text });
    await change('Nothing.');
    await change(content);
    const describe = (of: string, visibility: string) =>
      done('PATCH', `/posts/${of}`, ada, { visibility, description: content });
    await describe(post, 'private');
    expect([await kinds(eve), await kinds(ada)]).toEqual([['mention'], ['comment']]);
    await done('PATCH', `/posts/${post}`, ada, { description: null });
    await describe(post, 'hidden');
    expect(await kinds(eve)).toEqual(['mention', 'mention']);
  });

  it('tell one person once of a reply on their own post', async () => {
    const own = await comment(post, ada);
    await comment(post, bob, own);
    expect(await kinds(ada)).toEqual(['reply']);
  });

  // Promise [community]: Notifications are marked as read one by one, up to one, or all.
  it('are marked as read one by one, up to one, and all, idempotently and only by their receiver', async () => {
    for (let count = 0; count < 3; count++) await comment(post, bob);
    const [latest, middle, oldest] = (await list(ada)) as [Notification, Notification, Notification];
    expect((await ask('PUT', `/me/notifications/${middle.id}/read`, bob)).status).toBe(404);
    expect((await ask('PUT', '/me/notifications/0/read', ada)).status).toBe(404);
    for (let time = 0; time < 2; time++) await done('PUT', `/me/notifications/${middle.id}/read`, ada);
    expect((await list(ada)).map(({ read }) => read)).toEqual([false, true, false]);
    await done('PUT', `/me/notifications/read?up_to=${oldest.id}`, ada);
    const { body } = await ask('GET', '/me/notifications?unread=1', ada);
    expect(body).toMatchObject({ data: [{ id: latest.id }], meta: { total: 1 }, unread: 1 });
    await done('PUT', '/me/notifications/read', bob);
    expect(await unread(ada)).toBe(1);
    await done('PUT', '/me/notifications/read', ada);
    expect(await unread(ada)).toBe(0);
    expect(await list(ada)).toHaveLength(3);
  });

  // Promise [community]: A notification is removed with its cause.
  it('go with their cause: a comment, a follow, a post, an account', async () => {
    const carol = await createPerson(api.database);
    const gone = await comment(post, bob);
    const answered = await comment(post, bob);
    await comment(post, carol, answered);
    await done('POST', `/users/${ada.username}/follow`, bob);
    await done('DELETE', `/comments/${gone}`, bob);
    // It stays as a tombstone, because it has a reply.
    await done('DELETE', `/comments/${answered}`, bob);
    await done('DELETE', `/users/${ada.username}/follow`, bob);
    expect((await list(ada)).map(({ user }) => user?.username)).toEqual([carol.username]);
    expect(await kinds(bob)).toEqual(['reply']);
    await done('DELETE', `/posts/${post}`, ada);
    expect([await kinds(ada), await kinds(bob)]).toEqual([[], []]);
  });

  // Promise [community]: Blocked and muted accounts cause no notifications.
  it('come from nobody who is blocked or muted, and those from before go', async () => {
    await comment(post, bob);
    await done('PUT', `/users/${bob.username}/mute`, ada);
    await comment(post, bob);
    await done('POST', `/users/${ada.username}/follow`, bob);
    expect(await list(ada)).toEqual([]);
    await done('DELETE', `/users/${bob.username}/mute`, ada);
    await comment(post, bob);
    expect(await list(ada)).toHaveLength(1);
    await done('PUT', `/users/${ada.username}/block`, bob);
    expect(await list(ada)).toEqual([]);
  });

  // Promise [community]: Kinds of notifications can be turned off.
  it('are turned off by kind', async () => {
    await done('PATCH', '/me/notification-settings', ada, { comment: false });
    const answer = await done('PATCH', '/me/notification-settings', ada, { follow: false });
    expect(answer).toMatchObject({
      data: { comment: false, reply: true, follow: false, moderation: true, post: false },
    });
    expect(await done('GET', '/me/notification-settings', ada)).toEqual(answer);
    const own = await comment(post, ada);
    await comment(post, bob);
    await comment(post, bob, own);
    await done('POST', `/users/${ada.username}/follow`, bob);
    expect(await kinds(ada)).toEqual(['reply']);
    expect((await ask('PATCH', '/me/notification-settings', ada, { comment: 'often' })).status).toBe(422);
  });

  // Promise [community]: Owners are notified of rulings, without the moderator’s name.
  it('tell of a moderator’s ruling, without naming the moderator', async () => {
    const moderator = await createPerson(api.database, { role: 'moderator' });
    const media = await storeMedia(api.database, ada);
    for (const path of [`/moderation/posts/${post}`, `/moderation/media/${media.slug}`]) {
      await done('POST', path, moderator, { status: 'rejected', reason: 'other' });
      await done('POST', path, moderator, { status: 'rejected', reason: 'other' });
    }
    expect(await list(ada)).toEqual([
      expect.objectContaining({
        kind: 'moderation',
        user: null,
        media: { slug: media.slug },
        post: null,
        moderation_status: 'rejected',
      }),
      expect.objectContaining({ kind: 'moderation', media: null, post: { slug: post, title: 'Dusk' } }),
    ]);
  });

  // Promise [community]: The latest 500 notifications of each kind are kept.
  it('are kept up to 500 of each kind, so that many comments don’t remove notices about the account', async () => {
    await api.database.query(`insert into notifications (user_id, kind) values ($1, 'account')`, [ada.id]);
    await api.database.query(
      `insert into notifications (user_id, kind, actor_id, post_id)
       select $1, 'comment', $2, (select id from posts where slug = $3) from generate_series(1, 510)`,
      [ada.id, bob.id, post],
    );
    await comment(post, bob);
    const { body } = await ask('GET', '/me/notifications', ada);
    expect(body).toMatchObject({ meta: { total: 501 }, unread: 501 });
    expect((await list(ada, '?limit=1'))[0]).toMatchObject({ comment: { content: 'What a light!' } });
  });
});
