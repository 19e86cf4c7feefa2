import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { borrowStack, describeWithChromium, launchChromium, type Stack } from '@vitrine/testing';
import type { Browser } from 'playwright-core';
import { photo } from './support/samples';
import { newVisitor } from './support/visitor';

describeWithChromium('the upload page of an installed site', () => {
  let stack: Stack;
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([borrowStack(), launchChromium()]);
    folder = await mkdtemp(join(tmpdir(), 'vitrine-shared-'));
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
    await rm(folder, { recursive: true });
  });

  it('offers files that were shared from other programs, and uploads none before the visitor agrees', async () => {
    const visitor = await newVisitor(browser, stack);
    const { page } = visitor;
    await visitor.logIn(await stack.createPerson('ada'));
    await page.goto('/upload');
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
    await visitor.close();
  });
});
