import { useDomain, untilBlocked } from '@vitrine/testing';
import {
  DomainError,
  InvalidFieldsError,
  NotFoundError,
  UnauthenticatedError,
} from '../../base/errors/domain-error';
import type { Caller } from '../../base/access/caller';
import { countStatements } from '../../../test/count-statements';
import { insertCaller } from '../../../test/insert-caller';
import { FollowsModule } from './follows.module';
import { FollowsService } from './follows.service';

describe('FollowsService', () => {
  const domain = useDomain([FollowsModule]);
  let service: FollowsService;

  beforeAll(() => {
    service = domain.get(FollowsService);
  });
  beforeEach(() => domain.dataSource.query('truncate users, outbox cascade'));

  const createUser = (): Promise<Caller> => insertCaller(domain.dataSource);
  const counts = async ({ userId }: Caller): Promise<unknown> =>
    (
      await domain.dataSource.query(
        'select follower_count as followers, following_count as following from users where id = $1',
        [userId],
      )
    )[0];
  const namesOf = async (side: 'followers' | 'following', { username }: Caller) => {
    const { follows, total } = await service.findPage(side, username, null, { page: 1, limit: 250 });
    expect(total).toBe(follows.length);
    return follows.map(({ author }) => author.username);
  };
  const events = async (): Promise<unknown[]> =>
    (await domain.dataSource.query('select envelope from outbox order by id')).map(
      ({ envelope }: { envelope: { type: string; data: unknown } }) => [envelope.type, envelope.data],
    );
  /** Marks an account as deleted, as its deletion does first. */
  const markDeleted = ({ userId }: Caller) =>
    domain.dataSource.transaction(async (manager) => {
      await manager.query('select from users where id = $1 for update', [userId]);
      await manager.query('update users set deleted_at = now() where id = $1', [userId]);
    });
  /** The users whose counts differ from their follows. */
  const wrongCounts = (): Promise<unknown[]> =>
    domain.dataSource.query(
      `select id from users u
       where follower_count <> (select count(*) from follows where followee_id = u.id)
          or following_count <> (select count(*) from follows where follower_id = u.id)`,
    );
  const erase = async ({ userId }: Caller, batch: number): Promise<void> => {
    while ((await service.eraseFollowsOf(userId, batch)) > 0);
  };

  it('follows and unfollows, ignoring the case of the username, idempotently', async () => {
    const [ada, bob] = [await createUser(), await createUser()];
    for (const name of [bob.username, bob.username.toUpperCase(), bob.username.toLowerCase()]) {
      await service.follow(name, ada);
    }
    expect(await counts(ada)).toEqual({ followers: 0, following: 1 });
    expect(await counts(bob)).toEqual({ followers: 1, following: 0 });
    expect(await service.isFollowing(ada.userId, bob.userId)).toBe(true);
    expect(await service.isFollowing(bob.userId, ada.userId)).toBe(false);
    expect(await service.isFollowing(null, ada.userId)).toBe(false);
    expect(await events()).toEqual([['user.followed', { follower_id: ada.userId, followee_id: bob.userId }]]);
    await service.unfollow(bob.username.toUpperCase(), ada);
    await service.unfollow(bob.username, ada);
    expect(await counts(ada)).toEqual({ followers: 0, following: 0 });
    expect(await counts(bob)).toEqual({ followers: 0, following: 0 });
    expect(await events()).toHaveLength(1);
  });

  it('rejects deleted, unknown and invalid usernames, and the caller’s own', async () => {
    const [ada, gone] = [await createUser(), await createUser()];
    await markDeleted(gone);
    for (const name of [gone.username, 'nobody', 'a\0b', '']) {
      await expect(service.follow(name, ada)).rejects.toThrow(NotFoundError);
      await expect(service.unfollow(name, ada)).rejects.toThrow(NotFoundError);
      await expect(service.findPage('followers', name, null, { page: 1, limit: 1 })).rejects.toThrow(
        NotFoundError,
      );
    }
    for (const change of [service.follow, service.unfollow]) {
      const refused = change.call(service, ada.username.toLowerCase(), ada);
      await expect(refused).rejects.toMatchObject({ errors: { username: [expect.any(String)] } });
      await expect(refused).rejects.toThrow(InvalidFieldsError);
    }
    await expect(service.follow(ada.username, gone)).rejects.toThrow(UnauthenticatedError);
  });

  it('waits for a deletion in progress and then rejects the username', async () => {
    const [ada, gone] = [await createUser(), await createUser()];
    let attempts: Promise<PromiseSettledResult<void>[]> = Promise.resolve([]);
    await domain.dataSource.transaction(async (manager) => {
      await manager.query('select from users where id = $1 for update', [gone.userId]);
      attempts = Promise.allSettled([service.follow(gone.username, ada), service.follow(ada.username, gone)]);
      await untilBlocked(domain.dataSource, 2);
      await manager.query('update users set deleted_at = now() where id = $1', [gone.userId]);
    });
    expect(
      (await attempts).map((result) => 'reason' in result && (result.reason as object).constructor),
    ).toEqual([NotFoundError, UnauthenticatedError]);
    expect(await wrongCounts()).toEqual([]);
  });

  it('lists pages, the latest first, within a period', async () => {
    const ada = await createUser();
    const fans: Caller[] = [];
    for (let i = 0; i < 5; i++) fans.push(await createUser());
    for (const fan of fans) await service.follow(ada.username, fan);
    const latestFirst = [...fans].reverse().map(({ username }) => username);
    expect(await namesOf('followers', ada)).toEqual(latestFirst);
    expect(await namesOf('following', ada)).toEqual([]);
    expect(await namesOf('following', fans[0]!)).toEqual([ada.username]);
    const second = await service.findPage('followers', ada.username, null, { page: 2, limit: 2 });
    expect(second.follows.map(({ author }) => author.username)).toEqual(latestFirst.slice(2, 4));
    expect(second.total).toBe(5);
    expect(await service.findPage('followers', ada.username, null, { page: 9, limit: 2 })).toEqual({
      follows: [],
      total: 5,
    });
    await domain.dataSource.query(
      `update follows set created_at = now() - interval '8 days' where follower_id = any($1)`,
      [[fans[0]!.userId, fans[1]!.userId]],
    );
    const week = await service.findPage('followers', ada.username, null, {
      page: 1,
      limit: 2,
      period: 'week',
    });
    expect(week.follows.map(({ author }) => author.username)).toEqual(latestFirst.slice(0, 2));
    expect(week.total).toBe(3);
  });

  it('takes the same number of statements for any length of a page', async () => {
    const ada = await createUser();
    for (let i = 0; i < 7; i++) await service.follow(ada.username, await createUser());
    for (const limit of [1, 7]) {
      const read = async () => {
        const { follows } = await service.findPage('followers', ada.username, null, { page: 1, limit });
        expect(follows).toHaveLength(limit);
      };
      expect(await countStatements(read)).toBe(4);
    }
  });

  it('keeps the counts right if everyone follows and unfollows everyone at the same time', async () => {
    const people: Caller[] = [];
    for (let i = 0; i < 8; i++) people.push(await createUser());
    // Round by round: with all at once, the last ones wait for a connection longer than the pool allows on a busy machine.
    for (let round = 0; round < 3; round++) {
      const pairs = people.flatMap((one) => people.map((other) => [one, other] as const));
      await Promise.all(
        pairs
          .filter(([one, other]) => one !== other)
          .map(([one, other]) =>
            (one.userId * 7 + other.userId * 3 + round) % 3 > 0
              ? service.follow(other.username, one)
              : service.unfollow(other.username, one),
          ),
      );
    }
    expect(await wrongCounts()).toEqual([]);
  });

  it('erases an account’s follows in batches while others follow it, and rejects later follows', async () => {
    const gone = await createUser();
    const people: Caller[] = [];
    for (let i = 0; i < 12; i++) people.push(await createUser());
    await Promise.all(
      people.flatMap((other) => [service.follow(gone.username, other), service.follow(other.username, gone)]),
    );
    const going = people.flatMap((other) => [
      service.follow(gone.username, other),
      service.unfollow(gone.username, other),
      service.follow(other.username, gone),
      service.unfollow(other.username, gone),
    ]);
    const erased = markDeleted(gone).then(() => erase(gone, 5));
    for (const result of await Promise.allSettled(going)) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(DomainError);
    }
    await erased;
    expect(
      await domain.dataSource.query('select from follows where follower_id = $1 or followee_id = $1', [
        gone.userId,
      ]),
    ).toEqual([]);
    expect(await wrongCounts()).toEqual([]);
  });
});
