import { borrowStack, describeWithChromium, launchChromium, type Stack } from '@vitrine/testing';
import type { Browser } from 'playwright-core';
import { photo } from './support/samples';
import { newVisitor } from './support/visitor';

describeWithChromium('the upload page of an installed site', () => {
  let stack: Stack;
  let browser: Browser;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([borrowStack(), launchChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  it('offers files that were shared from other programs, and uploads none before the visitor agrees', async () => {
    const visitor = await newVisitor(browser, stack);
    const { page } = visitor;
    await visitor.logIn(await stack.createPerson('ada'));
    await page.goto('/upload');
    await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration('/share'))?.active);
    const { buffer } = await photo('shared.jpg');

    // The browser sends such a form for the share sheet.
    await page.evaluate(
      ([bytes]) => {
        const files = new DataTransfer();
        const content = Uint8Array.from(atob(bytes!), (letter) => letter.charCodeAt(0));
        files.items.add(new File([content], 'From the phone.jpg', { type: 'image/jpeg' }));
        const form = document.createElement('form');
        Object.assign(form, { action: '/share', method: 'post', enctype: 'multipart/form-data' });
        const input = document.createElement('input');
        Object.assign(input, { type: 'file', name: 'file', files: files.files });
        form.append(input);
        document.body.append(form);
        form.submit();
      },
      [buffer.toString('base64')],
    );

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
