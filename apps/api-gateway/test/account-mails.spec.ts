import { type MailServer, startMailServer } from '@vitrine/testing';
import { type Gateway, PASSWORD, startGateway } from './gateway';

describe('mails of accounts over HTTP', () => {
  let gateway: Gateway;
  let mailServer: MailServer;
  beforeAll(async () => {
    mailServer = await startMailServer();
    gateway = await startGateway({
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      MAIL_FROM: 'no-reply@example.org',
      PUBLIC_SITE_URL: 'https://example.org',
    });
  });
  afterAll(async () => {
    await gateway?.stop();
    await mailServer?.stop();
  });

  const post = (path: string, body: object, token?: string) =>
    gateway.ask('POST', path, { body, ...(token !== undefined && { token }) });
  const codeOf = async (address: string, subject: RegExp): Promise<string> => {
    const { links } = await mailServer.waitFor(address, subject);
    return new URL(links[0] ?? '').searchParams.get('code') ?? '';
  };
  /** An account with a verified address. */
  const registerVerified = async (username: string): Promise<{ session: string; email: string }> => {
    const email = `${username}@example.net`;
    const session = await gateway.register(username, { email });
    expect((await post('/auth/verify-email', { code: await codeOf(email, /Confirm/) })).status).toBe(200);
    return { session, email };
  };

  // Promise [accounts]: An email address is verified by a link.
  it('verify an address, which then is a name to log in with', async () => {
    expect((await gateway.ask('GET', '/site')).body).toMatchObject({ data: { sends_mail: true } });
    const email = 'Emmy.Noether@Example.net';
    const session = await gateway.register('emmy', { email });
    const me = async () => (await gateway.ask('GET', '/me', { token: session })).body['data'];
    expect(await me()).toMatchObject({ email, email_verified: false, verified_email: null });
    const code = await codeOf(email, /Confirm/);
    expect((await post('/auth/verify-email', { code })).status).toBe(200);
    expect(await me()).toMatchObject({ email, email_verified: true, verified_email: email });
    expect(await post('/auth/verify-email', { code })).toMatchObject({
      status: 422,
      body: { errors: { code: [expect.any(String)] } },
    });
    const login = email.toLowerCase();
    expect((await post('/auth/login', { login, password: PASSWORD })).status).toBe(200);
    expect(await post('/me/email/verification', {}, session)).toMatchObject({
      status: 422,
      body: { errors: { email: ['The email address is verified already.'] } },
    });
  });

  // Promise [accounts]: A new email address takes effect when verified, and the old one gets a notice.
  it('change an address only after the new one is verified, and tell the old one', async () => {
    const { session, email } = await registerVerified('changer');
    const next = 'changer.next@example.net';
    const patch = (body: object) => gateway.ask('PATCH', '/me', { token: session, body });
    expect((await patch({ email: next })).status).toBe(422);
    expect((await patch({ email: next, current_password: PASSWORD })).body).toMatchObject({
      data: { email: next, email_verified: false, verified_email: email },
    });
    await mailServer.waitFor(email, /A new email address was entered/);
    expect((await post('/me/email/verification', {}, session)).status).toBe(202);
    expect((await post('/auth/verify-email', { code: await codeOf(next, /Confirm/) })).status).toBe(200);
    await mailServer.waitFor(email, /was changed/);
  });

  // Promise [accounts]: A reset sets the password, ends all sessions and tokens, and opens no session.
  it('set a forgotten password, end all sessions and tokens, and open no session', async () => {
    const { session, email } = await registerVerified('forgetful');
    const token = await gateway.mintToken(session);
    expect((await post('/auth/password-reset', { login: 'FORGETFUL' })).status).toBe(202);
    const code = await codeOf(email, /Set a new password/);
    const complete = (password: string) => post('/auth/password-reset/complete', { code, password });
    expect((await complete('short')).status).toBe(422);
    const answers = await Promise.all([complete('staple of the horse'), complete('staple of the horse')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(answers.find(({ status }) => status === 200)?.body).toEqual({ message: expect.any(String) });
    for (const ended of [session, token]) {
      expect((await gateway.ask('GET', '/me', { token: ended })).status).toBe(401);
    }
    const password = 'staple of the horse';
    expect((await post('/auth/login', { login: 'forgetful', password })).status).toBe(200);
    await mailServer.waitFor(email, /set with a link/);
  });

  // Promise [accounts]: A password reset gives the same answer for all names.
  it('answer alike for known, unknown and unverified accounts', async () => {
    const { email } = await registerVerified('hidden_away');
    await gateway.register('unverified', { email: 'unverified@example.net' });
    const answers = [];
    for (const login of ['hidden_away', email, 'nobody_here', 'x@example.net', 'unverified']) {
      const { status, body, headers } = await post('/auth/password-reset', { login });
      answers.push(JSON.stringify([status, body, headers.get('Content-Length')]));
    }
    expect(new Set(answers).size).toBe(1);
  });
});
