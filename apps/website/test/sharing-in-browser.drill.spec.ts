import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_POST_MEDIA } from '@vitrine/contracts';
import { borrowStack, describeWithChromium, type Stack } from '@vitrine/testing';
import { giveFile } from './support/give-file';
import { photo } from './support/samples';
import { useBrowser } from './support/visitor';

describeWithChromium('the upload page of an installed site', () => {
  const { start, arrive, visit } = useBrowser();
  let stack: Stack;
  let folder: string;

  beforeAll(async () => {
    stack = await start(borrowStack());
    folder = await mkdtemp(join(tmpdir(), 'vitrine-shared-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('offers files that were shared from other programs, and uploads none before the visitor agrees', async () => {
    const visitor = await visit('/upload', { as: await stack.createPerson('ada') });
    const { page } = visitor;
    await page.waitForFunction(
      async () => (await navigator.serviceWorker.getRegistration('/share'))?.active?.state === 'activated',
    );

    // The browser sends such a form for the share sheet, with a file of the disk: the bytes of a file that a script made may
    // end with its page.
    const file = join(folder, 'From the phone.jpg');
    await writeFile(file, (await photo('shared.jpg')).buffer);
    await page.evaluate(() => {
      const form = document.createElement('form');
      Object.assign(form, { id: 'sheet', action: '/share', method: 'post', enctype: 'multipart/form-data' });
      form.append(Object.assign(document.createElement('input'), { type: 'file', name: 'file' }));
      document.body.append(form);
    });
    await page.locator('#sheet input').setInputFiles(file);
    await page.locator('#sheet').evaluate((form) => (form as HTMLFormElement).submit());

    const offer = page.getByRole('status').filter({ hasText: 'Shared with this site: From the phone.jpg' });
    await offer.waitFor();
    expect(new URL(page.url()).pathname).toBe('/upload');
    expect(await page.locator('.upload-row').count()).toBe(0);
    await offer.getByRole('button', { name: 'Upload' }).click();
    await page.locator('.upload-row[data-stage="uploaded"]').waitFor();
    expect(await page.locator('.upload-name').allTextContents()).toEqual(['From the phone.jpg']);
    expect(await page.evaluate(() => caches.has('shared-files'))).toBe(false);
    visitor.assertClean();
  });

  // Promise [website]: The link of a file and its description are there before the post.
  it('copies the link of a stored file, and saves its description, also after a reload', async () => {
    const visitor = await arrive();
    const { page } = visitor;
    const grace = await stack.createPerson('grace');
    await visitor.logIn(grace);
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/upload');
    await page.getByLabel('Choose pictures and videos').setInputFiles(await photo('harbour.jpg'));
    await page.getByText('Describe').click();
    await page.getByLabel('Caption').fill('The harbour');
    await page.getByLabel('Alternative text').fill('Three boats');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.locator('.upload-row[data-stage="uploaded"]').waitFor();
    await page.reload();
    await page.getByText('Describe').click();
    expect(await page.getByLabel('Caption').inputValue()).toBe('The harbour');
    await page.getByRole('button', { name: 'Copy link of harbour.jpg' }).click();
    await page.getByText('Copied.').waitFor();
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await page.waitForURL('**/p/*');

    const [media] = (await grace.client.me.media.list()).data;
    expect(media).toMatchObject({ description: 'The harbour', alt_text: 'Three boats' });
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(media!.urls.original);
    visitor.assertClean();
  });

  // Promise [website]: Files that are dropped or pasted on any page are uploaded.
  it.each(['drop', 'paste'] as const)('uploads a file after a %s on another page, once', async (type) => {
    const { page, assertClean } = await visit('/tags');
    await giveFile(page, type, 'anywhere.jpg', (await photo('anywhere.jpg')).buffer);
    await page.waitForURL('**/upload');
    await page.locator('.upload-row[data-stage="uploaded"]').waitFor();
    expect(await page.locator('.upload-name').allTextContents()).toEqual(['anywhere.jpg']);
    expect(await page.evaluate(() => caches.has('dropped-files'))).toBe(false);
    assertClean();
  });

  it('takes more dropped files than a post can have', async () => {
    const { page } = await visit('/tags');
    const names = Array.from({ length: MAX_POST_MEDIA + 1 }, (_, index) => `${index}.jpg`);
    await giveFile(page, 'drop', names, Buffer.from('not a picture'));
    await page.waitForURL('**/upload');
    await page.locator('.upload-row').nth(MAX_POST_MEDIA).waitFor();
  });
});
