import { describeWithChromium, type Stack, borrowStack } from '@vitrine/testing';
import type { Page } from 'playwright-core';
import { fillGallery, type Gallery } from '../support/gallery';
import { landscape } from '../support/samples';
import { DESK, PHONE, useBrowser, type Visitor } from '../support/visitor';

describeWithChromium('reading', () => {
  const { start, arrive } = useBrowser();
  let stack: Stack;
  let gallery: Gallery;
  let visitor: Visitor;

  beforeAll(async () => {
    stack = await start(borrowStack());
    gallery = await fillGallery(stack);
  });

  describe('without JavaScript', () => {
    // Promise [website]: Everything that only reads works without JavaScript.
    it('the feed leads to posts, authors, tags, the search and the documentation', async () => {
      visitor = await arrive({ javaScript: false });
      const { page } = visitor;
      const main = page.getByRole('main');
      const tiles = main.locator('[data-grid] > li');
      await page.goto('/');
      const first = await main
        .locator('[data-tile]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      await page.getByRole('navigation', { name: 'Pages' }).locator('a[rel="next"]').click();
      await page.waitForURL('**/?page=2');
      const second = await main
        .locator('[data-tile]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      expect(new Set([...first, ...second]).size).toBe(34);
      await page.getByRole('navigation', { name: 'Pages' }).locator('a[rel="prev"]').click();

      await main.getByRole('link', { name: 'Three views of a hill' }).click();
      await page.waitForURL('**/p/*');
      expect(await page.title()).toBe('Three views of a hill - Vitrine');
      expect(await page.locator('.post-media').count()).toBe(3);
      await page.getByText('In the north.').waitFor();
      // The picture has loaded.
      const picture = page.locator('.post-media img').last();
      expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

      await main.getByRole('link', { name: 'ada' }).first().click();
      await page.waitForURL('**/u/ada');
      expect(await tiles.count()).toBeGreaterThan(10);
      await page.goBack();
      await main.getByRole('link', { name: 'hills', exact: true }).click();
      await page.waitForURL('**/t/hills');
      expect(await tiles.count()).toBe(1);

      await page.locator('#site-search').fill('views');
      await page.getByRole('banner').getByRole('button', { name: 'Search' }).click();
      await page.waitForURL('**/search?q=views');
      await main.getByRole('link', { name: 'Three views of a hill' }).waitFor();

      await page.getByRole('contentinfo').getByRole('link', { name: 'Tags' }).click();
      await main.getByRole('link', { name: /walks/ }).first().waitFor();
      await page.getByRole('contentinfo').getByRole('link', { name: 'Developers' }).click();
      await main.getByText('/api/v1').first().waitFor();
      visitor.assertClean();
    });

    // Promise [website]: Forms work without JavaScript.
    it('login and comment work with plain forms, and lead back to the post', async () => {
      visitor = await arrive({ javaScript: false });
      const { page } = visitor;
      const { grace, post } = gallery;
      await page.goto(`/p/${post.slug}`);
      await page.getByRole('link', { name: 'Log in to comment' }).click();
      await page.getByLabel('Username').fill(grace.username);
      await page.getByLabel('Password', { exact: true }).fill(grace.password);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.waitForURL(`**/p/${post.slug}*`);
      await page.getByLabel('Add a comment').fill('By a plain form.');
      await page.getByRole('button', { name: 'Post', exact: true }).click();
      await page.getByRole('article', { name: 'Comment by grace' }).getByText('By a plain form.').waitFor();
      expect(new URL(page.url()).pathname).toBe(`/p/${post.slug}`);
      visitor.assertClean();
    });

    // Promise [website]: Without JavaScript, the upload page names other ways to upload.
    it('the upload page names other ways to upload', async () => {
      visitor = await arrive({ javaScript: false });
      const { page } = visitor;
      await page.goto('/upload');
      const note = page.locator('noscript');
      expect(await note.textContent()).toMatch(/needs JavaScript.*API token.*ShareX.*curl/s);
      expect(await note.isVisible()).toBe(true);
      expect(await page.getByText('Choose pictures and videos').isVisible()).toBe(false);
      expect(await page.getByRole('button', { name: 'Post', exact: true }).count()).toBe(0);
    });
  });

  describe('with the keyboard only', () => {
    /** The focused element: its name, its position, and whether its focus is visible. */
    const focus = (page: Page): Promise<{ name: string; isSeen: boolean; isInView: boolean } | null> =>
      page.evaluate(() => {
        const element = document.activeElement;
        if (!(element instanceof HTMLElement || element instanceof SVGElement) || element === document.body)
          return null;
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
        const around = element.closest(':focus-within:not(body):not(html):not(main)');
        const frame = around && getComputedStyle(around);
        const box = element.getBoundingClientRect();
        return {
          name: element.outerHTML.slice(0, 120),
          isSeen:
            // The browser draws the focus of its own player controls, which scripts can't inspect.
            element instanceof HTMLVideoElement ||
            (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) ||
            boxShadow !== 'none' ||
            (frame !== null && frame.outlineStyle !== 'none'),
          isInView: box.bottom > 0 && box.top < window.innerHeight && box.width > 0,
        };
      });

    // Promise [website]: The focus is always visible.
    it.each([
      ['the feed', (): string => '/', PHONE],
      ['a post', (): string => `/p/${gallery.post.slug}`, PHONE],
      ['a post', (): string => `/p/${gallery.post.slug}`, DESK],
      ['a profile', (): string => '/u/ada', DESK],
      ['the settings', (): string => '/settings', DESK],
      ['the upload page', (): string => '/upload', PHONE],
    ] as const)('the focus on %s is always visible, and a link skips the header', async (_, path, width) => {
      visitor = await arrive({ as: gallery.ada, width });
      const { page } = visitor;
      await page.goto(path());
      await page.keyboard.press('Tab');
      expect(await focus(page)).toMatchObject({
        name: expect.stringContaining('Skip to content'),
        isSeen: true,
        isInView: true,
      });

      const stops: string[] = [];
      for (let i = 0; i < 40; i++) {
        await page.keyboard.press('Tab');
        const stop = await focus(page);
        if (stop === null) break;
        expect(stop).toEqual({ name: stop.name, isSeen: true, isInView: true });
        stops.push(stop.name);
      }
      expect(stops.length).toBeGreaterThan(5);

      await page.goto(path());
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(
        await page.evaluate(() => document.querySelector('main')?.contains(document.activeElement)),
      ).toBe(true);
      visitor.assertClean();
    });

    it('a post opens from the feed, and going back restores the position', async () => {
      visitor = await arrive();
      const { page } = visitor;
      await page.goto('/');
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      const chosen = await page.evaluate(() => document.activeElement?.getAttribute('href'));
      expect(chosen).toMatch(/^\/p\//);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**${chosen}`);
      await page.goBack();
      await page.waitForURL((url) => url.pathname === '/');
      visitor.assertClean();
    });

    // Promise [website]: Everything can be done with the keyboard only.
    it('sign-up, upload, post, vote, comment, edit and delete work', async () => {
      visitor = await arrive();
      const { page } = visitor;
      const { keyboard } = page;
      /** Presses Tab until the element with this name has the focus. */
      const reach = async (name: string): Promise<void> => {
        const called = (): Promise<string> =>
          page.evaluate(() => {
            const element = document.activeElement;
            const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
            return (
              element?.getAttribute('aria-label') ??
              (isField ? element.labels?.[0]?.textContent : element?.textContent) ??
              ''
            ).trim();
          });
        for (let stops = 0; stops < 150; stops++) {
          await keyboard.press('Tab');
          if ((await called()).startsWith(name)) return;
        }
        throw new Error(`No stop of the keyboard is called ${name}`);
      };
      const press = async (name: string): Promise<void> => {
        await reach(name);
        await keyboard.press('Enter');
      };
      const type = async (name: string, text: string): Promise<void> => {
        await reach(name);
        await keyboard.press('Control+a');
        await keyboard.type(text);
      };

      await page.goto('/');
      await press('Sign up');
      await page.waitForURL('**/register*');
      await type('Username', 'typist');
      await type('Password', 'a long enough password');
      await keyboard.press('Enter');
      await page.getByText('Welcome, typist!').waitFor();

      await press('Upload');
      await page.waitForURL('**/upload');
      // Registered before the key is pressed.
      const chosen = landscape('keys.jpg', 60);
      page.on('filechooser', (chooser) => void chosen.then((file) => chooser.setFiles(file)));
      await press('Choose pictures');
      await page.locator('.upload-row[data-stage="uploaded"]').waitFor();
      await type('Title', 'By keys');
      await press('Post');
      await page.waitForURL('**/p/*');
      const { pathname } = new URL(page.url());

      await press('Upvote this post');
      await page.locator('[aria-pressed="true"][aria-label="Upvote this post"]').waitFor();
      await type('Add a comment', 'Without a mouse.');
      await press('Post');
      await page.getByRole('article', { name: 'Comment by typist' }).waitFor();

      await page.goto(pathname);
      await press('Edit');
      await page.locator('#post-details').getByRole('button', { name: 'Save' }).waitFor();
      await type('Title', 'By keys only');
      await keyboard.press('Enter');
      await page.getByRole('heading', { name: 'By keys only' }).waitFor();
      await press('Delete post');
      await press('Delete post');
      await page.waitForURL((url) => url.pathname !== pathname);
      expect((await page.goto(pathname))?.status()).toBe(404);
      visitor.assertClean([/status of 404/]);
    });
  });
});
