import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Person, type Stack, borrowStack } from '@vitrine/testing';
import { FormVisitor } from './support/form-visitor';
import { upload } from './support/gallery';
import { landscape } from './support/samples';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SECRET = /vtr_[A-Za-z0-9]{40}/;

const SMALL_PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="5" height="5"/></svg>';

describe('settings', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await borrowStack({ without: ['media-processor', 'moderation-service'] });
  });
  afterAll(() => stack?.close());

  const as = (person: Pick<Person, 'session'>): FormVisitor =>
    new FormVisitor(stack.siteUrl, { 'User-Agent': FIREFOX }).logIn(person);
  const uploadAs = async ({ client }: Person, hue: number) =>
    upload(client, await landscape('hills.jpg', hue, 90, 60));

  it('are not shown to others, and not cached', async () => {
    const person = await stack.createPerson('owner');
    for (const path of [
      '/settings',
      '/settings/security',
      '/settings/tokens',
      '/settings/avatar',
      '/settings/delete',
    ]) {
      const anonymous = await new FormVisitor(stack.siteUrl).open(path);
      expect([anonymous.status, anonymous.location]).toEqual([
        303,
        `/login?next=${encodeURIComponent(path)}`,
      ]);
      const own = await as(person).open(path);
      expect([own.status, own.headers.get('Cache-Control')]).toEqual([200, 'private, no-store']);
      expect(own.headers.get('X-Robots-Tag')).toBe('noindex');
    }
  });

  // Promise [website]: People change profile, email address and password, end their sessions, and delete the
  // account.
  it('change and clear the profile, and show errors', async () => {
    const person = await stack.createPerson('profiled');
    const visitor = as(person);
    await visitor.open('/settings');

    const saved = await visitor.submit('/settings/profile', { bio: 'Two\r\nlines <b>&' });
    expect([saved.status, saved.location]).toEqual([303, '/settings']);
    expect(await person.client.me.get()).toMatchObject({ bio: 'Two\nlines <b>&', email: null });
    const shown = await visitor.open('/settings');
    expect(shown.html).toContain('Two\nlines &lt;b>&amp;</textarea>');
    expect(visitor.fieldsOf('/settings/profile')).toMatchObject({ bio: 'Two\r\nlines <b>&' });

    const refused = await visitor.submit('/settings/profile', { bio: 'Kept as typed'.repeat(50) });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('Kept as typed</textarea>');
    expect((await visitor.open('/settings/profile')).location).toBe('/settings');

    await visitor.open('/settings');
    await visitor.submit('/settings/profile', { bio: '' });
    expect(await person.client.me.get()).toMatchObject({ bio: null });
  });

  it('change the email address only with the password', async () => {
    const person = await stack.createPerson('reachable');
    const visitor = as(person);
    await visitor.open('/settings');
    for (const current_password of ['', 'not the password']) {
      const refused = await visitor.submit('/settings/email', { email: 'me@example.org', current_password });
      expect([refused.status, refused.html.includes('value="me@example.org"')]).toEqual([422, true]);
    }
    const typed = { email: 'me@example.org', current_password: person.password };
    expect((await visitor.submit('/settings/email', typed)).location).toBe('/settings');
    expect(await person.client.me.get()).toMatchObject({ email: 'me@example.org' });
    expect((await visitor.open('/settings/email')).location).toBe('/settings');
  });

  it('accept only the user’s own picture as an avatar', async () => {
    const [person, other] = [await stack.createPerson('pictured'), await stack.createPerson('foreign')];
    const [own, foreign] = [await uploadAs(person, 10), await uploadAs(other, 20)];
    const visitor = as(person);
    const page = await visitor.open('/settings/avatar');
    expect(page.html).toContain(`value="${own.slug}"`);
    expect(page.html).not.toContain(foreign.slug);

    const refused = await visitor.submit('/settings/avatar', { avatar: foreign.slug });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('The selected avatar is invalid.');

    expect((await visitor.submit('/settings/avatar', { avatar: own.slug })).location).toBe('/settings');
    // The picture is shown after it is approved.
    expect((await person.client.me.get()).avatar).toBeNull();
    const judge = await stack.createPerson('avatar_judge', { role: 'moderator' });
    await judge.client.moderation.ruleOnMedia(own.slug, { status: 'approved', reason: 'A hill.' });
    expect((await person.client.me.get()).avatar).toContain(own.slug);
    const settings = await visitor.open('/settings');
    expect(settings.html).toContain(`/f/${own.slug}_xs.jpg`);
    await visitor.submit('/settings/avatar');
    expect((await person.client.me.get()).avatar).toBeNull();
  });

  it('change the password, which ends other sessions and, unless they are kept, API tokens', async () => {
    const person = await stack.createPerson('renewed');
    const { session: elsewhere } = await stack
      .client()
      .auth.login({ login: 'renewed', password: person.password });
    const { token } = await person.client.tokens.create({ name: 'x', current_password: person.password });
    const visitor = as(person);
    await visitor.open('/settings');

    const wrong = await visitor.submit('/settings/password', {
      current_password: 'not the password',
      password: 'a whole new password',
    });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('The password is incorrect.');
    expect(wrong.html).not.toMatch(/not the password|a whole new password/);

    const done = await visitor.submit('/settings/password', {
      current_password: person.password,
      password: 'a whole new password',
      keep_tokens: '1',
    });
    expect([done.status, done.location]).toEqual([303, '/settings']);
    expect((await stack.client(token).me.get()).username).toBe('renewed');
    expect((await visitor.open('/settings')).status).toBe(200);
    await expect(stack.client(elsewhere).me.get()).rejects.toMatchObject({ code: 'unauthenticated' });

    const [current_password, password] = ['a whole new password', 'another whole new password'];
    await visitor.submit('/settings/password', { current_password, password });
    await expect(stack.client(token).me.get()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('list and end the user’s own sessions only', async () => {
    const [person, other] = [await stack.createPerson('everywhere'), await stack.createPerson('untouched')];
    const client = new FormVisitor(stack.siteUrl, { 'User-Agent': FIREFOX });
    await client.open('/login');
    await client.submit('/login', { login: 'everywhere', password: person.password });
    const page = await client.open('/settings');
    expect(page.html).toContain('<strong>Firefox on Linux</strong>');
    expect(page.html).toMatch(/this device/);
    const [foreign] = await other.client.sessions.list();

    const proof = { current_password: person.password };
    await client.post(`/settings/sessions/${foreign?.id}/end`, {
      ...tokenOf(client, '/settings/profile'),
      ...proof,
    });
    expect(await other.client.sessions.list()).toHaveLength(1);

    const older = (await person.client.sessions.list()).find(({ current }) => current);
    const path = `/settings/sessions/${older?.id}/end`;
    await client.open(path);
    const refused = await client.submit(path, { current_password: 'wrong' });
    expect([refused.status, refused.html.includes('The password is incorrect.')]).toEqual([422, true]);
    const ended = await client.submit(path, proof);
    expect([ended.status, ended.location]).toEqual([303, '/settings']);
    await expect(person.client.me.get()).rejects.toMatchObject({ code: 'unauthenticated' });

    const { session } = await stack.client().auth.login({ login: 'everywhere', password: person.password });
    await client.open('/settings');
    await client.open('/settings/sessions/end-others');
    await client.submit('/settings/sessions/end-others', proof);
    await expect(stack.client(session).me.get()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect((await client.open('/settings')).html).not.toContain('/settings/sessions/end-others');
  });

  const tokenOf = (visitor: FormVisitor, action: string) => ({
    _token: visitor.fieldsOf(action)['_token'] ?? '',
  });

  describe('API tokens', () => {
    // Promise [website]: A new API token has chosen scopes and an end, is shown once, and can be revoked.
    it('are shown once, on a page that is not cached', async () => {
      const person = await stack.createPerson('token_maker');
      const visitor = as(person);
      await visitor.open('/settings/tokens');
      const sent = {
        ...visitor.fieldsOf('/settings/tokens'),
        name: 'My <laptop>',
        scopes: ['upload', 'read'],
        current_password: person.password,
      };

      const made = await visitor.post('/settings/tokens', sent);

      expect([made.status, made.headers.get('Cache-Control')]).toEqual([200, 'private, no-store']);
      const [secret = ''] = SECRET.exec(made.html) ?? [];
      expect(made.html).toContain('My &lt;laptop>');
      expect(made.html).toContain(`-F file=@photo.jpg ${stack.uploadUrl}`);
      expect((await stack.client(secret).me.get()).username).toBe('token_maker');
      expect(visitor.setCookies.join()).not.toContain('vtr_');
      for (const path of ['/settings/tokens', '/settings', '/']) {
        expect((await visitor.open(path)).html).not.toMatch(SECRET);
      }
      // Reloading the page sends the form again and returns the same token.
      const again = await visitor.post('/settings/tokens', sent);
      expect(again.html).toContain(secret);
      expect(await stack.client(person.session).tokens.list()).toMatchObject([
        { name: 'My <laptop>', scopes: ['read', 'upload'], expires_at: expect.stringMatching(/T23:59:59/) },
      ]);
    });

    // Promise [website]: A new token can be downloaded as a file for ShareX.
    it('can be downloaded as a file for ShareX, and are in no address', async () => {
      const person = await stack.createPerson('sharex');
      const visitor = as(person);
      await visitor.open('/settings/tokens');
      const made = await visitor.submit('/settings/tokens', {
        name: 'ShareX',
        current_password: person.password,
      });
      const [secret = ''] = SECRET.exec(made.html) ?? [];
      expect(made.html).not.toMatch(/(?:href|action|src)="[^"]*vtr_/);

      const file = await visitor.submit('/settings/tokens/sharex');

      expect(file.status).toBe(200);
      expect(file.headers.get('Content-Disposition')).toBe('attachment; filename="vitrine.sxcu"');
      expect(file.headers.get('Cache-Control')).toBe('private, no-store');
      expect(file.headers.get('X-Content-Type-Options')).toBe('nosniff');
      const example = readFileSync(join(__dirname, '../../../docs/vitrine.sxcu'), 'utf8');
      expect(JSON.parse(file.html)).toEqual({
        ...(JSON.parse(example) as object),
        RequestURL: stack.uploadUrl,
        Headers: { Authorization: `Bearer ${secret}` },
      });
      expect((await visitor.open(`/settings/tokens/sharex?token=${secret}`)).status).toBe(404);
      const { _token } = visitor.fieldsOf('/logout');
      for (const token of ['vtr_short', `${secret}"`, `${secret}\r\nX: y`, '<script>', '']) {
        expect((await visitor.post('/settings/tokens/sharex', { _token: _token ?? '', token })).status).toBe(
          404,
        );
      }
      const foreign = await visitor.post('/settings/tokens/sharex', { token: secret });
      expect([foreign.status, foreign.html.includes(secret)]).toEqual([403, false]);
    });

    it('are offered as an upload address only if they can do nothing but upload', async () => {
      const person = await stack.createPerson('addressee');
      const visitor = as(person);
      const make = async (scopes: readonly string[]): Promise<string> => {
        await visitor.open('/settings/tokens');
        const form = { name: 'Camera', scopes, current_password: person.password };
        return (await visitor.submit('/settings/tokens', form)).html;
      };
      const made = await make(['upload']);
      const [secret = ''] = SECRET.exec(made) ?? [];
      const address = `${new URL(stack.uploadUrl).origin}/c/${secret}/`;
      expect(made).toContain(`value="${address}"`);
      const upload = await fetch(`${address}screenshot.png`, { method: 'PUT', body: SMALL_PICTURE });
      expect([upload.status, await upload.text()]).toEqual([201, expect.stringContaining('/f/')]);
      expect(await make(['upload', 'read'])).not.toContain('/c/vtr_');
    });

    it('have the chosen scopes until the chosen day', async () => {
      const person = await stack.createPerson('chooser');
      const visitor = as(person);
      await visitor.open('/settings/tokens');

      const none = await visitor.submit('/settings/tokens', { name: 'Nothing', scopes: [] });
      expect(none.status).toBe(422);
      expect(none.html).toContain('Choose at least one.');
      expect(none.html).toContain('value="Nothing"');
      const noDay = await visitor.submit('/settings/tokens', { scopes: ['read'], expires: 'day', day: '' });
      expect([noDay.status, noDay.html.includes('Choose the day on which it expires.')]).toEqual([422, true]);
      const past = await visitor.submit('/settings/tokens', {
        scopes: ['read'],
        expires: 'day',
        day: '2020-01-01',
        current_password: person.password,
      });
      expect(past.status).toBe(422);
      expect(past.html).toContain('value="2020-01-01"');

      const made = await visitor.submit('/settings/tokens', {
        scopes: ['read'],
        expires: 'day',
        day: '2099-12-31',
        current_password: person.password,
      });
      expect(made.status).toBe(200);
      expect(made.html).not.toContain('/settings/tokens/sharex');
      const [token] = await person.client.tokens.list();
      expect(token).toMatchObject({
        name: 'Nothing',
        scopes: ['read'],
        expires_at: '2099-12-31T23:59:59.000Z',
      });
    });

    it('offer the scope moderate to staff only', async () => {
      const [person, judge] = [
        await stack.createPerson('plain_user'),
        await stack.createPerson('staff_judge', { role: 'moderator' }),
      ];
      expect((await as(person).open('/settings/tokens')).html).not.toContain('value="moderate"');
      const visitor = as(judge);
      await visitor.open('/settings/tokens');
      const made = await visitor.submit('/settings/tokens', {
        name: 'Queue',
        scopes: ['read', 'moderate'],
        current_password: judge.password,
      });
      const [secret = ''] = SECRET.exec(made.html) ?? [];
      expect((await stack.client(secret).moderation.queue.list()).data).toEqual([]);
    });

    it('are revoked at once, but not those of others', async () => {
      const [person, other] = [await stack.createPerson('revoker'), await stack.createPerson('kept')];
      const { token: secret, api_token: own } = await person.client.tokens.create({
        name: 'Old',
        current_password: person.password,
      });
      const { token: kept, api_token: foreign } = await other.client.tokens.create({
        name: 'Theirs',
        current_password: other.password,
      });
      const visitor = as(person);
      await visitor.open('/settings/tokens');

      const answer = await visitor.submit(`/settings/tokens/${own.id}/revoke`);
      await visitor.post(`/settings/tokens/${foreign.id}/revoke`, tokenOf(visitor, '/settings/tokens'));
      const odd = await visitor.post('/settings/tokens/1e3/revoke', tokenOf(visitor, '/settings/tokens'));

      expect([answer.status, answer.location, odd.status]).toEqual([303, '/settings/tokens', 404]);
      await expect(stack.client(secret).me.get()).rejects.toMatchObject({ code: 'unauthenticated' });
      expect((await stack.client(kept).me.get()).username).toBe('kept');
    });
  });

  it('delete the account only with its password', async () => {
    const person = await stack.createPerson('goner');
    const visitor = as(person);
    await visitor.open('/settings/delete');

    const wrong = await visitor.submit('/settings/delete', { password: 'not the password' });
    expect([wrong.status, wrong.html.includes('The password is incorrect.')]).toEqual([422, true]);
    const done = await visitor.submit('/settings/delete', { password: person.password });

    expect([done.status, done.location]).toEqual([303, '/']);
    expect(visitor.cookies.has('vitrine_session')).toBe(false);
    expect((await visitor.open('/u/goner')).status).toBe(404);
    await expect(person.client.me.get()).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
