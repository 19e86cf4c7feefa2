import { eventually, withinSeconds } from '@vitrine/testing';
import { type Answer, PASSWORD } from './gateway';
import { createPerson, type Person } from './people';
import { storeMedia } from './stored';
import { useModeration } from './use-moderation';

interface Entry {
  readonly actor: string | null;
  readonly action: string;
  readonly subject: string;
  readonly detail: object | null;
  readonly address: string | null;
}

const PROOF = { current_password: PASSWORD };

describe('/admin', () => {
  const setup = useModeration();
  let admin: Person;
  beforeAll(async () => {
    admin = await createPerson(setup.database, { role: 'admin' });
  });

  const ask = (method: string, path: string, body?: object): Promise<Answer> =>
    setup.gateway.ask(method, `/admin${path}`, { token: admin.session, ...(body && { body }) });
  const listOf = async <Item>(path: string): Promise<readonly Item[]> =>
    (await ask('GET', path)).body['data'] as Item[];
  const entriesOf = (subject: string): Promise<readonly Entry[]> =>
    listOf<Entry>(`/audit-log?subject=${encodeURIComponent(subject)}`);

  it('lists and searches accounts, and shows what one has', async () => {
    await setup.gateway.register('Walter_A', { email: 'walter@example.org' });
    await setup.gateway.register('walter_b');
    const names = async (query: string) =>
      (await listOf<{ username: string }>(`/users?${query}`)).map(({ username }) => username);
    expect(await names('q=WALTER_')).toEqual(['walter_b', 'Walter_A']);
    expect(await names('q=walter%40ex')).toEqual(['Walter_A']);
    expect(await names(`role=admin&q=${admin.username}`)).toEqual([admin.username]);
    expect(await names('q=walter&state=suspended')).toEqual([]);
    expect((await ask('GET', '/users?state=odd')).status).toBe(422);
    const { body } = await ask('GET', '/users/WALTER_A');
    expect(body['data']).toMatchObject({
      username: 'Walter_A',
      email: 'walter@example.org',
      state: 'active',
      applied: false,
      session_count: 1,
      token_count: 0,
    });
    expect((await ask('GET', '/users/nobody_here')).status).toBe(404);
  });

  it('changes roles within a second, but not the role of the only admin', async () => {
    const { username, session } = await createPerson(setup.database);
    const status = async () =>
      (await setup.gateway.ask('GET', '/moderation/queue', { token: session })).status;
    expect(await status()).toBe(403);
    expect((await ask('PUT', `/users/${username}/role`, { role: 'moderator', ...PROOF })).body).toMatchObject(
      {
        user: { role: 'moderator' },
      },
    );
    await withinSeconds(1, async () => expect(await status()).toBe(200));
    expect((await ask('PUT', `/users/${username}/role`, { role: 'emperor' })).status).toBe(422);
    const own = await ask('PUT', `/users/${admin.username}/role`, { role: 'user', ...PROOF });
    expect(own.status).toBe(422);
    expect(own.body['errors']).toEqual({ role: ['The only admin cannot give up the role.'] });
  });

  it('ends sessions of others within a second, with an entry in the audit log', async () => {
    const session = await setup.gateway.register('ends_sessions');
    const token = await setup.gateway.mintToken(session, { name: 'camera' });
    const status = async (secret: string) =>
      (await setup.gateway.ask('GET', '/me', { token: secret })).status;
    const [open] = await listOf<{ id: number; current: boolean }>('/users/ends_sessions/sessions');
    expect(open).toMatchObject({ current: false });
    expect((await ask('DELETE', `/users/${admin.username}/sessions/${open!.id}`)).status).toBe(404);
    expect((await ask('DELETE', `/users/ends_sessions/sessions/${open!.id}`)).status).toBe(200);
    await withinSeconds(1, async () => expect(await status(session)).toBe(401));
    expect(await status(token)).toBe(200);
    const [listed] = await listOf<{ id: number; name: string }>('/users/ends_sessions/tokens');
    expect(JSON.stringify(listed)).not.toContain(token);
    expect((await ask('DELETE', `/users/ends_sessions/tokens/${listed!.id}`)).status).toBe(200);
    await withinSeconds(1, async () => expect(await status(token)).toBe(401));
    const login = await setup.gateway.ask('POST', '/auth/login', {
      body: { login: 'ends_sessions', password: PASSWORD },
    });
    expect((await ask('DELETE', '/users/ends_sessions/sessions')).status).toBe(200);
    await withinSeconds(1, async () => expect(await status(String(login.body['session']))).toBe(401));
    const by = { actor: admin.username, subject: 'ends_sessions', address: '127.0.0.1' };
    expect(await entriesOf('ends_sessions')).toMatchObject([
      { ...by, action: 'user.end_sessions', detail: { sessions: 1 } },
      { ...by, action: 'token.revoke', detail: { id: listed!.id } },
      { ...by, action: 'user.end_session', detail: { id: open!.id } },
    ]);
  });

  it('shows what is stored, its growth, and who stores the most', async () => {
    await storeMedia(setup.database, admin);
    await eventually(async () => {
      const { body } = await ask('GET', '/storage');
      const data = body['data'] as {
        bytes: number;
        variant_bytes: number;
        kinds: { kind: string; bytes: number; variant_bytes: number }[];
        days: { bytes: number }[];
        largest_accounts: { username: string; guest: boolean; storage: object }[];
      };
      expect(data).toMatchObject({ bytes_limit: null });
      expect(data.bytes).toBeGreaterThan(0);
      expect(data.kinds.map(({ kind }) => kind)).toEqual(['image', 'video']);
      const sum = data.kinds.reduce((all, { bytes, variant_bytes: more }) => all + bytes + more, 0);
      expect(sum).toBe(data.bytes + data.variant_bytes);
      expect(data.days).toHaveLength(90);
      expect(data.days.at(-1)!.bytes).toBeGreaterThan(0);
      expect(data.largest_accounts.find(({ username }) => username === admin.username)).toMatchObject({
        guest: false,
        storage: { files: 1, bytes_limit: null },
      });
    });
  });

  it('helps people who cannot log in, and tells them', async () => {
    const session = await setup.gateway.register('locked_out');
    await ask('PUT', '/users/locked_out/quota', { bytes: 5000, ...PROOF });
    expect((await ask('GET', '/users/locked_out')).body['data']).toMatchObject({
      second_factor: false,
      storage: { bytes: 0, bytes_limit: 5000, files: 0, files_limit: null },
      quota_bytes: 5000,
      quota_files: null,
    });
    const { status, body } = await ask('POST', '/users/LOCKED_OUT/reset-link', PROOF);
    expect(status).toBe(200);
    const code = new URL(String(body['url'])).searchParams.get('code');
    const reset = (password: string) =>
      setup.gateway.ask('POST', '/auth/password-reset/complete', { body: { code, password } });
    expect((await reset('another long passphrase')).status).toBe(200);
    expect((await reset('yet another long passphrase')).status).toBe(422);
    await withinSeconds(1, async () => {
      expect((await setup.gateway.ask('GET', '/me', { token: session })).status).toBe(401);
    });
    expect((await ask('DELETE', '/users/locked_out/second-factors', PROOF)).status).toBe(200);
    for (const [method, path] of [
      ['POST', 'reset-link'],
      ['DELETE', 'second-factors'],
    ] as const) {
      expect((await ask(method, `/users/nobody_here/${path}`, PROOF)).status).toBe(404);
    }
    expect(await entriesOf('locked_out')).toMatchObject([
      { actor: admin.username, action: 'user.remove_second_factor' },
      { actor: admin.username, action: 'user.reset_link' },
      { actor: admin.username, action: 'user.change_quota' },
    ]);
    expect(JSON.stringify(await entriesOf('locked_out'))).not.toContain(code);
  });

  it('asks the admin for the password or a code before what gives power over an account or destroys it', async () => {
    await setup.gateway.register('not_touched');
    const session = await setup.gateway.register('careful_admin');
    await setup.database.query(`update users set role = 'admin' where username = 'careful_admin'`);
    const path = '/users/not_touched';
    for (const [method, of, body] of [
      ['PUT', '/role', { role: 'admin' }],
      ['PUT', '/quota', { files: 1 }],
      ['POST', '/reset-link', {}],
      ['DELETE', '/second-factors', {}],
      ['DELETE', '', { username: 'not_touched', reason: 'Spam.' }],
    ] as const) {
      const { status, body: answer } = await setup.gateway.ask(method, `/admin${path}${of}`, {
        token: session,
        body,
      });
      expect({ of, status, fields: Object.keys(answer['errors'] ?? {}) }).toEqual({
        of,
        status: 422,
        fields: ['current_password'],
      });
    }
    expect(await entriesOf('not_touched')).toEqual([]);
    await setup.database.query(`update users set role = 'user' where username = 'careful_admin'`);
  });

  it('deletes accounts after a confirmation', async () => {
    const session = await setup.gateway.register('to_be_deleted');
    const path = '/users/to_be_deleted';
    expect((await ask('DELETE', path, { username: 'to_be_deleted' })).body['errors']).toHaveProperty(
      'reason',
    );
    const other = await ask('DELETE', path, { username: 'another', reason: 'Spam.', ...PROOF });
    expect(other.status).toBe(422);
    expect((await ask('DELETE', path, { username: 'to_be_deleted', reason: 'Spam.', ...PROOF })).status).toBe(
      200,
    );
    expect((await ask('GET', path)).status).toBe(404);
    await withinSeconds(1, async () => {
      expect((await setup.gateway.ask('GET', '/me', { token: session })).status).toBe(401);
    });
    expect(await entriesOf('to_be_deleted')).toMatchObject([
      { action: 'user.delete', detail: { reason: 'Spam.' } },
    ]);
  });

  // Promise [administration]: Admins see the settings in effect; of secrets only whether they are set.
  it('shows the settings in effect, of secrets only whether they are set', async () => {
    const settings = await listOf<{ process: string; name: string; value: string | null }>('/settings');
    expect(new Set(settings.map(({ process }) => process))).toEqual(new Set(['api-gateway']));
    const of = (name: string) => settings.find((setting) => setting.name === name);
    expect(of('DATABASE_URL')).toMatchObject({ secret: true, set: true, value: null });
    expect(of('SITE_SERVICE_KEY')).toMatchObject({ secret: true, value: null });
    expect(of('REGISTRATION')).toMatchObject({ secret: false, set: true, value: 'open' });
    expect(JSON.stringify(settings)).not.toMatch(/postgres(ql)?:/);
  });

  // Promise [administration]: Admins see queues and errors, and can request that dead letters are tried
  // again.
  it('shows the work of the processes, and takes requests to replay dead letters', async () => {
    await setup.database.query(
      `insert into bus_reports (queue, waiting, dead, letters) values ('upload-service.media.deleted', 2, 1, $1)`,
      [
        JSON.stringify([
          { id: '17', type: 'media.deleted', reason: 'No.', attempts: 5, died_at: '2026-11-03T10:00:00Z' },
        ]),
      ],
    );
    const { id } = await setup.addMedia();
    await setup.database.query(`update media set processing_error = 'The file is damaged.' where id = $1`, [
      id,
    ]);
    const { body } = await ask('GET', '/work');
    expect(body['data']).toMatchObject({
      queues: [
        {
          name: 'upload-service.media.deleted',
          waiting: 2,
          dead: 1,
          dead_letters: [{ id: '17', attempts: 5 }],
        },
      ],
      processing_errors: [{ reason: 'The file is damaged.', count: 1 }],
    });
    const replay = (fields: object) => ask('POST', '/dead-letters', fields);
    expect((await replay({ queue: 'unknown' })).status).toBe(422);
    expect((await replay({})).status).toBe(422);
    expect((await replay({ queue: 'upload-service.media.deleted', id: '17' })).status).toBe(202);
    expect((await replay({ queue: 'upload-service.media.deleted' })).status).toBe(202);
    const { rows } = await setup.database.query('select queue, letter from bus_replays order by id');
    expect(rows.map(({ letter }: { letter: string | null }) => letter)).toEqual(['17', null]);
    expect(await entriesOf('upload-service.media.deleted')).toMatchObject([
      { action: 'bus.replay', detail: { letter: 'all' } },
      { action: 'bus.replay', detail: { letter: '17' } },
    ]);
  });

  // Promise [administration]: Everything that staff does has an entry.
  it('has an entry for everything that staff does', async () => {
    const { author, stranger, moderator, database, gateway, asModerator } = setup;
    const media = await setup.addMedia();
    const post = await setup.makePost([await setup.addMedia()]);
    const comment = await gateway.ask('POST', `/posts/${post.slug}/comments`, {
      token: stranger.session,
      body: { content: 'x' },
    });
    const commentId = (comment.body['comment'] as { id: number }).id;
    const applicant = await createPerson(database);
    await database.query(`insert into applications (user_id, words) values ($1, 'Please.')`, [applicant.id]);
    await setup.report('user', author.username);
    const hash = 'ab'.repeat(32);

    await setup.rule(`/media/${media.slug}`, 'nsfw');
    await setup.rule(`/posts/${post.slug}`, 'nsfw');
    await asModerator('DELETE', `/reports/user/${author.username}`);
    await asModerator('POST', `/users/${stranger.username}`, { state: 'limited', reason: 'Spam.' });
    await asModerator('POST', `/applications/${applicant.username}`, { decision: 'accept' });
    const ban = await asModerator('POST', '/hashes', { hash, reason: 'Stolen.' });
    await asModerator('DELETE', `/hashes/${(ban.body['banned_hash'] as { id: number }).id}`);
    const asSelf = { token: moderator.session };
    await gateway.ask('DELETE', `/comments/${commentId}?post=${post.slug}`, asSelf);
    const invite = await gateway.ask('POST', '/invites', { ...asSelf, body: { uses: 3 } });
    const inviteId = (invite.body['invite'] as { id: number }).id;
    await gateway.ask('DELETE', `/invites/${inviteId}`, asSelf);

    const entries = await listOf<Entry>(`/audit-log?actor=${moderator.username}&limit=100`);
    expect(entries.map(({ action, subject }) => [action, subject]).reverse()).toEqual([
      ['media.rule', media.slug],
      ['post.rule', post.slug],
      ['report.dismiss', author.username],
      ['user.rule', stranger.username],
      ['application.decide', applicant.username],
      ['hash.ban', hash],
      ['hash.unban', hash],
      ['comment.delete', String(commentId)],
      ['invite.create', String(inviteId)],
      ['invite.revoke', String(inviteId)],
    ]);
    expect(new Set(entries.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
    expect(await listOf(`/audit-log?actor=${author.username}`)).toEqual([]);
    expect(await listOf('/audit-log?operator=1')).toEqual([]);
    expect(await listOf('/audit-log?action=hash.ban&from=2001-01-01T00:00:00Z')).toHaveLength(1);
    expect((await ask('GET', '/audit-log?action=user.promote')).status).toBe(422);
  });
});
