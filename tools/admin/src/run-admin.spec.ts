import { randomUUID } from 'node:crypto';
import { type EventEnvelope, mediaProcessingRequested } from '@vitrine/contracts';
import { OLD_STEPS } from '@vitrine/database';
import { MessagingConfig } from '@vitrine/messaging';
import { createTransport } from '@vitrine/outbox';
import { loadConfig } from '@vitrine/runtime';
import { createTestDatabase, eventually, type TestDatabase } from '@vitrine/testing';
import { Client } from 'pg';
import { examine } from './doctor/check';
import { migrationsCheck } from './doctor/database-checks';
import { runAdmin } from './run-admin';

describe('npm run admin', () => {
  let database: TestDatabase;
  let client: Client;
  const before = process.env['DATABASE_URL'];

  beforeAll(async () => {
    database = await createTestDatabase();
    process.env['DATABASE_URL'] = database.url;
    client = new Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    if (before === undefined) delete process.env['DATABASE_URL'];
    else process.env['DATABASE_URL'] = before;
    await database.drop();
  });

  const admin = async (...args: string[]) => {
    const lines: string[] = [];
    const complaints: string[] = [];
    const status = await runAdmin(args, {
      print: (line) => void lines.push(line),
      complain: (line) => void complaints.push(line),
    });
    return { status, lines, complaints: complaints.join('\n') };
  };

  it('prints its usage', async () => {
    const { status, lines } = await admin('help');
    expect(status).toBe(0);
    for (const name of ['create-user', 'role', 'token', 'ban-hash', 'reprocess', 'dead-letters']) {
      expect(lines.join('\n')).toContain(`  ${name} `);
    }
    expect((await admin()).status).toBe(2);
    expect(await admin('creat-user')).toMatchObject({
      status: 2,
      complaints: expect.stringContaining('no command creat-user'),
    });
  });

  it('prints the usage of a command, and does not run it', async () => {
    for (const option of ['--help', '-h']) {
      expect(await admin('create-user', 'ada', option)).toMatchObject({
        status: 0,
        lines: [
          expect.stringMatching(/^Usage: npm run admin -- create-user NAME \[/),
          expect.stringMatching(/^\w.+\.$/),
        ],
        complaints: '',
      });
    }
    expect((await admin('declare-queues', '--help')).lines[0]).toBe('Usage: npm run admin -- declare-queues');
    expect((await client.query('select from users')).rowCount).toBe(0);
    expect((await admin('role', '--', '--help')).complaints).toContain('ROLE is missing.');
  });

  it('creates accounts, with a generated password if none is given', async () => {
    const made = await admin('create-user', 'ada', '--email', 'ada@example.org', '--role', 'moderator');
    expect(made).toMatchObject({
      status: 0,
      lines: [
        'Created the account ada with the role moderator.',
        expect.stringMatching(/^Its password: \S{20}$/),
      ],
    });
    const { rows } = await client.query(
      "select email, role, password_hash from users where username = 'ada'",
    );
    expect(rows).toEqual([
      {
        email: 'ada@example.org',
        role: 'moderator',
        password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
      },
    ]);

    expect(await admin('create-user', 'bob', '--password', 'given by hand')).toMatchObject({
      status: 0,
      lines: [expect.any(String)],
    });
    expect(await admin('create-user', 'ADA')).toMatchObject({
      status: 1,
      complaints: 'The username has already been taken.',
    });
    expect(await admin('create-user', 'a b', '--password', 'short')).toMatchObject({
      status: 1,
      complaints:
        'The username field must only contain letters, numbers and underscores.\nThe password field must be at least 10 characters.',
    });
    expect((await admin('create-user')).complaints).toContain(
      'NAME is missing.\nUsage: npm run admin -- create-user NAME',
    );
    expect((await admin('create-user', 'carol', '--role', 'king')).status).toBe(2);
    expect((await admin('create-user', 'carol', 'dave')).status).toBe(2);
    expect((await admin('create-user', 'carol', '--colour', 'red')).status).toBe(2);
  });

  it('changes roles', async () => {
    expect(await admin('role', 'Ada', 'admin')).toMatchObject({ status: 0 });
    const { rows } = await client.query("select role from users where username = 'ada'");
    expect(rows).toEqual([{ role: 'admin' }]);
    expect(await admin('role', 'nobody', 'admin')).toMatchObject({
      status: 1,
      complaints: 'There is no such item.',
    });
    expect((await admin('role', 'ada', 'emperor')).status).toBe(2);
  });

  it('prints a new token on the last line', async () => {
    const { status, lines } = await admin('token', 'ada', '--name', 'backup', '--scopes', 'read, upload');
    expect(status).toBe(0);
    expect(lines.at(-1)).toMatch(/^vtr_[0-9A-Za-z]{40}$/);
    const { rows } = await client.query('select kind, name, scopes from tokens');
    expect(rows).toEqual([{ kind: 'api', name: 'backup', scopes: ['read', 'upload'] }]);
    expect(await admin('token', 'ada', '--scopes', 'read,fly')).toMatchObject({
      status: 1,
      complaints: 'The selected scopes.1 is invalid.',
    });
    expect((await admin('token', 'nobody')).status).toBe(1);
  });

  it('bans hashes', async () => {
    const hash = 'Ab'.repeat(32);
    expect(await admin('ban-hash', hash, '--reason', 'stolen')).toMatchObject({
      status: 0,
      lines: [`Banned ${hash}.`],
    });
    expect(await admin('ban-hash', hash, '--reason', 'stolen')).toMatchObject({
      status: 0,
      lines: [`${hash} is already banned.`],
    });
    const { rows } = await client.query("select encode(hash, 'hex') as hash, reason from banned_hashes");
    expect(rows).toEqual([{ hash: hash.toLowerCase(), reason: 'stolen' }]);
    expect((await admin('ban-hash', hash)).status).toBe(2);
    expect((await admin('ban-hash', 'abc', '--reason', 'x')).status).toBe(2);
  });

  it('processes a failed media item again', async () => {
    await client.query(
      `insert into media (slug, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256, moderation_status, processing_error)
       values ('abcdefg', 'image', 'jpeg', 'image/jpeg', 'jpg', 1, 1, 1, sha256('a'), sha256('a'), 'rejected', 'It broke.')`,
    );
    expect(await admin('reprocess', 'abcdefg')).toMatchObject({ status: 0 });
    const media = await client.query(
      "select processing_error, moderation_status from media where slug = 'abcdefg'",
    );
    expect(media.rows).toEqual([{ processing_error: null, moderation_status: 'pending' }]);
    const outbox = await client.query("select envelope->>'type' as type from outbox order by id");
    expect(outbox.rows).toEqual([{ type: 'media.moderated' }, { type: 'media.processing_requested' }]);
    expect((await admin('reprocess', 'gfedcba')).status).toBe(1);
  });

  it('shows how many media wait for other formats, and makes older photographs wait', async () => {
    expect(await admin('alternatives', 'list')).toMatchObject({
      status: 0,
      lines: ['0 waiting, of which 0 are being made.'],
    });
    await client.query(
      `insert into media (slug, kind, format, mime, ext, width, height, frames, bytes, received_sha256, stored_sha256, processed, variants)
       values ('Waits01', 'image', 'jpeg', 'image/jpeg', 'jpg', 1, 1, 1, 1, sha256('w'), sha256('w'), true, '[{"ext": "jpg"}]')`,
    );
    expect(await admin('alternatives', 'enqueue')).toMatchObject({
      status: 0,
      lines: ['1 media item waits in addition.', '1 waiting, of which 0 are being made.'],
    });
    expect((await admin('alternatives', 'make')).status).toBe(2);
  });

  it('lists, shows and replays dead letters', async () => {
    const config = loadConfig(MessagingConfig, { DATABASE_URL: database.url });
    const transport = createTransport(config, 'test');
    try {
      await transport.connect();
      const queue = {
        name: 'media-processor.media.processing_requested',
        routingKey: mediaProcessingRequested.type,
      };
      await transport.declare([queue]);
      const envelope: EventEnvelope = {
        id: randomUUID(),
        type: mediaProcessingRequested.type,
        version: 1,
        occurred_at: new Date().toISOString(),
        correlation_id: 'test',
        data: {},
      };
      await transport.publish(envelope);
      await new Promise<void>((dead, failed) => {
        transport
          .consume(queue.name, 1, async (delivery) => {
            await delivery.deadLetter('no tool for it');
            dead();
          })
          .catch(failed);
      });

      const listed = await admin('dead-letters', 'list');
      expect(listed.lines).toEqual([expect.stringContaining('no tool for it'), '1 dead letter']);
      const id = String(listed.lines[0]?.split(' ')[0]);
      expect((await admin('dead-letters', 'show', id)).lines.join('\n')).toContain(envelope.id);
      expect((await admin('dead-letters', 'show', '999999')).status).toBe(1);
      expect((await admin('dead-letters', 'replay', '999999')).status).toBe(1);
      expect((await admin('dead-letters', 'replay', '--all', '--queue', 'other')).lines).toEqual([
        'Replayed 0 dead letters.',
      ]);
      expect((await admin('dead-letters', 'replay', id)).lines).toEqual(['Replayed 1 dead letter.']);
      expect((await admin('dead-letters', 'bury')).status).toBe(2);

      // The consumer gives it up again.
      await eventually(async () => expect((await transport.depth(queue.name)).dead).toBe(1));
      expect((await admin('dead-letters', 'discard', '999999', '--yes')).status).toBe(1);
      expect((await admin('dead-letters', 'discard')).status).toBe(2);
      expect((await admin('dead-letters', 'discard', '--all', '--older-than', '', '--yes')).status).toBe(2);
      expect((await admin('dead-letters', 'discard', '--all')).lines).toEqual([
        expect.stringContaining('no tool for it'),
        'Would discard 1 dead letter. Add --yes to do it.',
      ]);
      const none = 'Discarded 0 dead letters.';
      for (const choice of [
        ['--queue', 'other'],
        ['--older-than', '1'],
      ]) {
        expect((await admin('dead-letters', 'discard', '--all', ...choice, '--yes')).lines).toEqual([none]);
      }
      expect((await admin('dead-letters', 'discard', '--all', '--yes')).lines).toEqual([
        'Discarded 1 dead letter.',
      ]);
      expect((await transport.depth(queue.name)).dead).toBe(0);
    } finally {
      await transport.close();
    }
  });

  it('writes what it changes into the audit log, without secrets', async () => {
    const { rows } = await client.query<{ action: string }>(
      `select actor_id, action, subject_type, subject_name, detail from audit_log order by id`,
    );
    const entry = (action: string, subject_type: string, subject_name: string, detail: object | null) => ({
      actor_id: null,
      action,
      subject_type,
      subject_name,
      detail,
    });
    expect(rows).toEqual([
      entry('user.create', 'user', 'ada', { role: 'moderator' }),
      entry('user.create', 'user', 'bob', { role: 'user' }),
      entry('user.change_role', 'user', 'ada', { from: 'moderator', to: 'admin' }),
      entry('token.create', 'user', 'ada', { id: expect.any(Number), scopes: ['read', 'upload'] }),
      entry('hash.ban', 'hash', 'ab'.repeat(32), { kind: 'sha256' }),
      entry('media.reprocess', 'media', 'abcdefg', null),
      entry('bus.replay', 'bus', expect.any(String) as string, { letters: 1, ids: [expect.any(String)] }),
      entry('bus.discard', 'bus', expect.any(String) as string, { letters: 1, ids: [expect.any(String)] }),
    ]);
  });

  it('reports the problems of its environment', async () => {
    delete process.env['DATABASE_URL'];
    expect(await admin('role', 'ada', 'user')).toMatchObject({
      status: 1,
      complaints: expect.stringContaining('DATABASE_URL is not set'),
    });
    process.env['DATABASE_URL'] = database.url;
  });

  it('removes second factors, tells the owner, and writes it into the audit log', async () => {
    await admin('create-user', 'locked_out');
    await client.query(
      `insert into authenticator_apps (user_id, sealed_secret, confirmed_at)
       select id, '', now() from users where username = 'locked_out'`,
    );
    await client.query(
      `insert into passkeys (user_id, credential_id, public_key, counter, transports, name)
       select id, 'a', 'a', 0, '{}', 'Phone' from users where username = 'locked_out'`,
    );
    expect(await admin('remove-second-factor', 'LOCKED_OUT')).toMatchObject({
      status: 0,
      lines: ['LOCKED_OUT has no second factor and logs in only with the password.'],
    });
    for (const table of ['authenticator_apps', 'passkeys'])
      expect((await client.query(`select from ${table}`)).rowCount).toBe(0);
    const { rows } = await client.query(
      `select detail->>'message' as told, (select subject_name from audit_log
         where action = 'user.remove_second_factor' and actor_id is null) as subject
       from notifications where user_id = (select id from users where username = 'locked_out')`,
    );
    expect(rows).toEqual([
      { told: expect.stringMatching(/removed all second factors/), subject: 'locked_out' },
    ]);
    expect((await admin('remove-second-factor', 'nobody_here')).status).toBe(1);
    expect((await admin('remove-second-factor')).status).toBe(2);
  });

  it('prints a link to set a password, which works once', async () => {
    const { status, lines } = await admin('reset-password', 'locked_out');
    expect(status).toBe(0);
    expect(lines[1]).toMatch(/^https?:\/\/.*\/reset-password\?code=\w+$/);
    expect((await admin('reset-password', 'nobody_here')).status).toBe(1);
  });

  it('shows and changes the quota of an account', async () => {
    await admin('create-user', 'hoarder');
    expect(await admin('quota', 'hoarder')).toMatchObject({
      status: 0,
      lines: ['hoarder stores 0 of unlimited bytes.', 'hoarder has 0 of unlimited files.'],
    });
    expect(await admin('quota', 'HOARDER', '--bytes', '20GB', '--files', '10000')).toMatchObject({
      status: 0,
      lines: ['hoarder stores 0 of 21474836480 bytes.', 'hoarder has 0 of 10000 files.'],
    });
    expect((await admin('quota', 'hoarder', '--bytes', 'default')).lines).toEqual([
      'hoarder stores 0 of unlimited bytes.',
      'hoarder has 0 of 10000 files.',
    ]);
    expect(await admin('quota', 'hoarder', '--bytes', '20apples')).toMatchObject({
      status: 2,
      complaints: expect.stringContaining('--bytes must be a number of bytes'),
    });
    expect(await admin('quota', 'nobody_here')).toMatchObject({ status: 1 });
  });

  it('suspends, limits and restores accounts, but not the only admin', async () => {
    await admin('create-user', 'spammer');
    expect(await admin('suspend', 'spammer')).toMatchObject({
      status: 1,
      complaints: 'The reason field is required.',
    });
    const stateOf = async () =>
      (
        await client.query<{ state: string; until: Date | null }>(
          'select state, until from account_restrictions',
        )
      ).rows;
    expect(await admin('suspend', 'spammer', '--reason', 'Spam.', '--until', '2999-12-03')).toMatchObject({
      status: 0,
      lines: ['spammer is suspended until 2999-12-03T23:59:59Z.'],
    });
    expect(await stateOf()).toEqual([{ state: 'suspended', until: new Date('2999-12-03T23:59:59Z') }]);
    expect(await admin('limit', 'spammer', '--reason', 'Spam.')).toMatchObject({
      lines: ['spammer is limited.'],
    });
    expect(await stateOf()).toEqual([{ state: 'limited', until: null }]);
    expect(await admin('restore', 'spammer')).toMatchObject({ lines: ['spammer is active.'] });
    expect(await stateOf()).toEqual([]);
    await client.query(`update users set role = 'user' where role = 'admin'`);
    await admin('create-user', 'boss', '--role', 'admin');
    expect(await admin('suspend', 'boss', '--reason', 'Oops.')).toMatchObject({
      status: 1,
      complaints: 'The only admin cannot be suspended.',
    });
  });

  it('refuses to migrate a database with the steps before the baseline, until adopt-baseline', async () => {
    await client.query('delete from schema_migrations');
    await client.query('insert into schema_migrations (name) select unnest($1::text[])', [OLD_STEPS]);
    const advice = 'Run: npm run admin -- adopt-baseline';
    expect(await admin('migrate')).toMatchObject({ status: 1, complaints: expect.stringContaining(advice) });
    expect(await examine([migrationsCheck], { DATABASE_URL: database.url }, 30_000)).toEqual([
      expect.objectContaining({ state: 'problem', advice }),
    ]);

    expect(await admin('adopt-baseline')).toMatchObject({
      status: 0,
      lines: ['Replaced the records of 90 steps by the baseline. Next: npm run admin -- migrate'],
    });

    expect((await admin('adopt-baseline')).lines).toEqual(['The database has the baseline already.']);
    await client.query(`update schema_migrations set name = '0001_core'`);
    expect(await admin('adopt-baseline')).toMatchObject({
      status: 1,
      complaints: expect.stringContaining('lacks 89 of the 90 steps'),
    });
  });
});
