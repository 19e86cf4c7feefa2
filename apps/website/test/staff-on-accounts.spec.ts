import { borrowStack, describeWithChromium, launchChromium, type Person, type Stack } from '@vitrine/testing';
import type { Browser } from 'playwright-core';
import { audit } from './support/audit';
import { newVisitor, type Visitor } from './support/visitor';

jest.setTimeout(120_000);

describeWithChromium('the pages on which staff decide on accounts', () => {
  let stack: Stack;
  let browser: Browser;
  let moderator: Person;
  let owner: Person;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([
      borrowStack({ without: ['media-processor', 'moderation-service'] }),
      launchChromium(),
    ]);
    [moderator, owner] = await Promise.all([
      stack.createPerson('mona', { role: 'moderator' }),
      stack.createPerson('owen'),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  async function visit(person: Person): Promise<Visitor> {
    const visitor = await newVisitor(browser, stack, { javaScript: false });
    await visitor.logIn(person);
    return visitor;
  }

  it('limits and suspends a reported account without scripts, and tells the person', async () => {
    const spammer = await stack.createPerson('sam');
    await owner.client.reports.create({ type: 'user', target: 'sam', reason: 'spam' });
    const { page } = await visit(moderator);
    await page.goto('/moderation');
    await page.locator('#user-sam').getByRole('link', { name: 'Limit…' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The reason field is required.').first().waitFor();
    await page.getByLabel('Reason').fill('Advertising.');
    await page.getByLabel('Until').fill('2999-12-03');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('sam is limited.').waitFor();
    await page.getByText('until 2999-12-03').waitFor();
    await audit(page, 'moderation-account');
    expect((await moderator.client.moderation.queue.list()).data).toEqual([]);

    const theirs = await visit(spammer);
    await theirs.page.goto('/settings');
    await theirs.page.getByText('Your account is limited until 2999-12-03.').waitFor();
    await theirs.page.getByText('Reason: Advertising.').waitFor();
    await audit(theirs.page, 'limited-account');

    await page.getByLabel('Suspended').check();
    await page.getByLabel('Reason').fill('More advertising.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('sam is suspended.').waitFor();
    expect((await page.goto('/u/sam'))?.status()).toBe(404);
  });
});
