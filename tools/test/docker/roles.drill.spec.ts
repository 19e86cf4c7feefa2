import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { events } from '@vitrine/contracts';
import { grantRows, runMigrations } from '@vitrine/database';
import { queuesOf, RabbitMqTransport } from '@vitrine/messaging';
import {
  describeWithRabbitMq,
  eventually,
  type ServiceProcess,
  startRabbitMq,
  startS3,
  startService,
  type TestRabbitMq,
  type TestS3,
} from '@vitrine/testing';
import { connect } from 'amqplib';
import { Client } from 'pg';
import sharp from 'sharp';
import { parse } from 'yaml';
import { examine } from '../../admin/src/doctor/check';
import { busCheck } from '../../admin/src/doctor/bus-check';
import { databaseCheck, migrationsCheck } from '../../admin/src/doctor/database-checks';
import { runAdmin } from '../../admin/src/run-admin';
import { COMPOSE_TEXT, interpolate } from './compose-file';
import { ROOT } from './docker-build';

const BROKER_USERS = {
  'upload-service': 'RABBITMQ_UPLOAD_PASSWORD',
  'media-processor': 'RABBITMQ_PROCESSOR_PASSWORD',
  'moderation-service': 'RABBITMQ_MODERATION_PASSWORD',
} as const;

/** docker/compose.yaml with this test's secrets instead of those in docker/.env. */
const variables = new Proxy<Record<string, string>>({}, { get: (_, name) => `secret-of-${String(name)}` });
const compose = parse(interpolate(COMPOSE_TEXT, variables), { merge: true }) as {
  readonly services: {
    readonly rabbitmq: { readonly environment: { readonly DEFINITIONS: string } };
    readonly bucket: { readonly environment: { readonly ACCOUNTS: string } };
  } & Readonly<Record<string, { readonly environment: Readonly<Record<string, string>> }>>;
};

