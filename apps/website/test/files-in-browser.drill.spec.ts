import { borrowStack, describeWithChromium, type Person, type Stack } from '@vitrine/testing';
import { swatch } from './support/samples';
import { PHONE, useBrowser } from './support/visitor';

describeWithChromium('the page of own files', () => {
  const { start, visit } = useBrowser();
  let stack: Stack;
  let ada: Person;

  beforeAll(async () => {
    stack = await start(borrowStack());
    ada = await stack.createPerson('ada');
    for (let at = 0; at < 6; at++) {
      const { buffer } = await swatch(`${at}.png`, at);
      await ada.client.media.upload(new Blob([Uint8Array.from(buffer)]), {
        title: `File ${at}`,
      });
    }
  });
  const titles = async (): Promise<readonly (string | null)[]> =>
    (await ada.client.me.media.list()).data.map(({ title }) => title);

  // Promise [website]: Members choose many files at once, and delete, tag, list or post them.
  it('chooses a range, makes a post of it and deletes it', async () => {
    const { page, assertClean } = await visit('/files', { as: ada });
    await page.locator('.picker-item', { hasText: 'File 5' }).click();
    await page.locator('.picker-item', { hasText: 'File 3' }).click({ modifiers: ['Shift'] });
    await page.getByText('3 chosen').waitFor();
    await page.getByRole('button', { name: 'New post' }).click();
    await page.waitForURL('**/p/*/edit');
    await page.getByText('This post is private until you change it.').waitFor();

    await page.goto('/files?use=none');
    expect(await page.getByRole('checkbox').count()).toBe(3);
    await page.getByRole('button', { name: 'Choose all' }).click();
    await page.getByText('Delete …').click();
    await page.getByRole('button', { name: 'Delete files' }).click();
    await page.getByText('3 files deleted.').waitFor();
    expect(await titles()).toEqual(['File 5', 'File 4', 'File 3']);
    assertClean();
  });

  it('works on a phone without scripts', async () => {
    const { page, assertClean } = await visit('/files', { width: PHONE, javaScript: false, as: ada });
    await page.getByRole('checkbox', { name: 'File 4' }).check();
    await page.getByText('Change …').click();
    await page.getByLabel('Tags, separated by commas').fill('Sea');
    await page.keyboard.press('Enter');
    await page.getByText('1 file changed.').waitFor();
    const [, changed] = (await ada.client.me.media.list()).data;
    expect(changed).toMatchObject({ title: 'File 4', tags: ['sea'] });
    assertClean();
  });

  // Promise [website]: A guest who signs up can take all uploads along.
  it('has the uploads that a new member has made as a guest', async () => {
    const { page, assertClean } = await visit('/upload');
    await page.getByLabel('Choose pictures and videos').setInputFiles(await swatch('mine.png', 9));
    await page.locator('.upload-row[data-stage="uploaded"]').waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.goto('/register?next=/files');
    await page.getByLabel('Username').fill('newcomer');
    await page.getByLabel('Password', { exact: true }).fill('a long sentence of words');
    await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('1 file moved to your account.').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(1);
    assertClean();
  });
});
