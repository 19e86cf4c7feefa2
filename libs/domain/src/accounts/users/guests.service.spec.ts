import { Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import {
  InvalidFieldsError,
  NotFoundError,
  TooManyRequestsError,
  UnauthenticatedError,
} from '../../base/errors/domain-error';
import { randomSlug } from '../../base/identifiers/slug';
import type { Caller } from '../../base/access/caller';
import { TokensService } from '../../sign-in/tokens/tokens.service';
import { RegistrationService } from '../admission/registration.service';
import { AuthorsService } from '../authors/authors.service';
import { AccountErasure } from '../deletion/account-erasure';
import { AccountAdministration } from '../administration/account-administration.service';
import { sessionOf } from '../../../test/session-of';
import { LoginsModule } from '../../sign-in/logins/logins.module';
import { LoginsService } from '../../sign-in/logins/logins.service';
import { UsersService } from './users.service';
import { GuestsService } from './guests.service';
import { AdministrationModule } from '../administration/administration.module';

const always = () => true;

describe('GuestsService', () => {
  const domain = useDomain([AdministrationModule, LoginsModule]);
  let guests: GuestsService;
  let tokens: TokensService;

  beforeAll(() => {
    guests = domain.get(GuestsService);
    tokens = domain.get(TokensService);
  });
  beforeEach(() => query('truncate users, media, posts, outbox cascade'));

  const query = <Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(sql, values);
  const welcome = async (address = '192.0.2.1'): Promise<{ caller: Caller; ticket: string }> => {
    const { secret, ticket } = await guests.welcome(address);
    return { caller: (await tokens.authenticate(secret))!, ticket: ticket.secret };
  };
  const addMedia = (userId: number) =>
    query(
      `insert into media (slug, user_id, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256)
       values ($1, $2, 'image', 'jpeg', 'image/jpeg', 'jpg', 1, 1, 1, sha256('a'), sha256('b'))`,
      [randomSlug(), userId],
    );
  const addPost = (userId: number) =>
    query('insert into posts (slug, user_id) values ($1, $2)', [randomSlug(), userId]);
  /** Lets time pass for guests and their tokens. */
  const age = (interval: string) =>
    Promise.all([
      query('update users set review_after = review_after - $1::interval', [interval]),
      query('update tokens set expires_at = expires_at - $1::interval', [interval]),
    ]);
  const living = async (): Promise<number[]> =>
    (await query<{ id: number }>('select id from users where deleted_at is null order by id')).map(
      ({ id }) => id,
    );

  it('creates a guest with a token and a ticket, and nothing else', async () => {
    const { caller, ticket } = await welcome();
    expect(caller).toEqual({
      userId: expect.any(Number),
      username: expect.stringMatching(/^~[0-9a-f]{20}$/),
      role: 'user',
      isGuest: true,
      tokenId: expect.any(Number),
      kind: 'guest',
      scopes: ['read', 'write'],
    });
    expect(await tokens.authenticate(ticket)).toMatchObject({
      userId: caller.userId,
      isGuest: true,
      kind: 'ticket',
      scopes: ['upload'],
    });
    expect(await tokens.list(caller.userId)).toEqual([]);
    await expect(tokens.revoke(caller.userId, caller.tokenId)).rejects.toThrow(NotFoundError);
    expect(await query('select expires_at - created_at as lasts from tokens order by id')).toEqual([
      { lasts: null },
      { lasts: expect.anything() },
    ]);
  });

  it('can not be looked up, logged in, promoted or registered by name', async () => {
    const { caller } = await welcome();
    const users = domain.get(UsersService);
    const authors = domain.get(AuthorsService);
    await expect(
      domain
        .get(LoginsService)
        .login(caller.username, 'correct horse battery', { client: '192.0.2.1', device: null }),
    ).rejects.toThrow(InvalidFieldsError);
    await expect(domain.get(AccountAdministration).changeRole(caller.username, 'admin')).rejects.toThrow(
      NotFoundError,
    );
    await expect(users.findByUsername(caller.username)).rejects.toThrow(NotFoundError);
    expect(await authors.findUserId(caller.username)).toBeNull();
    expect(await authors.findAuthors([caller.userId])).toEqual(new Map());
    // The database checks that only guests have names with ~.
    for (const sql of [
      `insert into users (username) values ('~0123456789abcdef0123')`,
      `insert into users (username, kind, review_after) values ('ada', 'guest', now())`,
      `update users set role = 'admin' where kind = 'guest'`,
      `update users set password_hash = 'x' where kind = 'guest'`,
    ]) {
      await expect(query(sql)).rejects.toThrow(/check constraint/);
    }
  });

  // Promise [access]: A ticket lasts an hour.
  it('creates tickets for an hour, which use does not extend', async () => {
    const { caller, ticket } = await welcome();
    await query(`update tokens set expires_at = expires_at - interval '59 minutes'`);
    const again = await tokens.createTicket(caller);
    for (const secret of [ticket, again.secret]) expect(await tokens.authenticate(secret)).not.toBeNull();
    await query(`update tokens set expires_at = expires_at - interval '61 seconds'`);
    tokens.forgetBearer(caller.userId);
    expect(await tokens.authenticate(ticket)).toBeNull();
    expect(await tokens.authenticate(again.secret)).not.toBeNull();
    await tokens.createTicket(caller);
    expect(await query(`select from tokens where kind = 'ticket'`)).toHaveLength(2);
  });

  it('ends tickets with their session, and creates none for an ended session', async () => {
    const account = { username: 'ada', password: 'correct horse battery' };
    const { secret } = await domain.get(RegistrationService).register(account, null, '192.0.2.1', null);
    const other = sessionOf(
      await domain
        .get(LoginsService)
        .login('ada', 'correct horse battery', { client: '192.0.2.1', device: null }),
    );
    const session = (await tokens.authenticate(secret))!;
    const [gone, kept] = [
      await tokens.createTicket(session),
      await tokens.createTicket((await tokens.authenticate(other.secret))!),
    ];
    for (const { secret } of [gone, kept]) expect(await tokens.authenticate(secret)).not.toBeNull();
    await tokens.revokeCurrent(session);
    expect(await tokens.authenticate(gone.secret)).toBeNull();
    expect(await tokens.authenticate(kept.secret)).not.toBeNull();
    await expect(tokens.createTicket(session)).rejects.toThrow(UnauthenticatedError);
  });

  it('limits the number of guests per address', async () => {
    const admitted: PromiseSettledResult<unknown>[] = [];
    // Ten at a time: more would wait too long for a connection of the pool.
    while (admitted.length < 1010) {
      const some = Array.from({ length: 10 }, () => guests.welcome('192.0.2.99'));
      admitted.push(...(await Promise.allSettled(some)));
    }
    const refused = admitted.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused).toHaveLength(10);
    for (const reason of refused) expect(reason).toBeInstanceOf(TooManyRequestsError);
    await guests.welcome('192.0.2.98');
  });

  describe('review', () => {
    // Promise [access]: Guests who own nothing are deleted after a day.
    it('deletes guests who are a day old, own nothing and have no ticket, and no others', async () => {
      const member = await query<{ id: number }>(`insert into users (username) values ('ada') returning id`);
      const [empty, uploader, author, returning] = [
        await welcome(),
        await welcome(),
        await welcome(),
        await welcome(),
      ];
      await addMedia(uploader.caller.userId);
      await addPost(author.caller.userId);
      expect(await guests.review(always)).toBe(0);
      await age('1 day');
      const young = await welcome();
      await tokens.createTicket(returning.caller);

      expect(await guests.review(always)).toBe(1);
      expect(await living()).toEqual([
        member[0]!.id,
        ...[uploader, author, returning, young].map(({ caller }) => caller.userId),
      ]);
      tokens.forgetBearer(empty.caller.userId);
      await expect(tokens.createTicket(empty.caller)).rejects.toThrow(UnauthenticatedError);
      // No guest is reviewed twice.
      expect(await query('select from users where review_after <= now()')).toEqual([]);
      expect(await guests.review(always)).toBe(0);
    });

    it('reviews the others again, and removes the rows of deleted guests', async () => {
      const [empty, uploader] = [await welcome(), await welcome()];
      await addMedia(uploader.caller.userId);
      await age('1 day');
      await guests.review(always);
      await query('delete from media');
      await age('1 day');
      await guests.review(always);
      expect(await query('select id from users')).toEqual([{ id: uploader.caller.userId }]);
      expect(await query('select from tokens where user_id = $1', [empty.caller.userId])).toEqual([]);
      await age('7 days');
      expect(await guests.review(always)).toBe(1);
    });

    it('lets several processes share the work without blocking each other', async () => {
      await query(
        `insert into users (username, kind, review_after)
         select '~' || substr(md5(n::text), 1, 20), 'guest', now() - interval '1 minute' from generate_series(1, 1700) n`,
      );
      const ended = await Promise.all([1, 2, 3].map(() => guests.review(always)));
      expect(ended.reduce((sum, one) => sum + one, 0) + (await guests.review(always))).toBe(1700);
      expect(await living()).toEqual([]);
      expect(await guests.review(() => false)).toBe(0);
    });

    it('skips guests with an upload in progress', async () => {
      const { caller } = await welcome();
      await age('1 day');
      await domain.get(Database).transaction(async (tx) => {
        await domain.get(AuthorsService).holdLiving(tx, caller.userId);
        expect(await guests.review(always)).toBe(0);
      });
      expect(await living()).toEqual([caller.userId]);
    });
  });

  it('is erased with everything it made, and its row is removed later', async () => {
    const [gone, other] = [await welcome(), await welcome()];
    for (const { caller } of [gone, other]) {
      await addMedia(caller.userId);
      await addPost(caller.userId);
    }
    const erasure = domain.get(AccountErasure);
    await erasure.deleteGuest(gone.caller);
    expect(await query('select user_id as id from media union all select user_id from posts')).toEqual([
      { id: other.caller.userId },
      { id: other.caller.userId },
    ]);
    const events = await query<{ type: string }>(`select envelope->>'type' as type from outbox order by id`);
    expect(events.map(({ type }) => type)).toEqual(['user.deleted', 'media.deleted', 'post.deleted']);
    expect(await tokens.authenticate(gone.ticket)).toBeNull();
    await expect(erasure.deleteGuest(gone.caller)).rejects.toThrow(UnauthenticatedError);
    await age('7 days');
    await guests.review(always);
    expect(await query('select id from users')).toEqual([{ id: other.caller.userId }]);
  });

  it('rejects the deletion of a member as a guest', async () => {
    await query(`insert into users (username) values ('ada')`);
    const [ada] = await query<{ id: number }>('select id from users');
    const { caller } = await welcome();
    await expect(guests.markDeleted({ ...caller, userId: ada!.id })).rejects.toThrow(UnauthenticatedError);
    expect(await living()).toContain(ada!.id);
  });
});
