import { randomSlug } from '@vitrine/domain';
import { runMigrations } from '@vitrine/database';
import { eventually, type ServiceProcess, startService } from '@vitrine/testing';
import { Client } from 'pg';
import {
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from '../dev/src/embedded-postgres/test-replication';

const PASSWORD = 'correct horse battery';
/** The name of a gateway's sessions on replicas. */
const SESSIONS = 'vitrine-api-gateway replica';

interface Page {
  readonly data: readonly { readonly slug?: string; readonly name?: string }[];
  readonly meta: { readonly total: number };
}

describe('feeds from a streaming replica', () => {
  let postgres: ReplicatedPostgres;
  let primary: Client;
  /** A gateway with this setting uses a replica that lags for less than five minutes; no test takes as long. */
  let patient: ServiceProcess;
  /** A gateway with this setting stops using a replica that lags for two seconds. */
  let strict: ServiceProcess;
  let owner: string;

  const startGateway = (maxLagSeconds: number): Promise<ServiceProcess> =>
    startService('api-gateway', {
      env: {
        DATABASE_URL: postgres.url('vitrine'),
        DATABASE_REPLICA_URLS: postgres.replica.url('vitrine'),
        DATABASE_REPLICA_MAX_LAG_SECONDS: String(maxLagSeconds),
        DATABASE_POOL_SIZE: '2',
        RATE_LIMIT_PUBLIC_PER_MINUTE: '100000',
        RATE_LIMIT_USER_PER_MINUTE: '100000',
      },
    });

  beforeAll(async () => {
    postgres = await startReplicatedPostgres();
    const admin = new Client({ connectionString: postgres.url('postgres') });
    await admin.connect();
    await admin.query('create database vitrine');
    await admin.end();
    await runMigrations(postgres.url('vitrine'));
    primary = new Client({ connectionString: postgres.url('vitrine') });
    await primary.connect();
    [patient, strict] = await Promise.all([startGateway(300), startGateway(2)]);
    owner = await register('ada');
  });
  afterAll(async () => {
    await Promise.all([patient?.stop(), strict?.stop()]);
    await primary?.end();
    await postgres?.stop();
  });

  const ask = async <Body>(
    gateway: ServiceProcess,
    path: string,
    { method = 'GET', token, body }: { method?: string; token?: string; body?: object } = {},
  ): Promise<{ status: number; body: Body }> => {
    const response = await fetch(`${gateway.url}/api/v1${path}`, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Body };
  };
  const register = async (username: string): Promise<string> => {
    const { body } = await ask<{ session: string }>(patient, '/auth/register', {
      method: 'POST',
      body: { username, password: PASSWORD },
    });
    return body.session;
  };
  const slugs = async (gateway: ServiceProcess, path: string, token?: string): Promise<unknown[]> => {
    const { status, body } = await ask<Page>(gateway, path, token ? { token } : {});
    expect(status).toBe(200);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ slug, name }) => slug ?? name);
  };
  const store = async (): Promise<string> => {
    const slug = randomSlug();
    await primary.query(
      `insert into media (slug, user_id, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256,
         moderation_status, listing)
       select $1, id, 'image', 'jpeg', 'image/jpeg', 'jpg', 640, 480, 12345, sha256('a'), sha256('b'), 'approved', 'safe'
       from users where username = 'ada'`,
      [slug],
    );
    return slug;
  };
  const inUse = async (gateway: ServiceProcess): Promise<string | undefined> => {
    const metrics = await (await fetch(`${gateway.managementUrl}/metrics`)).text();
    return /^vitrine_database_replica_in_use\{replica="0"\} (\d)$/m.exec(metrics)?.[1];
  };
  const onReplica = async <Row extends object>(text: string): Promise<Row[]> => {
    const client = new Client({ connectionString: postgres.replica.url('vitrine') });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  };
  /** Requests a list that waits on the replica for a lock, because its release isn't replayed. */
  const askAndWait = async (): Promise<{ readonly answer: Promise<unknown[]> }> => {
    // The end of a log segment is sent at once; a lock record might wait for the next commit.
    await primary.query('begin; lock table media in access exclusive mode; select pg_switch_wal()');
    await eventually(async () =>
      expect(
        await onReplica(
          `select from pg_locks where mode = 'AccessExclusiveLock' and relation = 'media'::regclass
             and database = (select oid from pg_database where datname = current_database())`,
        ),
      ).toHaveLength(1),
    );
    await postgres.replica.pauseReplay();
    await primary.query('rollback');
    // On a busy machine, a check of the replica may take too long, and the primary answers.
    return eventually(async () => {
      expect(await inUse(patient)).toBe('1');
      const answer = slugs(patient, '/media');
      const waits = eventually(async () => expect(await waiting()).toHaveLength(1));
      expect(await Promise.race([waits.then(() => 'waits'), answer])).toBe('waits');
      return { answer };
    });
  };
  const waiting = (): Promise<{ pid: number }[]> =>
    onReplica(
      `select pid from pg_stat_activity
       where datname = current_database() and application_name = '${SESSIONS}' and wait_event_type = 'Lock'`,
    );

  it('read from the replica for anonymous clients and from the primary for clients that may have written', async () => {
    const [kept, deleted] = [await store(), await store()];
    const stranger = await register('grace');
    const { body: writer } = await ask<{ token: string }>(patient, '/tokens', {
      method: 'POST',
      token: owner,
      body: { name: 'writes only', scopes: ['write'], current_password: PASSWORD },
    });
    await eventually(async () => {
      expect(await inUse(patient)).toBe('1');
      expect(await slugs(patient, '/media')).toEqual([deleted, kept]);
    });

    await postgres.replica.pauseReplay();
    const { status } = await ask(patient, `/media/${deleted}`, { method: 'DELETE', token: owner });
    expect(status).toBe(200);
    const tagging = await ask(patient, `/media/${kept}`, {
      method: 'PATCH',
      token: owner,
      body: { tags: ['heron'] },
    });
    expect(tagging.status).toBe(200);

    expect(await slugs(patient, '/media')).toEqual([deleted, kept]);
    expect(await slugs(patient, '/users/ada/media')).toEqual([deleted, kept]);
    expect(await slugs(patient, '/tags')).toEqual([]);
    expect(await slugs(patient, '/media?tag=heron')).toEqual([]);
    for (const token of [owner, stranger, writer.token]) {
      expect(await slugs(patient, '/media', token)).toEqual([kept]);
      expect(await slugs(patient, '/users/ada/media', token)).toEqual([kept]);
      expect(await slugs(patient, '/tags', token)).toEqual(['heron']);
      expect(await slugs(patient, '/media?tag=heron', token)).toEqual([kept]);
    }
    // Single items are never read from a replica.
    expect((await ask(patient, `/media/${deleted}`)).status).toBe(404);
    const profile = await ask<{ data: { media_count: number } }>(patient, '/users/ada');
    expect(profile.body.data.media_count).toBe(1);
  });

  it('do not use a replica that lags too much until it has caught up', async () => {
    await postgres.replica.pauseReplay();
    const slug = await store();
    await eventually(async () => {
      expect(await inUse(strict)).toBe('0');
      expect(await slugs(strict, '/media')).toContain(slug);
    });
    expect(await inUse(patient)).toBe('1');
    expect(await slugs(patient, '/media')).not.toContain(slug);

    await postgres.replica.resumeReplay();
    await eventually(async () => {
      expect(await inUse(strict)).toBe('1');
      expect(await slugs(patient, '/media')).toContain(slug);
    });
  });

  it('go to the primary when the replica ends the session', async () => {
    const { answer } = await askAndWait();
    const [session] = await waiting();
    await onReplica(`select pg_terminate_backend(${session?.pid})`);
    await postgres.replica.resumeReplay();
    expect(await answer).toEqual(await slugs(patient, '/media', owner));
    expect(await inUse(patient)).toBe('1');
  });

  it('are not repeated on the primary after a timeout on the replica', async () => {
    const { answer } = await askAndWait();
    const refused = expect(answer).rejects.toMatchObject({ matcherResult: { actual: 503 } });
    const [session] = await waiting();
    await onReplica(`select pg_cancel_backend(${session?.pid})`);
    await refused;
    await postgres.replica.resumeReplay();
  });

  it('go to the primary while all sessions of the replica are busy; the replica stays in use', async () => {
    const { answer } = await askAndWait();
    const another = slugs(patient, '/users/ada/media');
    await eventually(async () => expect(await waiting()).toHaveLength(2));
    expect(await slugs(patient, '/media?q=nothing')).toEqual([]);
    expect(await inUse(patient)).toBe('1');
    await postgres.replica.resumeReplay();
    expect(await answer).toEqual(await another);
  });

  it('have no failed request when the replica is killed, and use it again when it is back', async () => {
    const expected = await slugs(patient, '/media', owner);
    const { answer } = await askAndWait();
    let over = false;
    const readers = Array.from({ length: 4 }, async () => {
      let answers = 0;
      while (!over) {
        expect(await slugs(strict, '/media')).toEqual(expected);
        answers++;
      }
      return answers;
    });
    await postgres.replica.kill();
    expect(await answer).toEqual(expected);
    await eventually(async () => expect(await inUse(strict)).toBe('0'));
    over = true;
    for (const answers of await Promise.all(readers)) expect(answers).toBeGreaterThan(0);

    const born = await startGateway(2);
    expect(await slugs(born, '/media')).toEqual(expected);

    await postgres.replica.start();
    for (const gateway of [patient, strict, born]) {
      await eventually(async () => expect(await inUse(gateway)).toBe('1'));
      expect(await slugs(gateway, '/media')).toEqual(expected);
    }
    await born.stop();
  });

  it('go to the primary after the replica was promoted', async () => {
    await postgres.replica.promote();
    await eventually(async () => expect(await inUse(strict)).toBe('0'));
    const slug = await store();
    expect(await slugs(strict, '/media')).toContain(slug);
  });
});
