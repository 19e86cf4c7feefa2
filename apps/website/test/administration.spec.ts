import { borrowStack, describeWithChromium, launchChromium, type Person, type Stack } from '@vitrine/testing';
import type { Browser } from 'playwright-core';
import { audit } from './support/audit';
import { newVisitor, PHONE, type Visitor, type VisitorOptions } from './support/visitor';

jest.setTimeout(120_000);

describeWithChromium('the pages for admins', () => {
  let stack: Stack;
  let browser: Browser;
  let boss: Person;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([
      borrowStack({ without: ['media-processor', 'moderation-service'] }),
      launchChromium(),
    ]);
    boss = await stack.createPerson('boss', { role: 'admin' });
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  async function visit(person: Person, options: VisitorOptions = { javaScript: false }): Promise<Visitor> {
    const visitor = await newVisitor(browser, stack, options);
    await visitor.logIn(person);
    return visitor;
  }

  it('find a person, end sessions and delete the account, without scripts', async () => {
    const sam = await stack.createPerson('sam');
    await sam.client.tokens.create({ name: 'camera', current_password: sam.password });
    const { page } = await visit(boss);
    await page.goto('/admin');
    await page.getByLabel('Name or e-mail address').fill('SA');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('link', { name: 'sam', exact: true }).click();
    await page.getByRole('button', { name: 'Revoke camera' }).click();
    await page.getByText('The token was revoked.').waitFor();
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByText('All sessions of sam have ended.').waitFor();
    await expect(sam.client.me.get()).rejects.toMatchObject({ status: 401 });
    await page.locator('select[name=role]').selectOption('moderator');
    await page.getByRole('button', { name: 'Change role' }).click();
    await page.getByText('sam has the role moderator.').waitFor();

    const { page: onPhone, assertClean } = await visit(boss, { width: PHONE, dark: true });
    await onPhone.goto('/admin/people/sam');
    await audit(onPhone, 'admin-person');
    await onPhone.goto('/admin/people/sam/delete');
    await audit(onPhone, 'admin-delete');
    assertClean();

    await page.getByRole('link', { name: 'Delete…' }).click();
    await page.getByLabel('Username').fill('samuel');
    await page.getByLabel('Reason').fill('Asked for it by letter.');
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByText('The username field must be the name of the account.').first().waitFor();
    await page.getByLabel('Username').fill('sam');
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByText('The account sam was deleted.').waitFor();
    expect((await page.goto('/admin/people/sam'))?.status()).toBe(404);
  });

  it('keep the only admin, and are closed to moderators and members', async () => {
    const { page } = await visit(boss);
    await page.goto('/admin/people/boss');
    await page.getByText('can only be deleted after its role is changed').waitFor();
    await page.locator('select[name=role]').selectOption('user');
    await page.getByRole('button', { name: 'Change role' }).click();
    await page.getByText('The only admin cannot give up the role.').first().waitFor();
    const moderator = await visit(await stack.createPerson('mona', { role: 'moderator' }));
    const member = await visit(await stack.createPerson('mia'));
    for (const path of ['/admin', '/admin/people/boss', '/admin/people/boss/delete', '/admin/audit-log']) {
      for (const visitor of [moderator, member]) {
        expect((await visitor.page.goto(path))?.status()).toBe(403);
      }
    }
  });

  it('show the audit log, with filters', async () => {
    const eve = await stack.createPerson('eve');
    await boss.client.admin.endSessionsOf(eve.username);
    await boss.client.admin.changeRole(eve.username, { role: 'moderator' });
    const { page } = await visit(boss);
    await page.goto('/admin/audit-log');
    await page.getByLabel('Username, slug or hash').fill('EVE');
    await page.getByRole('button', { name: 'Show' }).click();
    const entries = page.locator('.audit-log li');
    expect(await entries.count()).toBe(2);
    await page.getByText('from user, to moderator').waitFor();
    await page.getByLabel('Action').selectOption('user.end_sessions');
    await page.getByLabel('Who').fill('boss');
    await page.locator('input[name=to]').fill('2999-01-01');
    await page.getByRole('button', { name: 'Show' }).click();
    expect(await entries.allTextContents()).toEqual([
      expect.stringContaining('boss ended all sessions of the account eve'),
    ]);
    await page.getByLabel('Command line only').check();
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('No entries.').waitFor();
  });
});
