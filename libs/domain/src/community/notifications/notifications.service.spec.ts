import { randomBytes } from 'node:crypto';
import { Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import type { NewNotification } from './notification.types';
import { NotificationsModule } from './notifications.module';
import { type Decided, NotificationsService } from './notifications.service';

describe('NotificationsService', () => {
  const domain = useDomain([NotificationsModule]);
  let service: NotificationsService;
  let connection: Database;

  beforeAll(() => {
    service = domain.get(NotificationsService);
    connection = domain.get(Database);
  });
  beforeEach(() => domain.dataSource.query('truncate users, posts cascade'));

  const createUser = async (kind = 'member', deletedAt: Date | null = null): Promise<number> => {
    const name = randomBytes(10).toString('hex');
    const [row] = await domain.dataSource.query(
      `insert into users (username, kind, deleted_at, review_after)
       values ($1, $2, $3, case $2 when 'guest' then now() end) returning id`,
      [kind === 'guest' ? `~${name}` : `user_${name}`, kind, deletedAt],
    );
    return row.id;
  };
  const add = (notification: NewNotification): Promise<void> =>
    connection.transaction((tx) => service.add(tx, notification));
  const list = async (userId: number) => (await service.findPage(userId, { page: 1, limit: 250 })).items;

  it('tells nothing to guests, deleted accounts, nobody, and those who caused it', async () => {
    const [ada, guest, gone] = [
      await createUser(),
      await createUser('guest'),
      await createUser('member', new Date()),
    ];
    for (const userId of [guest, gone, null]) await add({ userId, kind: 'follow', actorId: ada });
    await add({ userId: ada, kind: 'comment', actorId: ada });
    expect(await domain.dataSource.query('select 1 from notifications')).toEqual([]);
  });

  it.each([
    ['', 1],
    [`update posts set visibility = 'private', access_key = repeat('k', 32)`, 0],
    [`update posts set moderation_status = 'rejected'`, 0],
    ['update posts set empty = true', 0],
    ['insert into blocks (blocker_id, blocked_id) select user_id, $1 from posts', 0],
    [
      `insert into account_restrictions (user_id, state, reason) select id, 'limited', 'spam' from users where id <> $1`,
      0,
    ],
  ])('tells once of a mention that its receiver may follow: after %j %i', async (change, told) => {
    const [ada, owner, bob] = [await createUser(), await createUser(), await createUser()];
    const [post] = await domain.dataSource.query(
      `insert into posts (slug, user_id) values ('aaaaaaa', $1) returning id`,
      [owner],
    );
    if (change) await domain.dataSource.query(change, change.includes('$1') ? [ada] : []);
    const mention = { userId: ada, kind: 'mention', actorId: bob, postId: post.id } as const;
    await add(mention);
    await add(mention);
    expect(await list(ada)).toHaveLength(told);
  });

  it('hides an announced post that has left the feeds', async () => {
    const [ada, bob] = [await createUser(), await createUser()];
    const [post] = await domain.dataSource.query(
      `insert into posts (slug, user_id, title, listing) values ('aaaaaaa', $1, 'Fog', 'safe') returning id`,
      [bob],
    );
    await service.changeSettings(ada, { post: true });
    await add({ userId: ada, kind: 'post', actorId: bob, postId: post.id });
    expect(await list(ada)).toMatchObject([{ notification: { post: { title: 'Fog' } } }]);
    await domain.dataSource.query(`update posts set listing = 'unlisted'`);
    expect(await list(ada)).toMatchObject([{ notification: { post: null } }]);
  });

  it('notifies of changes of the account, regardless of the settings', async () => {
    const ada = await createUser();
    await Promise.all([
      service.changeSettings(ada, { comment: false, reply: false, mail: 'daily' }),
      service.changeSettings(ada, { follow: false, moderation: false, post: true }),
    ]);
    expect(Object.values(await service.findSettings(ada))).toEqual([
      ...[false, false, true, false, true, false],
      'daily',
    ]);
    const message = 'Your account is limited until 1 May.';
    await add({ userId: ada, kind: 'account', actorId: null, detail: { message } });
    expect(await list(ada)).toMatchObject([
      { actor: null, notification: { kind: 'account', detail: { message } } },
    ]);
    expect(await service.countUnread(ada)).toBe(1);
  });

  it.each<[Pick<Decided, 'from' | 'to' | 'byPerson'>, boolean]>([
    [{ from: 'pending', to: 'approved', byPerson: false }, false],
    [{ from: 'pending', to: 'rejected', byPerson: false }, true],
    [{ from: 'pending', to: 'nsfw', byPerson: false }, true],
    [{ from: 'pending', to: 'pending', byPerson: false }, false],
    [{ from: 'rejected', to: 'approved', byPerson: true }, true],
    [{ from: 'approved', to: 'approved', byPerson: true }, false],
    [{ from: 'rejected', to: 'pending', byPerson: true }, false],
  ])('tells of a decision %j: %s', async (decided, told) => {
    const ada = await createUser();
    await connection.transaction((tx) => service.addDecision(tx, { ownerId: ada, ...decided }));
    expect(await list(ada)).toHaveLength(told ? 1 : 0);
  });

  it('keeps exactly the latest 500 while many transactions add some at once', async () => {
    const [ada, bob] = [await createUser(), await createUser()];
    await domain.dataSource.query(
      `insert into notifications (user_id, kind, actor_id) select $1, 'comment', $2 from generate_series(1, 495)`,
      [ada, bob],
    );
    await Promise.all(Array.from({ length: 40 }, () => add({ userId: ada, kind: 'comment', actorId: bob })));
    await add({ userId: ada, kind: 'comment', actorId: bob });
    const [{ count, lowest }] = await domain.dataSource.query(
      'select count(*)::integer, (min(id) = max(id) - 499) as lowest from notifications',
    );
    expect([count, lowest]).toEqual([500, true]);
  });

  it('is rolled back with its cause', async () => {
    const [ada, bob] = [await createUser(), await createUser()];
    const failing = connection.transaction(async (tx) => {
      await service.add(tx, { userId: ada, kind: 'follow', actorId: bob });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await list(ada)).toEqual([]);
  });

  it('is erased with an account, to and by it', async () => {
    const [ada, bob, eve] = [await createUser(), await createUser(), await createUser()];
    await add({ userId: ada, kind: 'follow', actorId: bob });
    await add({ userId: bob, kind: 'follow', actorId: eve });
    await add({ userId: eve, kind: 'follow', actorId: ada });
    await service.changeSettings(bob, { follow: false });
    while ((await service.eraseNotificationsOf(bob, 1)) > 0);
    expect(await domain.dataSource.query('select user_id from notifications')).toEqual([{ user_id: eve }]);
    expect(await domain.dataSource.query('select 1 from notification_settings')).toEqual([]);
  });
});
