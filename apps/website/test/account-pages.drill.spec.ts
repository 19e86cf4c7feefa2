import { describeWithChromium, type Person, type Stack, borrowStack } from '@vitrine/testing';
import type { Page } from 'playwright-core';
import { audit } from './support/audit';
import { upload } from './support/gallery';
import { landscape } from './support/samples';
import { DESK, PHONE, useBrowser, type Visitor } from './support/visitor';

describeWithChromium('account pages in a browser', () => {
  const { start, arrive, visit } = useBrowser();
  let stack: Stack;
  let visitor: Visitor;
  let ada: Person;

  beforeAll(async () => {
    stack = await start(borrowStack({ without: ['media-processor', 'moderation-service'] }));
    ada = await stack.createPerson('ada_lovelace_of_long_name_1815');
    const media = await upload(ada.client, await landscape('hills.jpg', 200, 900, 600));
    await ada.client.me.update({ avatar: media.slug });
  });

  const fill = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, value] of Object.entries(fields)) await page.fill(`main [name="${name}"]`, value);
  };

  // journeys/every-page.drill.spec.ts audits the other pages.
  it.each([
    [PHONE, false],
    [DESK, true],
  ] as const)('pass the audit after forms were sent: %i pixels wide, dark: %s', async (width, dark) => {
    visitor = await arrive({ width, dark });
    const { page } = visitor;
    const look = async (name: string, path: string): Promise<void> => {
      await page.goto(path);
      await audit(page, name);
    };
    await page.goto('/login');
    await fill(page, { login: 'nobody', password: 'wrong' });
    await page.click('main .primary');
    await audit(page, 'login-refused');

    await visitor.logIn(ada);
    await look('settings-avatar', '/settings/avatar');
    await look('settings-delete', '/settings/delete');
    await page.goto('/settings/tokens');
    await fill(page, { name: 'ShareX', current_password: ada.password });
    await page.click('main .primary');
    await page.waitForSelector('#token');
    await audit(page, 'token-made');
    visitor.assertClean([/status of 422/]);
  });

  it('keep a form when the session ends, and send it after a login', async () => {
    visitor = await arrive({ width: PHONE, javaScript: true });
    const { page, context } = visitor;
    const person = await stack.createPerson('kept_words');
    await visitor.logIn(person);
    await page.goto('/settings');
    await fill(page, { bio: 'Typed with care.\n\nIn two paragraphs.' });
    await person.client.auth.logout();

    await page.click('form[action="/settings/profile"] .primary');
    await page.waitForSelector('h1:has-text("Log in to continue")');
    await audit(page, 'interrupted-login');
    await fill(page, { login: 'kept_words', password: person.password });
    await page.click('main .primary');
    await page.waitForSelector('h1:has-text("Not sent yet")');
    await audit(page, 'interrupted-form');
    await page.click('main .primary');
    await page.waitForURL('**/settings');

    expect(await page.inputValue('[name="bio"]')).toBe('Typed with care.\n\nIn two paragraphs.');
    expect((await context.cookies()).map(({ name }) => name)).toContain('vitrine_session');
    visitor.assertClean([/status of 401/]);
  });

  it('link to the login from forms that scripts send, and send the forms afterwards unchanged', async () => {
    visitor = await arrive();
    const { page, context } = visitor;
    const person = await stack.createPerson('two_windows');
    await visitor.logIn(person);
    await page.goto(`/u/${ada.username}`);
    await person.client.auth.logout();

    await page.click('main button:has-text("Follow")');
    const [window] = await Promise.all([context.waitForEvent('page'), page.click('main [role="alert"] a')]);
    await fill(window, { login: 'two_windows', password: person.password });
    await window.click('main .primary');
    await window.waitForURL(`**/u/${ada.username}`);
    await page.click('main button:has-text("Follow")');
    await page.waitForSelector('main button:has-text("Following")');

    const { data } = await stack.client().users.following('two_windows').list();
    expect(data.map(({ username }) => username)).toEqual([ada.username]);
    // The first attempt, and the second one with the token of the page before the login.
    visitor.assertClean([/status of 40[13]/]);
  });

  it('show a password on request, and send it as a password', async () => {
    visitor = await visit('/login');
    const { page } = visitor;
    await fill(page, { login: ada.username, password: ada.password });
    const type = (): Promise<string | null> => page.getAttribute('[name="password"]', 'type');

    await page.click('button:has-text("Show")');
    expect(await type()).toBe('text');
    await page.click('button:has-text("Show")');
    expect(await type()).toBe('password');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${stack.siteUrl}/`);
    visitor.assertClean();
  });

  it('show a notice for a moment, then hide it', async () => {
    visitor = await arrive({ as: ada, width: PHONE });
    const { page } = visitor;
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1_000);
    await page.goto('/settings');
    await page.click('form[action="/settings/profile"] button');
    const notice = page.locator('.notice', { hasText: 'Saved.' });
    await notice.waitFor();

    await page.clock.runFor(5_000);
    expect(await notice.isVisible()).toBe(true);
    await page.clock.runFor(2_000);

    expect(await notice.count()).toBe(0);
    visitor.assertClean();
  });

  it('reveal a token only by copying and by download', async () => {
    visitor = await arrive();
    const { page, context } = visitor;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await visitor.logIn(ada);
    await page.goto('/settings/tokens');
    await fill(page, { name: 'For ShareX', current_password: ada.password });
    await page.click('main .primary');
    const secret = await page.inputValue('#token');

    await page.click('[data-copy="token"]');
    await page.waitForSelector('.notice:has-text("Copied")');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('form[action="/settings/tokens/sharex"] button'),
    ]);
    expect(download.suggestedFilename()).toBe('vitrine.sxcu');
    expect(download.url()).not.toContain(secret);
    expect(page.url()).not.toContain(secret);
    await page.goto('/settings/tokens');
    await page.goBack();
    // The browser has not stored that page; it asks before it sends the form again.
    expect(await page.content()).not.toContain(secret);
    visitor.assertClean([/ERR_CACHE_MISS/]);
  });
});
