import { borrowStack, type Stack } from '@vitrine/testing';
import { Secret, TOTP } from 'otpauth';
import { FormVisitor } from './support/form-visitor';

const PATH = '/settings/security';
const PASSWORD = 'correct horse battery';

describe('the security settings, without scripts', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await borrowStack();
  });
  afterAll(() => stack?.close());

  const codeFrom = (html: string): string => {
    const [, secret = ''] = /id="secret"[^>]* value="([A-Z2-7]+)"/.exec(html) ?? [];
    return new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  };
  const recoveryCodesIn = (html: string): string[] =>
    [...html.matchAll(/<code>([0-9a-z-]{27})<\/code>/g)].map(([, code]) => code!);
  const logIn = async (username: string, password: string) => {
    const visitor = new FormVisitor(stack.siteUrl);
    await visitor.open('/login?next=/tags');
    return { visitor, answer: await visitor.submit('/login', { login: username, password }) };
  };

  // Promise [website]: An authenticator app is set up with a QR code.
  it('set up an app with a QR code, and the login then has a second step', async () => {
    const person = await stack.createPerson('careful');
    const { visitor, answer } = await logIn('careful', person.password);
    expect(answer.location).toBe('/tags');
    await visitor.open(PATH);
    const refused = await visitor.submit(`${PATH}/app`, { current_password: 'wrong' });
    expect([refused.status, refused.html.includes('The password is incorrect.')]).toEqual([422, true]);
    const begun = await visitor.submit(`${PATH}/app`, { current_password: person.password });
    expect(begun.html).toContain('<svg class="qr-code" role="img" aria-label="QR code');
    expect(begun.headers.get('Cache-Control')).toBe('private, no-store');
    const code = codeFrom(begun.html);
    const wrong = await visitor.submit(`${PATH}/app/confirm`, { code: '000000' });
    expect(wrong.html).toContain('This code is wrong');
    const on = await visitor.submit(`${PATH}/app/confirm`, { code });
    const codes = recoveryCodesIn(on.html);
    expect(codes).toHaveLength(10);
    expect((await visitor.open(PATH)).html).toContain('You have 10 recovery codes left.');

    const { visitor: other, answer: second } = await logIn('careful', person.password);
    expect([second.status, second.html.includes('Second step')]).toEqual([200, true]);
    expect(other.cookies.has('vitrine_session')).toBe(false);
    const again = await other.submit('/login/second-factor', { code: '000000' });
    expect([again.status, again.html.includes('This code is wrong')]).toEqual([422, true]);
    const done = await other.submit('/login/second-factor', { code: codes[0]! });
    expect([done.status, done.location]).toEqual([303, '/tags']);
    const history = await other.open(PATH);
    expect(history.html).toContain('password and recovery code');
    const expired = await other.post('/login/second-factor', { code: codes[1]! });
    expect(expired.status).not.toBe(303);
  });

  it('remember that the browser has logged in', async () => {
    const person = await stack.createPerson('returning');
    const { visitor } = await logIn('returning', person.password);
    const device = visitor.cookies.get('vitrine_device');
    await visitor.open('/tags');
    await visitor.submit('/logout');
    await visitor.open('/login');
    await visitor.submit('/login', { login: 'returning', password: person.password });
    expect(visitor.cookies.get('vitrine_device')).toBe(device);
    const [latest, earlier] = await person.client.security.logins();
    expect([latest?.known_device, earlier?.known_device]).toEqual([true, false]);
  });

  it('remember the browser in which the account was created, also for a second account', async () => {
    const visitor = new FormVisitor(stack.siteUrl);
    const register = async (username: string) => {
      await visitor.open('/register');
      const answer = await visitor.submit('/register', { username, password: PASSWORD });
      expect(answer.status).toBe(303);
      return visitor.cookies.get('vitrine_device');
    };
    const device = await register('first_here');
    expect(device).toMatch(/^[0-9A-Za-z]{40}$/);
    await visitor.open('/tags');
    await visitor.submit('/logout');
    expect(await register('second_here')).toBe(device);
    await visitor.open('/tags');
    await visitor.submit('/logout');
    await visitor.open('/login');
    await visitor.submit('/login', { login: 'first_here', password: PASSWORD });
    const { html } = await visitor.open(PATH);
    // Only the registration itself.
    expect(html.match(/new device/g)).toHaveLength(1);
  });

  it('keep a waiting form through the second step', async () => {
    const person = await stack.createPerson('interrupted');
    const { secret } = await person.client.security.beginApp({ current_password: person.password });
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const { recovery_codes: codes } = await person.client.security.confirmApp({ code: totp.generate() });
    const visitor = new FormVisitor(stack.siteUrl);
    await visitor.open('/login');
    await visitor.submit('/login', {
      login: 'interrupted',
      password: person.password,
      held_action: '/settings/profile',
      'held.bio': 'Words that must not be lost',
    });
    const done = await visitor.submit('/login/second-factor', { code: codes![0]! });
    expect(done.html).toContain('Words that must not be lost');
    expect(done.html).toContain('You are logged in as interrupted.');
  });

  it('say why a chosen password is refused', async () => {
    const visitor = new FormVisitor(stack.siteUrl);
    await visitor.open('/register');
    const refused = await visitor.submit('/register', { username: 'guessable', password: 'guessable123' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('This password is too easy to guess.');
  });
});

describe('a site that requires a second factor of staff', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await borrowStack({
      env: { SECOND_FACTOR: 'staff' },
      without: ['upload-service', 'media-processor', 'moderation-service'],
    });
  });
  afterAll(() => stack?.close());

  it('shows them the way to one before anything else', async () => {
    const staff = await stack.createPerson('keeper', { role: 'moderator' });
    const visitor = new FormVisitor(stack.siteUrl).logIn(staff);
    for (const path of ['/', '/tags', '/settings', '/moderation'])
      expect([path, (await visitor.open(path)).location]).toEqual([path, PATH]);
    const way = await visitor.open(PATH);
    expect(way.html).toContain('This site requires a second factor of your account.');
    const begun = await visitor.submit(`${PATH}/app`, { current_password: staff.password });
    const [, secret = ''] = /id="secret"[^>]* value="([A-Z2-7]+)"/.exec(begun.html) ?? [];
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await visitor.submit(`${PATH}/app/confirm`, { code });
    expect((await visitor.open('/moderation')).status).toBe(200);
    await visitor.open(PATH);
    const kept = await visitor.submit(`${PATH}/app/remove`, { current_password: staff.password });
    expect([kept.status, kept.html.includes('This site requires a second factor')]).toEqual([422, true]);
    const member = await stack.createPerson('visitor');
    visitor.logIn(member);
    expect((await visitor.open('/tags')).status).toBe(200);
  });
});
