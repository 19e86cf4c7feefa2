import { type MailServer, startMailServer, startService, type Stack, startStack } from '@vitrine/testing';
import { FormVisitor } from './support/form-visitor';

const PASSWORD = 'correct horse battery';

describe('accounts', () => {
  let stack: Stack;
  let mailServer: MailServer;
  let address = 0;

  beforeAll(async () => {
    mailServer = await startMailServer();
    stack = await startStack({
      without: ['upload-service', 'media-processor', 'moderation-service'],
      env: {
        TRUSTED_PROXIES: '127.0.0.0/8,::1',
        SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
        MAIL_FROM: 'no-reply@example.org',
      },
    });
  });
  afterAll(async () => {
    await stack?.close();
    await mailServer?.stop();
  });

  /** A visitor with a separate address, so that attempts of other tests don't count. */
  const newVisitor = (): FormVisitor =>
    new FormVisitor(stack.siteUrl, { 'X-Forwarded-For': `10.0.0.${++address}`, 'User-Agent': FIREFOX });
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

  const logIn = async (username: string, visitor = newVisitor()): Promise<FormVisitor> => {
    await visitor.open('/login');
    const answer = await visitor.submit('/login', { login: username, password: PASSWORD });
    expect([answer.status, answer.location]).toEqual([303, '/']);
    return visitor;
  };
  const session = (visitor: FormVisitor): string => visitor.cookies.get('vitrine_session') ?? '';
  /** Whether the API still accepts a session. */
  const lives = (secret: string): Promise<boolean> =>
    stack
      .client(secret)
      .me.get()
      .then(
        () => true,
        () => false,
      );

  describe('signing up', () => {
    // Promise [website]: `/register` creates an account and logs in.
    it('needs a name and a password, and logs in at once', async () => {
      const visitor = newVisitor();
      await visitor.open('/register?next=%2Ftags%3Fq%3Dx');

      const answer = await visitor.submit('/register', { username: 'Newcomer', password: PASSWORD });

      expect([answer.status, answer.location]).toEqual([303, '/tags?q=x']);
      expect((await stack.client(session(visitor)).me.get()).username).toBe('Newcomer');
      const page = await visitor.open('/');
      expect(page.html).toContain('Welcome, Newcomer!');
      expect(page.html).toContain('Account menu of Newcomer');
      expect((await visitor.open('/')).html).not.toContain('Welcome, Newcomer!');
    });

    it('creates one account if the form is sent twice', async () => {
      const visitor = newVisitor();
      await visitor.open('/register');
      const fields = { ...visitor.fieldsOf('/register'), username: 'twice', password: PASSWORD };

      const answers = await Promise.all([
        visitor.post('/register', fields),
        visitor.post('/register', fields),
      ]);

      // The slower request waits for the result of the other one.
      expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    });

    it('shows errors beside the fields, and keeps all values except the password', async () => {
      await stack.createPerson('taken_name');
      const visitor = newVisitor();
      await visitor.open('/register');

      const answer = await visitor.submit('/register', {
        username: 'TAKEN_name',
        password: PASSWORD,
        email: 'somebody@example.org',
      });

      expect(answer.status).toBe(422);
      expect(answer.html).toContain('The username has already been taken.');
      expect(answer.html).toMatch(
        /aria-invalid="true"[^>]*value="TAKEN_name"|value="TAKEN_name"[^>]*aria-invalid/,
      );
      expect(answer.html).toContain('value="somebody@example.org"');
      expect(answer.html).not.toContain(PASSWORD);
      expect(answer.html).toContain('autocomplete="new-password"');

      const short = await visitor.submit('/register', { username: 'somebody_else', password: 'short' });
      expect(short.status).toBe(422);
      expect(short.html).toContain('The password field must be at least 10 characters.');
    });
  });

  describe('mails', () => {
    const EMAIL = 'postbox@example.net';
    /** The path of the link in a mail. */
    const linkTo = async (subject: RegExp): Promise<string> => {
      const { links } = await mailServer.waitFor(EMAIL, subject);
      const { pathname, search } = new URL(links[0] ?? '');
      return `${pathname}${search}`;
    };

    it('confirm an address, and set a forgotten password; opening a link changes nothing', async () => {
      const visitor = newVisitor();
      await visitor.open('/register');
      await visitor.submit('/register', { username: 'postbox', password: PASSWORD, email: EMAIL });
      expect((await visitor.open('/settings')).html).toContain('Your address is not confirmed yet.');
      const confirmation = await linkTo(/Confirm/);
      const page = await visitor.open(confirmation);
      expect(page.headers.get('Referrer-Policy')).toBe('strict-origin');
      expect(page.headers.get('Cache-Control')).toBe('private, no-store');
      expect((await visitor.open('/settings')).html).toContain('Your address is not confirmed yet.');
      await visitor.open(confirmation);
      expect((await visitor.submit('/verify-email')).location).toBe('/');
      expect((await visitor.open('/settings')).html).toContain('Your address is confirmed.');
      await visitor.open(confirmation);
      const again = await visitor.submit('/verify-email');
      expect([again.status, again.html]).toEqual([
        422,
        expect.stringContaining('This link is invalid, has expired or was used already.'),
      ]);

      const forgetful = newVisitor();
      expect((await forgetful.open('/login')).html).toContain('href="/forgot-password"');
      await forgetful.open('/forgot-password');
      const asked = await forgetful.submit('/forgot-password', { login: EMAIL });
      const reset = await linkTo(/Set a new password/);
      const form = await forgetful.open(reset);
      expect(form.headers.get('Referrer-Policy')).toBe('strict-origin');
      expect(form.html).toContain('<meta name="robots" content="noindex"');
      const short = await forgetful.submit('/reset-password', { password: 'short' });
      expect(short.html).toContain('The password field must be at least 10 characters.');
      const done = await forgetful.submit('/reset-password', { password: 'staple of the horse' });
      expect(done.location).toBe('/login');
      expect((await forgetful.open('/login')).html).toContain('Your password was set.');
      expect(await lives(session(visitor))).toBe(false);
      await forgetful.submit('/login', { login: EMAIL, password: 'staple of the horse' });
      expect((await forgetful.open('/')).html).toContain('Account menu of postbox');

      const other = newVisitor();
      await other.open('/forgot-password');
      const unknown = await other.submit('/forgot-password', { login: 'nobody_of_this_name' });
      const plain = (html: string): string => html.replace(/name="_(token|form)" value="[^"]*"/g, '');
      expect([unknown.status, plain(unknown.html)]).toEqual([asked.status, plain(asked.html)]);
    });
  });

  describe('logging in', () => {
    beforeAll(() => stack.createPerson('ada'));

    it('sends the visitor to the page that they wanted', async () => {
      const visitor = newVisitor();
      const way = await visitor.open('/settings/tokens');
      expect([way.status, way.location]).toEqual([303, '/login?next=%2Fsettings%2Ftokens']);
      await visitor.open(way.location ?? '');

      const answer = await visitor.submit('/login', { login: 'ada', password: PASSWORD });

      expect([answer.status, answer.location]).toEqual([303, '/settings/tokens']);
      expect((await visitor.open('/settings/tokens')).status).toBe(200);
      const again = await visitor.open('/login?next=/tags');
      expect([again.status, again.location]).toEqual([303, '/tags']);
    });

    it.each([
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'javascript:alert(1)',
      '/.//evil.example',
    ])('never redirects to %j', async (next) => {
      const visitor = newVisitor();
      const page = await visitor.open(`/login?${new URLSearchParams({ next }).toString()}`);
      expect(page.html).not.toContain('evil.example');

      const answer = await visitor.submit('/login', { login: 'ada', password: PASSWORD, next });

      expect([answer.status, answer.location]).toEqual([303, '/']);
      const twice = await visitor.open(`/login?${new URLSearchParams({ next }).toString()}`);
      expect(twice.location).toBe('/');
    });

    // Promise [website]: Logging in doesn’t reveal which names exist.
    it('does not reveal which names exist', async () => {
      const pageOf = async (login: string): Promise<string> => {
        const visitor = newVisitor();
        await visitor.open('/login');
        const answer = await visitor.submit('/login', { login, password: 'not the password' });
        expect(answer.status).toBe(422);
        expect(answer.html).toContain('These credentials do not match our records.');
        return answer.html
          .replaceAll(login, 'NAME')
          .replace(/name="_(token|form)" value="[^"]*"/g, '')
          .replace(/not the password/g, 'LEAK');
      };

      const known = await pageOf('ada');

      expect(await pageOf('nobody_at_all')).toBe(known);
      expect(known).not.toContain('LEAK');
    });

    it('is refused after five failures, and says for how long', async () => {
      await stack.createPerson('guessed');
      const visitor = newVisitor();
      await visitor.open('/login');
      for (let i = 0; i < 5; i++) {
        expect((await visitor.submit('/login', { login: 'guessed', password: `guess ${i}` })).status).toBe(
          422,
        );
      }

      const answer = await visitor.submit('/login', { login: 'guessed', password: PASSWORD });

      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(200);
      expect(answer.html).toContain('Too many attempts. Wait 5 minutes, then try again.');
      expect(answer.html).toContain('value="guessed"');
      expect(visitor.cookies.has('vitrine_session')).toBe(false);
      // Failures count per address, so that nobody can lock others out of their accounts.
      await logIn('guessed');
    });

    it('can’t be triggered by another site', async () => {
      const attacker = newVisitor();
      await attacker.open('/login');
      const theirs = { ...attacker.fieldsOf('/login'), login: 'ada', password: PASSWORD };
      const victim = newVisitor();
      await victim.open('/login');
      const own = { ...victim.fieldsOf('/login'), login: 'ada', password: PASSWORD };

      const tries = [
        await victim.post('/login', theirs),
        await victim.post('/login', own, { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }),
        await victim.post('/login', own, { 'Sec-Fetch-Site': 'same-site' }),
        await newVisitor().post('/login', own),
      ];

      for (const { status } of tries) expect(status).toBe(403);
      expect(victim.setCookies.join()).not.toContain('vitrine_session');
      expect((await victim.post('/login', own)).status).toBe(303);
    });

    // Promise [website]: A login doesn’t adopt a planted session.
    it('does not adopt a planted session, and ends the previous one', async () => {
      const attacker = await logIn('ada');
      const planted = session(attacker);
      await stack.createPerson('victim');
      const victim = newVisitor();
      victim.cookies.set('vitrine_session', planted);
      await attacker.open('/settings');
      const { _token: boundToPlanted = '' } = attacker.fieldsOf('/settings/profile');
      await victim.open('/preferences');

      const answer = await victim.post('/login', {
        _token: boundToPlanted,
        login: 'victim',
        password: PASSWORD,
      });

      expect(answer.status).toBe(303);
      expect(session(victim)).not.toBe(planted);
      expect((await stack.client(session(victim)).me.get()).username).toBe('victim');
      expect(await lives(planted)).toBe(false);
      // Forms from before the login are invalid.
      const stale = await victim.post('/settings/profile', { _token: boundToPlanted, bio: 'not mine' });
      expect(stale.status).toBe(403);
    });
  });

  describe('logging out', () => {
    it('ends the session at once, and only through a form of this site', async () => {
      await stack.createPerson('leaver');
      const visitor = await logIn('leaver');
      const secret = session(visitor);
      expect((await visitor.open('/logout')).status).toBe(404);
      expect((await visitor.post('/logout', {})).status).toBe(403);
      await visitor.open('/settings');
      const { _token: token = '' } = visitor.fieldsOf('/logout');
      expect(
        (await visitor.post('/logout', { _token: token }, { 'Sec-Fetch-Site': 'cross-site' })).status,
      ).toBe(403);
      expect(await lives(secret)).toBe(true);

      await visitor.open('/');
      const answer = await visitor.submit('/logout');

      expect([answer.status, answer.location]).toEqual([303, '/']);
      expect(visitor.cookies.has('vitrine_session')).toBe(false);
      expect(await lives(secret)).toBe(false);
      expect((await visitor.open('/settings')).location).toBe('/login?next=%2Fsettings');
    });

    it('works if the session has already ended', async () => {
      await stack.createPerson('leaver_twice');
      const visitor = await logIn('leaver_twice');
      await visitor.open('/');
      await stack.client(session(visitor)).auth.logout();

      expect((await visitor.submit('/logout')).status).toBe(303);
      expect(visitor.cookies.has('vitrine_session')).toBe(false);
    });
  });

  describe('the session cookie', () => {
    // Promise [website]: The session is in an HttpOnly and SameSite cookie.
    it('is HttpOnly and not sent with requests from other sites', async () => {
      await stack.createPerson('cookie');
      const visitor = await logIn('cookie');

      const line = visitor.setCookies.findLast((cookie) => cookie.startsWith('vitrine_session=')) ?? '';
      expect(line.split('; ').slice(1)).toEqual(['Max-Age=34560000', 'Path=/', 'HttpOnly', 'SameSite=Lax']);
      for (const cookie of visitor.setCookies) expect(cookie).toMatch(/; HttpOnly; SameSite=Lax$/);
    });

    it('does not lock visitors out if its value is invalid', async () => {
      await stack.createPerson('tossed');
      for (const value of ['%00', '%E2%98%83', 'a%0d%0aX-Evil:%201', 'a%20b']) {
        const visitor = newVisitor();
        visitor.cookies.set('vitrine_session', value);
        visitor.cookies.set('vitrine_guest', value);
        const page = await visitor.open('/upload');
        expect([page.status, page.headers.get('X-Evil')]).toEqual([200, null]);
        await logIn('tossed', visitor);
      }
    });

    it('is bound to the host and to HTTPS if the site uses HTTPS', async () => {
      const site = await startService('website', {
        env: { PUBLIC_SITE_URL: 'https://vitrine.example', PUBLIC_API_URL: stack.apiUrl },
      });
      try {
        const visitor = new FormVisitor(site.url, { Origin: 'https://vitrine.example' });
        await visitor.open('/login');
        await visitor.submit(
          '/login',
          { login: 'cookie', password: PASSWORD },
          { Origin: 'https://vitrine.example' },
        );

        const line = visitor.setCookies.find((cookie) => cookie.startsWith('__Host-vitrine_session=')) ?? '';
        expect(line.split('; ').slice(1)).toEqual([
          'Max-Age=34560000',
          'Path=/',
          'HttpOnly',
          'Secure',
          'SameSite=Lax',
        ]);
        for (const cookie of visitor.setCookies) {
          expect(cookie).toMatch(/^__Host-.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
        }
        // A cookie without the prefix may have been set by an attacker.
        const other = new FormVisitor(site.url);
        other.cookies.set('vitrine_session', visitor.cookies.get('__Host-vitrine_session') ?? '');
        expect((await other.open('/settings')).location).toBe('/login?next=%2Fsettings');
      } finally {
        await site.stop();
      }
    });
  });
});
