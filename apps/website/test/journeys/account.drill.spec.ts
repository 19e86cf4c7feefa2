import { describeWithChromium, eventually, type OwnStack, startStack } from '@vitrine/testing';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { auditLightAndDark } from '../support/audit';
import { PHONE, useBrowser, type Visitor } from '../support/visitor';

// The life of one account, as people see it. Passkeys and identity providers have separate journeys
// (passkeys-in-browser.drill.spec.ts, providers.drill.spec.ts).
describeWithChromium('an account', () => {
  const { start, arrive } = useBrowser({ keepVisits: true });
  const NAME = 'walter';
  const PASSWORD = 'a lamp under seven hills';
  const NEW_PASSWORD = 'seven lamps under one hill';
  let stack: OwnStack;
  let admin: Visitor;
  let person: Visitor;

  beforeAll(async () => {
    stack = await start(
      startStack({
        env: { REGISTRATION: 'invite', SMTP_URL: 'log:' },
        without: ['upload-service', 'media-processor', 'moderation-service'],
      }),
    );
    admin = await arrive({ width: PHONE });
    person = await arrive({ width: PHONE });
    await stack.sql(
      `with host as (insert into users (username, role) values ('host', 'admin') returning id)
       insert into invites (created_by, code_sha256, uses, expires_at)
       select id, sha256('first'), 1, now() + interval '1 hour' from host`,
    );
    const { session } = await stack
      .client()
      .auth.register({ username: 'boss', password: PASSWORD, invite: 'first' });
    await stack.sql(`update users set role = 'admin' where username = 'boss'`);
    await admin.logIn({ session });
  });

  /** The link of the last mail with such a path, from the log of api-gateway. */
  const linkInLog = (path: string): Promise<string> =>
    eventually(async () => {
      const links = [
        ...stack.services
          .get('api-gateway')!
          .output()
          .matchAll(/https?:\/\/[^\s"\\]+/g),
      ];
      const link = links
        .map(([address]) => address)
        .findLast((address) => new URL(address).pathname === path);
      expect(link).toBeDefined();
      return Promise.resolve(link!);
    });
  const logIn = async (page: Page, password: string, code?: string): Promise<void> => {
    await page.goto('/login');
    await page.getByLabel('Username').fill(NAME);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    if (code === undefined) return;
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.waitForURL(`${stack.siteUrl}/`);
  };
  const logOut = async (page: Page): Promise<void> => {
    await page.goto('/');
    await page.getByLabel(/^Account menu/).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Menu', { exact: true }).waitFor();
  };
  const rule = async (state: string, reason: string): Promise<void> => {
    await admin.page.goto(`/admin/people/${NAME}`);
    await admin.page.getByRole('link', { name: 'Limit, suspend or restore' }).click();
    await admin.page.getByLabel(state).check();
    await admin.page.getByLabel('Reason').fill(reason);
    await admin.page.getByRole('button', { name: 'Save' }).click();
    await admin.page.getByText(`${NAME} is ${state.toLowerCase()}.`).waitFor();
  };

  it('begins with an invite, gets a second factor, loses its password, is suspended and restored', async () => {
    await admin.page.goto('/settings/invites');
    await admin.page.getByRole('button', { name: 'Create invite' }).click();
    const invite = await admin.page.getByLabel('Link').inputValue();
    await auditLightAndDark(admin.page, 'invite-made');

    const { page } = person;
    await page.goto('/register');
    await auditLightAndDark(page, 'register-without-invite');
    await page.goto(invite);
    await auditLightAndDark(page, 'register-with-invite');
    await page.getByLabel('Username').fill(NAME);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Email (optional)').fill('walter@example.org');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.waitForURL(`${stack.siteUrl}/`);
    await page.goto(await linkInLog('/verify-email'));
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await page.getByText('Your email address was confirmed.').waitFor();

    await page.goto('/settings/security');
    await page.getByText('Set it up').click();
    const form = page.locator('form[action="/settings/security/app"]');
    await form.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await form.getByRole('button', { name: 'Set up an app' }).click();
    const totp = new TOTP({ secret: Secret.fromBase32(await page.locator('#secret').inputValue()) });
    await auditLightAndDark(page, 'new-app');
    const at = Date.now();
    await page.locator('input[name=code]').fill(totp.generate({ timestamp: at }));
    await page.locator('form[action="/settings/security/app/confirm"] button').click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await auditLightAndDark(page, 'recovery-codes');
    const codes = await page.locator('main li code').allTextContents();

    await logOut(page);
    await logIn(page, PASSWORD);
    await page.getByRole('heading', { name: 'Second step' }).waitFor();
    await auditLightAndDark(page, 'second-factor');
    // A code of a later half minute: each counts once.
    await page.getByLabel('Code').fill(totp.generate({ timestamp: Math.max(at + 30_000, Date.now()) }));
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.waitForURL(`${stack.siteUrl}/`);
    await logOut(page);
    await logIn(page, PASSWORD, codes[0]);
    await logOut(page);

    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Username or email').fill(NAME);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await auditLightAndDark(page, 'forgot-password-sent');
    await page.goto(await linkInLog('/reset-password'));
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('Your password was set.').waitFor();
    await logIn(page, NEW_PASSWORD, codes[1]);
    person.assertClean();

    await rule('Suspended', 'Sells watches.');
    await page.goto('/settings');
    await page.waitForURL(({ pathname }) => pathname === '/login');
    await logIn(page, NEW_PASSWORD);
    await page.getByText('This account is suspended. Reason: Sells watches.').first().waitFor();
    await auditLightAndDark(page, 'login-suspended');
    person.assertClean([/422/]);
    await rule('Active', 'A mistake.');
    await logIn(page, NEW_PASSWORD, codes[2]);
    await page.goto('/notifications');
    await page.getByText('Your account is active again. Reason: A mistake.').waitFor();
    await auditLightAndDark(page, 'notifications-of-account');
    person.assertClean();
    admin.assertClean();
  });
});