describeWithRabbitMq('the roles of docker/compose.yaml', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-roles-'));
  const database = `roles_${randomBytes(6).toString('hex')}`;
  const passwords = { owner: 'owner’s "password"', application: "application's" };
  let broker: TestRabbitMq;
  let bucket: TestS3;
  let superuser: Client;

  /** The URL of the same database for another role. */
  const databaseUrl = (role?: string, password?: string): string => {
    const url = new URL(process.env['VITRINE_TEST_POSTGRES_URL'] ?? '');
    url.pathname = `/${database}`;
    if (role !== undefined) [url.username, url.password] = [role, encodeURIComponent(password ?? '')];
    return url.toString();
  };
  const applicationUrl = (): string => databaseUrl('vitrine_application', passwords.application);
  const brokerUrl = (user: string, variable: string): string => {
    const url = new URL(broker.url);
    [url.username, url.password] = [user, variables[variable] ?? ''];
    return url.toString();
  };

  /** Does the same as the job of that name in docker/compose.yaml. */
  const grantStorage = async (): Promise<void> => {
    const before = { ...process.env };
    Object.assign(process.env, bucket.settings());
    const said: string[] = [];
    const say = (line: string): void => void said.push(line);
    const status = await runAdmin(['grant-storage'], { print: say, complain: say });
    process.env = before;
    expect([status, ...said]).toEqual([
      0,
      'The rights in the bucket are set for upload-service, media-processor, moderation-service.',
    ]);
  };

  beforeAll(async () => {
    const definitions = join(folder, 'definitions.json');
    const { users, permissions, ...rest } = JSON.parse(
      compose.services.rabbitmq.environment.DEFINITIONS,
    ) as Readonly<Record<'users' | 'permissions', object[]>>;
    // With definitions, RabbitMQ creates no default user, which the test needs to check whether its broker is up.
    const guest = { name: 'guest', password: 'guest', tags: '' };
    const nothing = { user: 'guest', vhost: '/', configure: '', write: '', read: '' };
    writeFileSync(
      definitions,
      JSON.stringify({ ...rest, users: [...users, guest], permissions: [...permissions, nothing] }),
    );
    broker = await startRabbitMq({ config: `load_definitions = ${definitions}\nloopback_users = none` });

    bucket = await startS3();
    const { accessAccounts } = JSON.parse(compose.services.bucket.environment.ACCOUNTS) as {
      readonly accessAccounts: Readonly<Record<string, object>>;
    };
    Object.keys(accessAccounts).forEach((name) => bucket.addAccount(name));

    const admin = new Client({ connectionString: process.env['VITRINE_TEST_POSTGRES_URL'] ?? '' });
    await admin.connect();
    await admin.query(`create database ${database}`);
    await admin.end();
    superuser = new Client({ connectionString: databaseUrl() });
    await superuser.connect();
    const roles = readFileSync(join(ROOT, 'docker/postgres/roles.sql'), 'utf8')
      .replaceAll(":'owner_password'", superuser.escapeLiteral(passwords.owner))
      .replaceAll(":'application_password'", superuser.escapeLiteral(passwords.application));
    // A second run, as with an existing volume.
    await superuser.query(roles);
    await superuser.query(roles);
    const owner = databaseUrl('vitrine', passwords.owner);
    await runMigrations(owner);
    await grantRows(owner, 'vitrine_application');
    await Promise.all([1, 2].map(() => grantRows(owner, 'vitrine_application')));
  });
  afterAll(async () => {
    await bucket?.stop();
    await broker?.remove();
    await superuser?.query('drop owned by vitrine_application; drop role vitrine_application');
    await superuser?.query('reassign owned by vitrine to current_user; drop owned by vitrine');
    await superuser?.end();
    const admin = new Client({ connectionString: process.env['VITRINE_TEST_POSTGRES_URL'] ?? '' });
    await admin.connect();
    await admin.query(`drop database if exists ${database} with (force)`);
    await admin.query('drop role if exists vitrine');
    await admin.end();
    rmSync(folder, { recursive: true });
  });

  it('process a picture from upload to deletion with one role for each service', async () => {
    const owner = new RabbitMqTransport({ url: brokerUrl('vitrine', 'RABBITMQ_PASSWORD'), name: 'owner' });
    await owner.declare(queuesOf(Object.values(events)));
    await owner.close();
    await grantStorage();
    const start = (name: Parameters<typeof startService>[0]): Promise<ServiceProcess> =>
      startService(name, {
        env: {
          ...(name !== 'media-processor' && { DATABASE_URL: applicationUrl() }),
          ...(name in BROKER_USERS && {
            BUS_URL: brokerUrl(name, BROKER_USERS[name as keyof typeof BROKER_USERS]),
          }),
          ...(name !== 'api-gateway' && {
            ...bucket.settings(),
            S3_ACCESS_KEY_ID: compose.services[name]?.environment['S3_ACCESS_KEY_ID'] ?? '',
          }),
          VITRINE_DATA_DIR: folder,
        },
      });
    const services = await Promise.all(
      (['api-gateway', 'upload-service', 'media-processor', 'moderation-service'] as const).map(start),
    );
    try {
      const [api, uploads] = services.map(({ url }) => `${url}/api/v1`);
      const account = { username: 'ada', password: 'a long password' };
      const ask = async (path: string, body?: object, bearer?: string): Promise<Record<string, unknown>> => {
        const response = await fetch(`${api}${path}`, {
          ...(body && { method: 'POST', body: JSON.stringify(body) }),
          headers: { ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }) },
        });
        expect(response.ok).toBe(true);
        return (await response.json()) as Record<string, unknown>;
      };
      const { session } = (await ask('/auth/register', account)) as { session: string };
      const picture = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: 'teal' } })
        .jpeg()
        .toBuffer();
      const form = new FormData();
      form.append('file', new Blob([Uint8Array.from(picture)]), 'a.jpg');
      const response = await fetch(`${uploads}/media`, {
        method: 'POST',
        body: form,
        headers: { Authorization: `Bearer ${session}` },
      });
      expect(response.status).toBe(201);
      const { media } = (await response.json()) as { media: { id: number; slug: string } };
      await eventually(async () => {
        const { data } = await ask(`/media/${media.slug}`, undefined, session);
        expect(data).toMatchObject({
          processed: true,
          moderation_status: expect.not.stringMatching('pending'),
        });
      });
      await ask('/posts', { media_ids: [media.id] }, session);
      const file = await fetch(`${services[1]?.url}/f/${media.slug}.jpg`);
      expect(file.status).toBe(200);
      await file.arrayBuffer();
      expect(bucket.keys().some((key) => key.startsWith('frames/'))).toBe(true);
      expect(bucket.keys().some((key) => key.includes('_'))).toBe(true);

      await fetch(`${api}/media/${media.slug}`, {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${session}` },
      });
      await eventually(() => expect(bucket.keys()).toEqual([]));
      // The server checks this right for the whole bucket; upload-service then deletes objects one by one.
      const whole = /^upload-service: POST \/vitrine-test\/?\?delete/;
      expect(bucket.refusals().filter((refusal) => !whole.test(refusal))).toEqual([]);
    } finally {
      await Promise.all(services.map((service) => service.stop()));
    }
  });

  // Promise [security]: The services’ database roles can’t change the schema.
  it('let the services write rows and change nothing of the schema', async () => {
    const application = new Client({ connectionString: applicationUrl() });
    await application.connect();
    const refused = async (sql: string): Promise<void> => {
      await expect(application.query(sql)).rejects.toMatchObject({ code: '42501' });
    };
    await refused('create table mine (id integer)');
    await refused('drop table posts');
    await refused('alter table users add column mine text');
    await refused('truncate users');
    for (const log of ['audit_log', 'moderation_decisions']) {
      await refused(`delete from ${log}`);
      await refused(`update ${log} set created_at = now()`);
      await refused(`truncate ${log}`);
    }
    await refused('delete from schema_migrations');
    await refused('create temporary table mine (id integer)');
    await refused('create role mallory');
    await refused("copy users to program 'cat'");
    await application.end();
  });

  it('satisfy the doctor, which reports what a service may not do', async () => {
    const environment = {
      DATABASE_URL: applicationUrl(),
      BUS_URL: brokerUrl('upload-service', BROKER_USERS['upload-service']),
    };
    const findings = await examine([databaseCheck, migrationsCheck, busCheck], environment, 30_000);
    expect(findings.filter(({ state }) => state === 'problem')).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'bus',
        state: 'skipped',
        found: expect.stringContaining('own service'),
      }),
    );
  });

  // Promise [security]: No service reads another service’s queues.
  it.each(Object.entries(BROKER_USERS))(
    'do not let %s read, empty or remove the queues of others',
    async (name, variable) => {
      const foreign = queuesOf(Object.values(events)).find((queue) => !queue.name.startsWith(`${name}.`));
      const connection = await connect(brokerUrl(name, variable));
      const refused = async (
        act: (channel: Awaited<ReturnType<typeof connection.createChannel>>) => Promise<unknown>,
      ): Promise<void> => {
        const channel = await connection.createChannel();
        channel.on('error', () => undefined);
        await expect(act(channel)).rejects.toMatchObject({ code: 403 });
      };
      const queue = foreign?.name ?? '';
      await refused((channel) => channel.consume(queue, () => undefined));
      await refused((channel) => channel.get(queue));
      const mayTakeCare = name === 'upload-service' && queue.startsWith('media-processor.');
      if (!mayTakeCare) await refused((channel) => channel.get(`${queue}.dead`));
      await refused((channel) => channel.purgeQueue(queue));
      await refused((channel) => channel.deleteQueue(queue));
      await refused((channel) => channel.deleteExchange('vitrine.events'));
      await refused((channel) => channel.assertQueue('without-owner'));
      await connection.close();
    },
  );
});
