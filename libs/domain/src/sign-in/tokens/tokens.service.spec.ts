import { Database } from '@vitrine/database';
import { createTestDatabase, eventually, type TestDatabase } from '@vitrine/testing';
import { DataSource } from 'typeorm';
import { InvalidFieldsError, NotFoundError } from '../../base/errors/domain-error';
import { AuthorRepository } from '../../accounts/authors/author.repository';
import { AuthorsService } from '../../accounts/authors/authors.service';
import { BearerCache } from './bearer-cache';
import { TokenEntity } from './token.entity';
import { mintSecret } from './token-secret';
import { TokenRepository } from './token.repository';
import { MAX_API_TOKENS, MAX_SESSIONS, TokensService } from './tokens.service';

const DAYS = 86_400_000;

describe('TokensService', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let connection: Database;
  let tokens: TokensService;
  let bearers: BearerCache;
  let userId: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await new DataSource({
      type: 'postgres',
      url: database.url,
      entities: [TokenEntity],
      parseInt8: true,
      installExtensions: false,
    }).initialize();
    connection = new Database(dataSource);
    bearers = new BearerCache();
    tokens = replica(bearers);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  beforeEach(async () => {
    await dataSource.query('delete from users');
    const [user] = await dataSource.query<{ id: number }[]>(
      "insert into users (username, password_hash) values ('ada', 'x') returning id",
    );
    userId = Number(user?.id);
  });

  /** A second instance of the service, as in another process. */
  const replica = (cache: BearerCache) =>
    new TokensService(
      connection,
      new TokenRepository(connection),
      cache,
      new AuthorsService(new AuthorRepository(connection)),
      { secondFactor: 'optional' },
    );
  const openSession = () => connection.transaction((tx) => tokens.openSession(tx, userId));
  const onlyToken = async (): Promise<TokenEntity> =>
    dataSource.getRepository(TokenEntity).findOneByOrFail({ userId });
  /** Lets time pass for every token. */
  const age = async (interval: string) => {
    await dataSource.query(
      `update tokens set created_at = created_at - $1::interval, last_used_at = last_used_at - $1::interval,
                         expires_at = expires_at - $1::interval`,
      [interval],
    );
    bearers.forget(() => true);
  };

  // Promise [access]: Only hashes of tokens are stored.
  it('finds the caller by the secret, of which only the hash is stored', async () => {
    const { secret } = await openSession();
    expect(await tokens.authenticate(secret)).toEqual({
      userId,
      username: 'ada',
      role: 'user',
      isGuest: false,
      tokenId: expect.any(Number),
      kind: 'session',
      scopes: ['read', 'upload', 'write', 'moderate'],
    });
    const [row] = await dataSource.query<object[]>('select tokens::text from tokens');
    expect(JSON.stringify(row)).not.toContain(secret.slice(4, 20));
    expect(await tokens.authenticate(mintSecret('session'))).toBeNull();
  });

  // Promise [access]: A session ends after 30 days without use, and a year after its login.
  it('extends a session by its use, and ends an unused one after 30 days', async () => {
    const { secret } = await openSession();
    await age('29 days 23 hours');
    expect(await tokens.authenticate(secret)).not.toBeNull();
    const { expiresAt } = await onlyToken();
    expect(Math.abs((expiresAt?.getTime() ?? 0) - Date.now() - 30 * DAYS)).toBeLessThan(60_000);
    await age('30 days 1 minute');
    expect(await tokens.authenticate(secret)).toBeNull();
  });

  it('ends a session a year after its login, however much it is used', async () => {
    const { secret } = await openSession();
    await dataSource.query(
      `update tokens set created_at = now() - interval '350 days', last_used_at = now() - interval '1 day'`,
    );
    expect(await tokens.authenticate(secret)).not.toBeNull();
    const { createdAt, expiresAt } = await onlyToken();
    expect((expiresAt?.getTime() ?? 0) - createdAt.getTime()).toBe(365 * DAYS);
    await age('15 days 1 minute');
    expect(await tokens.authenticate(secret)).toBeNull();
  });

  it('records the use of a token at most every five minutes, and keeps its expiry', async () => {
    const { secret } = await tokens.create(userId, { name: 'camera', expiresAt: '2999-01-01T00:00:00Z' });
    await tokens.authenticate(secret);
    const first = await onlyToken();
    expect(first.lastUsedAt).not.toBeNull();
    await tokens.authenticate(secret);
    expect(await onlyToken()).toEqual(first);
    await age('6 minutes');
    const aged = await onlyToken();
    await tokens.authenticate(secret);
    const later = await onlyToken();
    expect(later.lastUsedAt?.getTime()).toBeGreaterThan(aged.lastUsedAt?.getTime() ?? Infinity);
    expect(later.expiresAt).toEqual(aged.expiresAt);
  });

  it('rejects a token after its expiry, its revocation and the deletion of its account', async () => {
    const soon = await tokens.create(userId, {
      name: 'soon',
      expiresAt: new Date(Date.now() + DAYS).toISOString(),
    });
    await age('1 day 1 second');
    expect(await tokens.authenticate(soon.secret)).toBeNull();

    const revoked = await tokens.create(userId, { name: 'revoked' });
    await expect(tokens.revoke(userId + 1, revoked.token.id)).rejects.toThrow(NotFoundError);
    expect(await tokens.authenticate(revoked.secret)).not.toBeNull();
    await tokens.revoke(userId, revoked.token.id);
    expect(await tokens.authenticate(revoked.secret)).toBeNull();

    const { secret } = await openSession();
    expect(await tokens.authenticate(secret)).not.toBeNull();
    await dataSource.query('update users set deleted_at = now()');
    tokens.forgetBearer(userId);
    expect(await tokens.authenticate(secret)).toBeNull();
  });

  it('rejects a revoked token at once in this process, and within a second in others', async () => {
    const elsewhere = replica(new BearerCache());
    const { secret } = await openSession();
    const made = await tokens.create(userId, { name: 'camera' });
    const caller = await tokens.authenticate(secret);
    for (const known of [secret, made.secret]) expect(await elsewhere.authenticate(known)).not.toBeNull();

    await tokens.revoke(userId, made.token.id);
    await tokens.revokeCurrent(caller!);
    for (const ended of [secret, made.secret]) {
      expect(await tokens.authenticate(ended)).toBeNull();
      await eventually(async () => expect(await elsewhere.authenticate(ended)).toBeNull());
    }
  });

  it('asks the database once for simultaneous requests, and not for those just after', async () => {
    const { secret } = await openSession();
    const asked = jest.spyOn(TokenRepository.prototype, 'findBearer');
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    try {
      const callers = await Promise.all(Array.from({ length: 50 }, () => tokens.authenticate(secret)));
      expect(new Set(callers.map((caller) => caller?.userId))).toEqual(new Set([userId]));
      await tokens.authenticate(secret);
      expect(asked).toHaveBeenCalledTimes(1);
    } finally {
      clock.mockRestore();
      asked.mockRestore();
    }
  });

  it('does not restore a token that is revoked while it is used', async () => {
    const { secret, token } = await tokens.create(userId, { name: 'racing' });
    await Promise.all([
      tokens.authenticate(secret),
      tokens.authenticate(secret),
      tokens.revoke(userId, token.id),
    ]);
    expect(await tokens.authenticate(secret)).toBeNull();
    expect(await tokens.list(userId)).toEqual([]);
  });

  it('removes expired tokens when a session opens, and lists only API tokens', async () => {
    await tokens.create(userId, { name: 'old', expiresAt: new Date(Date.now() + DAYS).toISOString() });
    await tokens.create(userId, { name: 'kept', scopes: ['write', 'read'] });
    await age('2 days');
    await openSession();
    const listed = await tokens.list(userId);
    expect(listed.map(({ name, scopes }) => [name, scopes])).toEqual([['kept', ['read', 'write']]]);
    const [row] = await dataSource.query<{ rows: string }[]>('select count(*) as rows from tokens');
    expect(Number(row?.rows)).toBe(2);
  });

  // Promise [security]: An account’s sessions and API tokens are limited.
  it('limits the numbers of sessions and API tokens', async () => {
    await dataSource.query(
      `insert into tokens (user_id, kind, name, secret_sha256, scopes, last_used_at, expires_at)
       select $1, kind, 'old', sha256((kind || n)::bytea), '{read}', now() - n * interval '1 minute', now() + interval '1 day'
       from unnest(array['session', 'api']) kind, generate_series(1, $2) n`,
      [userId, MAX_API_TOKENS],
    );
    const { secret } = await openSession();
    expect(await tokens.authenticate(secret)).not.toBeNull();
    const open = await tokens.listSessions(userId);
    expect(open).toHaveLength(MAX_SESSIONS);
    const ages = open.map(({ lastUsedAt }) => Math.round((Date.now() - lastUsedAt.getTime()) / 60_000));
    expect(ages).toEqual(Array.from({ length: MAX_SESSIONS }, (_, minutes) => minutes));
    await expect(tokens.create(userId, { name: 'one more' })).rejects.toThrow(InvalidFieldsError);
    await tokens.revoke(userId, (await tokens.list(userId))[0]!.id);
    await tokens.create(userId, { name: 'in its place' });
    expect(await tokens.list(userId)).toHaveLength(MAX_API_TOKENS);
  });

  it('rejects an expiry in the past', async () => {
    const wanted = { name: 'late', expiresAt: new Date(Date.now() - 1000).toISOString() };
    await expect(tokens.create(userId, wanted)).rejects.toThrow(InvalidFieldsError);
  });
});
