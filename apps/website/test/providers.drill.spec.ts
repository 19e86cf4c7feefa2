import {
  describeWithChromium,
  eventually,
  freePort,
  type IdentityProvider,
  launchChromium,
  type OwnStack,
  ProviderVisitor,
  startIdentityProvider,
  startStack,
} from '@vitrine/testing';
import type { Browser } from 'playwright-core';
import { auditLightAndDark } from './support/audit';
import { FormVisitor } from './support/form-visitor';
import { newVisitor, PHONE } from './support/visitor';

const SECRET = 'the-secret-of-the-client';
const NAME = 'stranger';

/** A provider that is not ours, and a stack that knows it under two names; the second one is down. */
class World {
  stack!: OwnStack;
  provider!: IdentityProvider;

  async start(): Promise<void> {
    const [port, closed] = [await freePort(), await freePort()];
    this.stack = await startStack({
      env: {
        OIDC_ALLOW_PRIVATE: 'true',
        OIDC_PROVIDERS: JSON.stringify([
          {
            name: NAME,
            title: 'Stranger',
            issuer: `http://localhost:${port}`,
            client_id: 'vitrine',
            client_secret: SECRET,
            email_domains: ['example.org'],
            role_claim: 'groups',
            roles: { admins: 'admin' },
          },
          { name: 'down', title: 'Down', issuer: `http://localhost:${closed}`, client_id: 'vitrine' },
        ]),
      },
      without: ['upload-service', 'media-processor', 'moderation-service'],
    });
    const { siteUrl, apiUrl } = this.stack;
    this.provider = await startIdentityProvider(
      [
        {
          client_id: 'vitrine',
          client_secret: SECRET,
          redirect_uris: [`${siteUrl}/log-in/${NAME}/callback`],
          post_logout_redirect_uris: [`${siteUrl}/`],
          backchannel_logout_uri: `${apiUrl}/auth/providers/${NAME}/backchannel-logout`,
          backchannel_logout_session_required: true,
        },
      ],
      port,
    );
  }

  async stop(): Promise<void> {
    await this.provider?.stop();
    await this.stack?.close();
  }
}

const world = new World();
beforeAll(() => world.start());
afterAll(() => world.stop());

describe('logging in with an identity provider', () => {
  const visitor = () => new FormVisitor(world.stack.siteUrl);
  /** The path of the callback to which the provider sends the browser back. */
  const callback = async (from: FormVisitor, start: string, login: string, at = new ProviderVisitor()) => {
    const { location } = await from.open(start);
    return (await at.logIn(location ?? '', login)).slice(world.stack.siteUrl.length);
  };
  const signUp = async (username: string, at = new ProviderVisitor()): Promise<FormVisitor> => {
    const browser = visitor();
    const { location } = await browser.open(await callback(browser, `/log-in/${NAME}`, username, at));
    await browser.open(location!);
    await browser.submit(`/log-in/${NAME}/account`);
    return browser;
  };

  // Promise [website]: People log in with a provider without scripts.
  it('creates an account, logs out, and logs in again, without scripts', async () => {
    const browser = visitor();
    expect((await browser.open('/login?next=/settings')).html).toContain(
      `href="/log-in/${NAME}?next=%2Fsettings"`,
    );
    const back = await callback(browser, `/log-in/${NAME}?next=%2Fsettings`, 'ada');
    const { location } = await browser.open(back);
    expect(location).toBe(`/log-in/${NAME}/account?as=ada`);
    expect((await browser.open(location!)).html).toContain('value="ada"');
    expect((await browser.submit(`/log-in/${NAME}/account`, { username: 'admin' })).html).toContain(
      'The username has already been taken.',
    );
    expect((await browser.submit(`/log-in/${NAME}/account`, { username: 'ada_l' })).location).toBe(
      '/settings',
    );
    expect((await browser.open('/settings')).html).toContain('ada_l');
    // The callback of a login that is over works no more.
    expect((await browser.open(back)).status).toBe(422);
    expect((await browser.submit('/logout')).html).toContain('Log out at localhost');

    const again = visitor();
    expect((await again.open(await callback(again, `/log-in/${NAME}`, 'ada'))).location).toBe('/');
    expect((await again.open('/')).html).toContain('Welcome back, ada_l.');
  });

  it('refuses the callback in another browser, and after a link from another site', async () => {
    const [ada, mallory] = [visitor(), visitor()];
    const back = await callback(mallory, `/log-in/${NAME}`, 'mallory');
    await ada.open(`/log-in/${NAME}`);
    const refused = await ada.open(back);
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('The login with Stranger failed. Please start again.');
    expect(ada.cookies.has('vitrine_session')).toBe(false);
    const unasked: readonly Record<string, string>[] = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Purpose': 'prefetch' },
    ];
    for (const headers of unasked) {
      const page = await visitor().open(`/log-in/${NAME}`, headers);
      expect(page).toMatchObject({ status: 200, location: null });
    }
  });

  it('says when the provider is down, unknown, or refuses the person', async () => {
    expect((await visitor().open('/log-in/down')).html).toContain('The service did not respond.');
    expect((await visitor().open('/log-in/unknown')).status).toBe(404);
    const browser = visitor();
    expect((await browser.open(await callback(browser, `/log-in/${NAME}`, 'guest'))).html).toContain(
      'accepts only people with a verified email address',
    );
    expect((await browser.open(`/log-in/${NAME}/callback?error=access_denied&state=x`)).status).toBe(422);
    expect((await visitor().open(`/log-in/${NAME}/callback`)).status).toBe(422);
    expect((await visitor().open(`/log-in/${NAME}/account`)).location).toBe('/login');
  });

  it('refuses a login that lost its PKCE on the way', async () => {
    const browser = visitor();
    const { location } = await browser.open(`/log-in/${NAME}`);
    const stripped = new URL(location!);
    stripped.searchParams.delete('code_challenge');
    stripped.searchParams.delete('code_challenge_method');
    const back = await new ProviderVisitor().logIn(stripped.href, 'ada');
    expect(back).toContain('code=');
    expect((await browser.open(back.slice(world.stack.siteUrl.length))).status).toBe(422);
  });

  it('links and unlinks a provider with the password, and gives the role of the claim', async () => {
    const grace = await world.stack.createPerson('grace');
    const browser = visitor();
    browser.logIn(grace);
    await browser.open('/settings/providers');
    const wrong = await browser.submit('/settings/providers', { link: NAME, current_password: 'wrong' });
    expect(wrong.html).toContain('The password is incorrect.');
    const on = await browser.submit('/settings/providers', { link: NAME, current_password: grace.password });
    const [, address = ''] = /<a class="button primary wide" href="(http[^"]+)"/.exec(on.html) ?? [];
    const back = await new ProviderVisitor().logIn(address.replaceAll('&amp;', '&'), 'boss');
    expect((await browser.open(back.slice(world.stack.siteUrl.length))).location).toBe('/settings/providers');

    const boss = visitor();
    await boss.open(await callback(boss, `/log-in/${NAME}`, 'boss'));
    expect((await boss.open('/')).html).toContain('href="/moderation"');
    const [linked] = await grace.client.me.identities();
    await browser.open('/settings/providers');
    const done = await browser.submit('/settings/providers', {
      unlink: String(linked?.id),
      current_password: grace.password,
    });
    expect(done.location).toBe('/settings/providers');
    expect(await grace.client.me.identities()).toEqual([]);
  });

  it('lets accounts without a password delete themselves after a new login, but not unlink their last way to log in', async () => {
    const at = new ProviderVisitor();
    const browser = await signUp('hedy', at);
    await browser.open('/settings/delete');
    expect((await browser.submit('/settings/delete')).html).toContain('Please log in again to confirm this.');
    expect((await browser.open('/settings/providers')).html).toContain('log in again with Stranger');
    // The provider still knows the person, and asks again nevertheless.
    await browser.open(
      await callback(browser, `/log-in/${NAME}?again=1&next=%2Fsettings%2Fproviders`, 'hedy', at),
    );
    const { html } = await browser.open('/settings/providers');
    const [, id = ''] = /name="unlink" value="(\d+)"/.exec(html) ?? [];
    expect((await browser.submit('/settings/providers', { unlink: id })).html).toContain(
      'last way to log in',
    );
    await browser.open('/settings/delete');
    expect((await browser.submit('/settings/delete')).location).toBe('/');
  });

  it('ends the session when the person logs out at the provider', async () => {
    const at = new ProviderVisitor();
    const browser = await signUp('joan', at);
    const other = visitor();
    await other.open(await callback(other, `/log-in/${NAME}`, 'joan', at));
    await other.open('/');
    const { html } = await other.submit('/logout');
    const [, address = ''] = /<a class="button primary" href="(http[^"]+)"/.exec(html) ?? [];
    expect(await at.logOut(address.replaceAll('&amp;', '&'))).toBe(`${world.stack.siteUrl}/`);
    await eventually(async () => {
      expect((await browser.open('/settings')).location).toMatch(/^\/login/);
    });
  });
});

