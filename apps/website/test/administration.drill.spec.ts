import { borrowStack, describeWithChromium, type Person, type Stack } from '@vitrine/testing';
import type { Page } from 'playwright-core';
import { audit } from './support/audit';
import { PHONE, useBrowser, type Visitor, type VisitorOptions } from './support/visitor';

describeWithChromium('the pages for admins', () => {
  const { start, arrive } = useBrowser();
  let stack: Stack;
  let boss: Person;

  beforeAll(async () => {
    stack = await start(borrowStack({ without: ['media-processor', 'moderation-service'] }));
    boss = await stack.createPerson('boss', { role: 'admin' });
  });

  const visit = (as: Person, options: VisitorOptions = { javaScript: false }): Promise<Visitor> =>
    arrive({ as, ...options });

  const prove = (page: Page, field = '#proof-password') => page.locator(field).fill(boss.password);

  // Promise [website]: Admins manage accounts, storage and quotas and read the audit log without scripts.
  it('find a person, end sessions and delete the account, without scripts', async () => {
    const sam = await stack.createPerson('sam');
    await sam.client.tokens.create({ name: 'camera', current_password: sam.password });
    const { page } = await visit(boss);
    await page.goto('/admin');
    await page.getByLabel('Name or email address').fill('SA');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('link', { name: 'sam', exact: true }).click();
    await page.getByRole('button', { name: 'Revoke camera' }).click();
    await page.getByText('The token was revoked.').waitFor();
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByText('All sessions of sam have ended.').waitFor();
    await expect(sam.client.me.get()).rejects.toMatchObject({ status: 401 });
    await page.getByText('Change the role').click();
    await page.locator('select[name=role]').selectOption('moderator');
    await page.getByRole('button', { name: 'Change role' }).click();
    await page.getByText('The current_password field is required.').first().waitFor();
    await page.locator('select[name=role]').selectOption('moderator');
    await prove(page, '#role-proof-password');
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
    await prove(page);
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByText('The username field must be the name of the account.').first().waitFor();
    await page.getByLabel('Username').fill('sam');
    await prove(page);
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByText('The account sam was deleted.').waitFor();
    expect((await page.goto('/admin/people/sam'))?.status()).toBe(404);
  });

  it('show what is stored, and change a quota, without scripts', async () => {
    const zoe = await stack.createPerson('zoe');
    await stack.sql(
      `insert into storage_usage (user_id, files, bytes, variant_bytes)
       select id, 3, 5 * 1024 * 1024, 1024 from users where username = 'zoe'`,
    );
    await stack.sql(
      `insert into storage_days (day, files, bytes, variant_bytes)
       values ((now() at time zone 'utc')::date - 3, 4, 6291456, 0), ((now() at time zone 'utc')::date - 2, -1, -1048576, 0)`,
    );
    const { page } = await visit(boss);
    await page.goto('/admin/storage');
    const row = page.getByRole('row').filter({ hasText: 'zoe' });
    await row.getByText('5 MB').waitFor();
    expect(await page.locator('.growth-chart rect').count()).toBe(2);
    await page.getByText('Growth as a table').click();
    await page.getByRole('cell', { name: '−1 MB' }).waitFor();
    await row.getByRole('link', { name: 'zoe' }).click();
    await page.getByText('Change the quota').click();
    await page.getByLabel('Most bytes').fill('much');
    await page.getByLabel('Most files').fill('9');
    await prove(page, '#quota-proof-password');
    await page.getByRole('button', { name: 'Change quota' }).click();
    await page.getByText('Enter a size such as 500MB or 20GB.').waitFor();
    await page.getByLabel('Most bytes').fill('2 GB');
    await prove(page, '#quota-proof-password');
    await page.getByRole('button', { name: 'Change quota' }).click();
    await page.getByText('The quota of zoe was changed.').waitFor();
    expect(await page.getByLabel('Most bytes').inputValue()).toBe('2GB');
    expect((await zoe.client.me.get()).storage).toMatchObject({ bytes_limit: 2 * 1024 ** 3, files_limit: 9 });
    await page.getByText('Change the quota').click();
    await page.getByLabel('Most bytes').fill('');
    await prove(page, '#quota-proof-password');
    await page.getByRole('button', { name: 'Change quota' }).click();
    await page.getByText('The quota of zoe was changed.').waitFor();
    expect((await zoe.client.me.get()).storage).toMatchObject({ bytes_limit: null, files_limit: 9 });
    await stack.sql('delete from storage_days');
    await stack.sql(
      `delete from storage_usage where user_id = (select id from users where username = 'zoe')`,
    );
    await page.goto('/admin/storage');
    await page.getByText('Nothing was added or deleted.').waitFor();
  });

  it('help somebody who cannot log in, without scripts', async () => {
    const lost = await stack.createPerson('lost');
    await stack.sql(
      `insert into passkeys (user_id, credential_id, public_key, counter, transports, name)
       select id, 'lost', 'a', 0, '{}', 'Phone' from users where username = 'lost'`,
    );
    const { page } = await visit(boss);
    await page.goto('/admin/people/lost');
    await page.getByRole('link', { name: 'Remove second factors…' }).click();
    await prove(page);
    await page.getByRole('button', { name: 'Remove second factors' }).click();
    await page.getByText('The second factors of lost were removed.').waitFor();
    await page.getByText('The account has no second factor.').waitFor();
    await page.getByRole('link', { name: 'Reset link…' }).click();
    await prove(page);
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByLabel('Link').inputValue();
    await page.getByRole('link', { name: 'Back to lost' }).click();
    expect(await page.content()).not.toContain(link);
    await page.goto(link);
    await page.getByRole('button').first().waitFor();
    await expect(lost.client.me.get()).resolves.toMatchObject({ username: 'lost' });
  });

  it('keep the only admin, and are closed to moderators and members', async () => {
    const { page } = await visit(boss);
    await page.goto('/admin/people/boss');
    await page.getByText('can only be deleted after its role is changed').waitFor();
    await page.getByText('Change the role').click();
    await page.locator('select[name=role]').selectOption('user');
    await prove(page, '#role-proof-password');
    await page.getByRole('button', { name: 'Change role' }).click();
    await page.getByText('The only admin cannot give up the role.').first().waitFor();
    await page.goto('/settings/delete');
    await page.getByLabel('Your password').fill(boss.password);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The account of the only admin cannot be deleted.').waitFor();
    const moderator = await visit(await stack.createPerson('mona', { role: 'moderator' }));
    const member = await visit(await stack.createPerson('mia'));
    for (const path of ['/admin', '/admin/people/boss', '/admin/people/boss/delete', '/admin/storage']) {
      for (const visitor of [moderator, member]) {
        expect((await visitor.page.goto(path))?.status()).toBe(403);
      }
    }
  });

  // Promise [website]: Only moderators see the queue.
  it('keep moderation pages from members and strangers', async () => {
    const { page } = await visit(await stack.createPerson('owen'));
    for (const path of ['', '/decisions', '/hashes', '/media/aB3dE5f', '/user/owen'])
      expect((await page.goto(`/moderation${path}`))?.status()).toBe(403);
    const anonymous = await fetch(`${stack.siteUrl}/moderation`, { redirect: 'manual' });
    expect([anonymous.status, anonymous.headers.get('Location')]).toEqual([303, '/login?next=%2Fmoderation']);
  });

  it('show the audit log, with filters', async () => {
    const eve = await stack.createPerson('eve');
    await boss.client.admin.endSessionsOf(eve.username);
    await boss.client.admin.changeRole(eve.username, {
      role: 'moderator',
      current_password: boss.password,
    });
    const { page } = await visit(boss);
    await page.goto('/admin/audit-log');
    await page.getByLabel('Username, slug or hash').fill('EVE');
    await page.getByRole('button', { name: 'Show' }).click();
    const entries = page.locator('.audit-log li');
    await page.waitForLoadState();
    expect(await entries.count()).toBe(2);
    await page.getByText('from user, to moderator').waitFor();
    await page.getByLabel('Action').selectOption('user.end_sessions');
    await page.getByLabel('Who').fill('boss');
    await page.locator('input[name=to]').fill('2999-01-01');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL('**to=2999-01-01**');
    expect(await entries.allTextContents()).toEqual([
      expect.stringContaining('boss ended all sessions of the account eve'),
    ]);
    await page.getByLabel('Command line only').check();
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('No entries.').waitFor();
  });
});