describeWithChromium('logging in with an identity provider, in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it('leads from the login page to an account, its settings, and out again', async () => {
    const { stack } = world;
    const person = await newVisitor(browser, stack, { width: PHONE });
    const { page } = person;
    const atProvider = async (login: string): Promise<void> => {
      await page.getByPlaceholder('Enter any login').fill(login);
      await page.getByPlaceholder('and password').fill('x');
      await page.getByRole('button', { name: 'Sign-in' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
    };
    await page.goto('/login');
    await auditLightAndDark(page, 'log-in-with-providers');
    await page.getByRole('link', { name: 'Log in with Stranger' }).click();
    await atProvider('lise');
    await page.waitForURL('**/account?as=lise');
    await auditLightAndDark(page, 'newcomer');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(`${stack.siteUrl}/`);

    await page.goto('/settings/providers');
    await auditLightAndDark(page, 'linked-providers');
    await page.getByRole('button', { name: 'Unlink Stranger' }).click();
    await page.getByText('log in again to confirm').first().waitFor();
    await page.goto('/settings/delete');
    await auditLightAndDark(page, 'delete-without-password');
    await page.goto('/');
    await page.getByLabel(/^Account menu/).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'You have logged out' }).waitFor();
    await auditLightAndDark(page, 'logged-out-with-provider');
    await page.getByRole('link', { name: 'Log out at localhost' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(`${stack.siteUrl}/`);
    await person.close();
  });

  it('links a provider by a form of the site', async () => {
    const { stack } = world;
    const maria = await stack.createPerson('maria');
    const person = await newVisitor(browser, stack);
    const { page } = person;
    await person.logIn(maria);
    await page.goto('/settings/providers');
    await page.getByLabel('Your password', { exact: true }).fill(maria.password);
    await page.getByRole('button', { name: 'Link Stranger' }).click();
    await auditLightAndDark(page, 'continue-with-provider');
    await page.getByRole('link', { name: 'Continue with Stranger' }).click();
    await page.getByPlaceholder('Enter any login').fill('maria');
    await page.getByPlaceholder('and password').fill('x');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('You can now log in with Stranger.').waitFor();
    expect(await maria.client.me.identities()).toMatchObject([{ provider: NAME }]);
    await person.close();
  });
});
